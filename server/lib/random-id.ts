import { randomBytes } from 'node:crypto';

/** Gives a new identifier of 20 lowercase hex digits (80 random bits), safe in any shell or path. */
export function randomId(): string {
  return randomBytes(10).toString('hex');
}

/** Gives a new secret of 256 random bits, in characters that are safe in a header and a URL. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
