import type { Evidence, EvidenceWitness } from '../../shared/schema/events/evidence.ts';

const MAX_LINES = 5;
const MAX_LINE_CHARACTERS = 300;

/** `atMs` is milliseconds since 1970. Keeps the last five lines, cut short. */
export function evidenceOf(
  witness: EvidenceWitness,
  atMs: number,
  lines: readonly string[],
): Evidence {
  return {
    witness,
    at: new Date(atMs).toISOString(),
    lines: lines.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS)),
  };
}
