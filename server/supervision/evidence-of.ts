import type { Evidence, EvidenceWitness } from '../../shared/schema/evidence.ts';

const MAX_LINES = 5;
const MAX_LINE_CHARACTERS = 300;

/** Takes who saw it, when (milliseconds since 1970) and the words; keeps the last five, cut short. */
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
