import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A list that people write by hand. */
const MAX_BYTES = 1024 * 1024;

/**
 * Appends missing lines to a list that people also edit. `isThere`: whether a line is in the list, also
 * in another spelling. A link is not followed. False for what is not a file or larger than 1 MiB.
 * Throws the system's error.
 */
export function addMissingLines(
  path: string,
  lines: readonly string[],
  isThere: (line: string, others: readonly string[]) => boolean = (line, others) =>
    others.includes(line),
): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return false;
    const text = readFileSync(file, 'utf8');
    const others = text.split(/\r?\n/);
    const missing = lines.filter((line) => !isThere(line, others));
    if (missing.length === 0) return true;
    const start = text === '' || text.endsWith('\n') ? '' : '\n';
    writeSync(file, `${start}${missing.join('\n')}\n`);
    return true;
  } finally {
    closeSync(file);
  }
}
