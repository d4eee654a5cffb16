import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Checkpoint } from '../../shared/schema/runs/checkpoint.ts';
import { AppError, systemCode } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { type ArchivedSession, DOCUMENTS, invalid, MAX_ARCHIVE_BYTES, unpack } from './archive.ts';
import { parseCheckpoint } from './parse-checkpoint.ts';
import { checkpointText } from './save-checkpoint.ts';
import { CHECKPOINT_FILE, openSessions, sessionDirectory } from './session-directory.ts';

const PLAN_FILE = 'plan.md';

/**
 * Takes a session from an archive, under another id if one is given, and returns its checkpoint. The
 * working directory stays what the archive says; a resume checks that. Rejects with
 * `invalid_archive`, `run_exists`, `run_unknown` for what cannot be an id, `checkpoint_version`, or an
 * error of storage, and then there is no new session.
 */
export async function importSession(home: string, file: string, id?: string): Promise<Checkpoint> {
  const archived = await unpack(readArchive(file));
  const target = id ?? archived.id;
  const directory = sessionDirectory(home, target);
  const hasPlan = archived.files.has(PLAN_FILE);
  const checkpoint: Checkpoint = {
    ...checkpointIn(archived),
    session_id: target,
    // A path of another machine would lead to another file here.
    plan_path: hasPlan ? join(directory, ...placeOf(PLAN_FILE)) : null,
  };
  try {
    openSessions(home);
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw asStorageError(error);
    throw new AppError(
      'run_exists',
      `Session ${target} exists. Choose another id to import it (in the shell: --as)`,
    );
  }
  try {
    const documents = [...archived.files].filter(([name]) => name !== CHECKPOINT_FILE);
    for (const [name, content] of documents) {
      const path = join(directory, ...placeOf(name));
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileAtomic(dirname(path), basename(path), content);
    }
    // Last: a session without it is none.
    writeFileAtomic(directory, CHECKPOINT_FILE, checkpointText(checkpoint));
    return checkpoint;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw asStorageError(error);
  }
}

function placeOf(name: string): readonly string[] {
  return DOCUMENTS[name] ?? [name];
}

function checkpointIn({ id, files }: ArchivedSession): Checkpoint {
  const text = files.get(CHECKPOINT_FILE)?.toString('utf8') ?? '';
  const parsed = parseCheckpoint(text, id);
  if (parsed.kind === 'checkpoint') return parsed.checkpoint;
  if (parsed.kind === 'corrupt') throw invalid(`${CHECKPOINT_FILE}: ${parsed.why}`);
  if (parsed.kind === 'foreign') {
    throw invalid(`${CHECKPOINT_FILE} is of another program: its phase is ${parsed.phase}`);
  }
  throw new AppError(
    'checkpoint_version',
    `The archive has a checkpoint of version ${parsed.version}. Update Loopwatch to import it`,
  );
}

/** Never waits for a FIFO, and never reads more than an archive can be. */
function readArchive(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw invalid(`${path} cannot be opened (${systemCode(error) ?? 'unknown error'})`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw invalid(`${path} is no regular file`);
    if (stat.size > MAX_ARCHIVE_BYTES) throw invalid(`${path} is too large`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
