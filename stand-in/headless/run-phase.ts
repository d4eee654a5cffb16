/** The stand-in in the phases of a run: which one a message opens, and its verdict. Pure. */

export type RunPhase = 'plan' | 'execute' | 'review' | 'fix';

/** The first words of the message that opens a phase. */
const OPENINGS: [RunPhase, RegExp][] = [
  ['plan', /^(?:Plan the task below|Finish the plan)\b/m],
  ['execute', /^(?:Do the task below|Continue with the plan)\b/m],
  ['review', /^REVIEW [\w-]+: PASS$/m],
  ['fix', /^Fix round \d+\./m],
];

/** Null for a message that opens no phase. */
export function runPhaseOf(message: string): RunPhase | null {
  return OPENINGS.find(([, words]) => words.test(message))?.[0] ?? null;
}

/** The verdict line of a review, in the words its message asks for; '' when it asks for none. */
export function verdictLine(message: string, verdict: string): string {
  const nonce = /^REVIEW ([\w-]+): PASS$/m.exec(message)?.[1];
  return nonce === undefined ? '' : `REVIEW ${nonce}: ${verdict.toUpperCase()}`;
}
