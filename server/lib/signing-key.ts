/** A key that signs what is handed out and stores nothing for it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from './files/atomic-file.ts';
import { randomSecret } from './random-id.ts';

/** 256 bits in base64url have 43 characters; a shorter key was truncated. */
const KEY_LENGTH = 43;

export class SigningKey {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** 43 characters of base64url. */
  sign(text: string): string {
    return this.#digest(text).toString('base64url');
  }

  /** Compares in constant time; only one spelling of a signature is ours. */
  isSigned(text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#digest(text);
    const same = given.length === expected.length && timingSafeEqual(given, expected);
    // The last character of 43 has two unused bits.
    return same && given.toString('base64url') === signature;
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/** The key in a file of the home, created at the first start. */
export function keepKey(home: string, file: string): string {
  try {
    const kept = readFileSync(join(home, file), 'utf8').trim();
    if (kept.length >= KEY_LENGTH) return kept;
  } catch {
    // The first start of this home.
  }
  const secret = randomSecret();
  writeFileAtomic(home, file, `${secret}\n`);
  return secret;
}
