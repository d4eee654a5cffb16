import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { randomSecret } from '../lib/random-id.ts';

const TOKEN_FILE = 'token';
/** A shorter one was cut off. */
const MIN_LENGTH = 16;

/** Takes the home; gives the token of its admin, made at the first start. */
export function keepAdminToken(home: string): string {
  try {
    const kept = readFileSync(join(home, TOKEN_FILE), 'utf8').trim();
    if (kept.length >= MIN_LENGTH) return kept;
  } catch {
    // The first start on this home.
  }
  const made = randomSecret();
  writeFileAtomic(home, TOKEN_FILE, `${made}\n`);
  return made;
}
