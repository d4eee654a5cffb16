import { Scenario } from './scenario.ts';

/** Plays when no scenario is given: one small invented task, all the way through the routing table. */
export const DEFAULT_SCENARIO = Scenario.parse({
  title: 'Add a --json flag to the weather command',
  steps: [
    {
      do: 'step',
      say: [
        'I will plan from the requirements in .target.md.',
        'Read(.target.md)',
        '⎿  31 lines',
        'Plan: print JSON behind --json, keep the table as the default, cover both with tests.',
      ],
      signal: { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' },
    },
    {
      do: 'step',
      say: [
        'Checking the plan against the requirements.',
        'Each of the four requirements has a step and a test. Verdict: PASS.',
      ],
      signal: { step: 'check', result: 'PASS', next: 'exec' },
    },
    {
      do: 'step',
      say: [
        'Update(src/weather.ts)',
        '⎿  Added 18 lines, removed 3 lines',
        'Steps 1 and 2 of 4 are in place; a check half-way is due.',
      ],
      signal: { step: 'exec', result: '(mid-exec)', next: 'check', checkpoint: 'mid-exec' },
    },
    {
      do: 'step',
      say: ['Bash(npm test)', '⎿  12 passed', 'The table output is unchanged. Verdict: CONTINUE.'],
      signal: { step: 'check', result: 'CONTINUE', next: 'exec' },
    },
    {
      do: 'step',
      say: ['Write(test/weather-json.test.ts)', '⎿  Wrote 27 lines', 'All four steps are done.'],
      signal: { step: 'exec', result: '(done)', next: 'check', checkpoint: 'post-exec' },
    },
    {
      do: 'step',
      say: ['Bash(npm test)', '⎿  15 passed', 'Every requirement holds. Verdict: ACCEPT.'],
      signal: { step: 'check', result: 'ACCEPT', next: 'merge' },
    },
    {
      do: 'step',
      say: ['Bash(git merge --no-ff task/weather-json)', '⎿  2 files changed, 45 insertions(+)'],
      signal: { step: 'merge', result: 'success', next: 'report' },
    },
    {
      do: 'step',
      say: ['Write(.report.md)', 'The report is written; the task is complete.'],
      signal: { step: 'report', result: '(generated)', next: '(stop)' },
    },
  ],
});
