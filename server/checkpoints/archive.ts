/**
 * The archive of a session: a tar file under gzip with one directory, named after the session. In it
 * `SHA256SUMS` covers the other files, in the form that `sha256sum -c` checks.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Header, Parser, type ReadEntry } from 'tar';
import { RunId } from '../../shared/schema/runs/checkpoint.ts';
import { AppError } from '../lib/app-error.ts';
import { MAX_CHECKPOINT_BYTES } from './read-session.ts';
import { CHECKPOINT_FILE } from './session-directory.ts';

/**
 * What an archive may hold besides its checkpoint, each at most `MAX_DOCUMENT_BYTES`, and where it is
 * in the directory of the session. The plans have their own, which the agent may write to.
 */
export const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'plan.md': ['plan', 'plan.md'],
  'plan.agent.md': ['plan', 'plan.agent.md'],
  'report.md': ['report.md'],
};
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

const SUMS_FILE = 'SHA256SUMS';
const NAMES = [CHECKPOINT_FILE, ...Object.keys(DOCUMENTS), SUMS_FILE];
const BLOCK = 512;

/** Of the unpacked archive: its files, and a MiB for headers and sums. */
export const MAX_ARCHIVE_BYTES =
  MAX_CHECKPOINT_BYTES + Object.keys(DOCUMENTS).length * MAX_DOCUMENT_BYTES + 1024 * 1024;

export interface ArchivedSession {
  id: string;
  /** By name, without the sums. */
  files: ReadonlyMap<string, Buffer>;
}

export async function pack({ id, files }: ArchivedSession, nowMs: number): Promise<Buffer> {
  const sums = [...files].map(([name, content]) => `${sha256(content)}  ${name}\n`).join('');
  const all = [...files, [SUMS_FILE, Buffer.from(sums)] as const];
  const blocks = all.flatMap(([name, content]) => {
    const header = new Header({
      path: `${id}/${name}`,
      type: 'File',
      mode: 0o600,
      size: content.length,
      mtime: new Date(nowMs),
    });
    header.encode();
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header.block ?? Buffer.alloc(0), content, padding];
  });
  return promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/**
 * Only what `pack` may have written: no link, no other name, no second file of a name, nothing whose
 * sum is wrong. Rejects with `invalid_archive`. Nothing is written.
 */
export async function unpack(archive: Buffer): Promise<ArchivedSession> {
  const tar = await decompress(archive);
  const found = await readEntries(tar);
  const ids = new Set([...found.keys()].map((path) => path.slice(0, path.indexOf('/'))));
  const [id = ''] = ids;
  if (ids.size !== 1 || !RunId.safeParse(id).success) throw invalid('it does not hold one session');
  const files = new Map([...found].map(([path, content]) => [path.slice(id.length + 1), content]));
  const sums = files.get(SUMS_FILE)?.toString('utf8') ?? '';
  files.delete(SUMS_FILE);
  const expected = [...files].map(([name, content]) => `${sha256(content)}  ${name}`);
  const given = sums.split('\n').filter((line) => line !== '');
  if (expected.sort().join('\n') !== given.sort().join('\n')) {
    throw invalid(`its files do not match ${SUMS_FILE}`);
  }
  return { id, files };
}

export function invalid(why: string): AppError {
  return new AppError('invalid_archive', `This is no archive of a session: ${why}`);
}

async function decompress(archive: Buffer): Promise<Buffer> {
  let tar: Buffer;
  try {
    tar = await promisify(gunzip)(archive, { maxOutputLength: MAX_ARCHIVE_BYTES });
  } catch {
    throw invalid('it is cut off, too large, or not compressed with gzip');
  }
  // The parser would decompress it once more, without the limit.
  if (tar[0] === 0x1f && tar[1] === 0x8b) throw invalid('it is compressed twice');
  return tar;
}

async function readEntries(tar: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  return new Promise((resolve, reject) => {
    const parser = new Parser({ strict: true, zstd: false });
    const refuse = (why: string) => reject(invalid(why));
    parser.on('error', () => refuse('it is damaged'));
    parser.on('ignoredEntry', () => refuse('an entry is of an unknown kind'));
    parser.on('entry', (entry: ReadEntry) => {
      const refusal = refusalOf(entry, files);
      if (refusal !== null) refuse(refusal);
      const chunks: Buffer[] = [];
      files.set(entry.path, Buffer.alloc(0));
      entry.on('data', (chunk) => chunks.push(chunk));
      entry.on('end', () => files.set(entry.path, Buffer.concat(chunks)));
    });
    parser.on('end', () => resolve(files));
    parser.end(tar);
  });
}

function refusalOf({ path, type, size }: ReadEntry, files: Map<string, Buffer>): string | null {
  const shown = JSON.stringify(path.slice(0, 100));
  if (type !== 'File' && type !== 'OldFile') return `${shown} is no plain file`;
  const [directory = '', name = '', ...rest] = path.split('/');
  if (rest.length > 0 || !RunId.safeParse(directory).success || !NAMES.includes(name)) {
    return `it holds ${shown}`;
  }
  if (files.has(path)) return `it holds ${shown} twice`;
  const limit = name === CHECKPOINT_FILE ? MAX_CHECKPOINT_BYTES : MAX_DOCUMENT_BYTES;
  return size > limit ? `${shown} is too large` : null;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
