import { randomBytes } from 'node:crypto';

/** 20 lowercase hex digits (80 random bits), safe in any shell or path. */
export function randomId(): string {
  return randomBytes(10).toString('hex');
}

/** 256 random bits in characters that are safe in a header and a URL. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
