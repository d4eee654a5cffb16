import { createHash } from 'node:crypto';
import type { RoundTrace } from './no-progress.ts';

/** Hexadecimal digits; a collision only hides that something was new. */
const DIGEST_LENGTH = 16;

/** Of the whole content and calls of a round, as text. */
export function roundTrace(content: string, calls: readonly string[]): RoundTrace {
  return { content: digestOf(content), calls: calls.map(digestOf) };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}
