import { closeSync, openSync, readSync } from 'node:fs';
import { systemCode } from '../lib/app-error.ts';

const HEAD_BYTES = 32;
/** The last bit of the number is the byte order of the checksums. */
const MAGIC = 0x377f0682;

/**
 * True when SQLite wrote the head of this write-ahead log. A log that is missing, or ends before
 * its first page, holds nothing that could be lost.
 */
export function isSoundWalHead(path: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES + 1);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
  try {
    if (readSync(file, head) <= HEAD_BYTES) return true;
  } finally {
    closeSync(file);
  }
  const magic = head.readUInt32BE(0);
  if ((magic & ~1) !== MAGIC) return false;
  const word = (at: number) => ((magic & 1) === 1 ? head.readUInt32BE(at) : head.readUInt32LE(at));
  let [first, second] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return first === head.readUInt32BE(24) && second === head.readUInt32BE(28);
}
