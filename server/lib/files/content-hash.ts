import { createHash } from 'node:crypto';

/** Equal for equal JSON: what was parsed by one schema has its keys in one order. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
