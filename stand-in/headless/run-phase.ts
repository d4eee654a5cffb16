/** The stand-in in the phases of a run: which one a message opens, and what it does there. Pure. */
import type { Step } from './directives.ts';

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

/** What it does where the script has nothing: a run without a script ends well. */
export function defaultSteps(phase: RunPhase, turn: number): Step[] {
  switch (phase) {
    case 'plan':
      return [{ do: 'say', text: '# Plan\n\n- [ ] Write the file\n- [ ] Check it' }];
    case 'execute':
      return [
        { do: 'write', file: `stand-in-${turn}.md`, text: 'What the plan asks for.' },
        { do: 'commit', text: 'Do what the plan asks for' },
        { do: 'say', text: 'Every item of the plan is done.' },
      ];
    case 'review':
      return [{ do: 'review', text: 'pass Nothing is missing.' }];
    case 'fix':
      return [
        { do: 'write', file: `stand-in-fix-${turn}.md`, text: `Fix ${turn}.` },
        { do: 'commit', text: `Fix what failed (${turn})` },
        { do: 'say', text: 'The cause is fixed.' },
      ];
  }
}
