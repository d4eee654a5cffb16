import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, systemCode } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { DOCUMENTS, MAX_DOCUMENT_BYTES, pack } from './archive.ts';
import { loadCheckpoint } from './load-checkpoint.ts';
import { checkpointText } from './save-checkpoint.ts';
import { CHECKPOINT_FILE, findSession } from './session-directory.ts';

/**
 * Writes the checkpoint, the plans and the report of a session into one new archive, 0600. Rejects
 * with what `loadCheckpoint` throws, `archive_exists`, `directory_missing`, `checkpoint_unreadable` for a
 * document that is no plain text file, or an error of storage that names the directory.
 */
export async function exportSession(
  home: string,
  id: string,
  file: string,
  nowMs: number,
): Promise<void> {
  const files = new Map([[CHECKPOINT_FILE, Buffer.from(checkpointText(loadCheckpoint(home, id)))]]);
  for (const [name, place] of Object.entries(DOCUMENTS)) {
    const read = readHostileFile(join(findSession(home, id), ...place), MAX_DOCUMENT_BYTES);
    if (read.kind === 'text') files.set(name, Buffer.from(read.text));
    if (read.kind === 'refused') {
      const message = `${name} of the session is no text file of at most 4 MiB. Nothing was exported`;
      throw new AppError('checkpoint_unreadable', message);
    }
  }
  const archive = await pack({ id, files }, nowMs);
  const path = resolve(file);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new AppError('archive_exists', `${path} exists. Choose another name or remove it`);
  }
  try {
    writeFileAtomic(dirname(path), basename(path), archive);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) {
      throw new AppError('directory_missing', `${dirname(path)} does not exist; create it first`);
    }
    throw asStorageError(error, dirname(path));
  }
}
