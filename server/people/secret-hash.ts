import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Takes a secret of 256 random bits; gives its SHA-256 as hex. Such a secret needs no slow hash:
 * there is nothing to guess.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Takes two such hashes; compares them without telling by the time taken where they differ. */
export function sameHash(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
