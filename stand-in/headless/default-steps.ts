import type { Step } from './directives.ts';
import type { RunPhase } from './run-phase.ts';

/** What the agent of a run does where its script has nothing: such a run ends well. Pure. */
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
