/**
 * What the stand-in plays in the demo: everything that can happen to a loop in about two minutes.
 * Each scene ends on its own or through an action of the daemon, so that no person has to answer.
 */
import { Scenario } from '../../stand-in/scenario.ts';

/** How long the agent waits for a person before it takes the marked answer. */
const ANSWER_MS = 20_000;
/** Until the demo's usage limit is over. */
const LIMIT_MS = 15_000;

/** `pace`: 1 for what a person can follow, less for faster. */
export function demoScenario(pace: number): Scenario {
  const ms = (milliseconds: number) => Math.round(milliseconds * pace);
  return Scenario.parse({
    title: 'Greet by name',
    steps: [
      {
        do: 'step',
        work_ms: ms(9_000),
        say: [
          'I will read the requirements and the code they touch.',
          'Read(.target.md)\n⎿  12 lines',
          'Search(pattern: "Hello", path: "src")\n⎿  Found 2 lines in src/main.ts, src/greet.ts',
          'Plan, written to .plan.md:\n1. greet() takes a name and falls back to "World".\n2. main.ts passes on the first argument.\n3. Both are covered by tests.',
        ],
        signal: { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' },
      },
      {
        do: 'step',
        work_ms: ms(5_000),
        say: ['Each of the three requirements has a step and a test. Verdict: PASS.'],
        signal: { step: 'check', result: 'PASS', next: 'exec' },
      },
      {
        do: 'step',
        work_ms: ms(8_000),
        say: [
          'Update(src/greet.ts)\n⎿  Updated with 4 additions and 2 removals\n1 - export function greet() {\n2 -   return "Hello";\n1 + export function greet(name = "World") {\n2 +   return `Hello, ${name}`;\n3   }',
          'Bash(npm test)\n⎿  ✓ greet says hello (3 ms)\n✓ greet falls back to World (1 ms)\n2 passed',
        ],
        signal: { step: 'exec', result: '(mid-exec)', next: 'check', checkpoint: 'mid-exec' },
      },
      {
        do: 'pause',
        say: ['The first step is in place and its tests are green.\n\nShall I continue?'],
      },
      {
        do: 'step',
        work_ms: ms(5_000),
        say: ['Continuing. The work so far fits the plan. Verdict: CONTINUE.'],
        signal: { step: 'check', result: 'CONTINUE', next: 'exec' },
      },
      { do: 'limit', ms: ms(LIMIT_MS) },
      {
        do: 'step',
        work_ms: ms(6_000),
        say: [
          'Update(src/main.ts)\n⎿  Updated with 2 additions and 1 removal\n7 - console.log(greet());\n7 + const [name] = process.argv.slice(2);\n8 + console.log(greet(name));',
          'Step 2 is in place. Before the last step I want to see it run.',
        ],
        signal: { step: 'exec', result: '(mid-exec)', next: 'check', checkpoint: 'mid-exec' },
      },
      {
        do: 'ask',
        command: 'node src/main.ts Ada',
        description: 'Runs the tool once. The demo allows it automatically after 20 s.',
        default_ms: ms(ANSWER_MS),
      },
      {
        do: 'step',
        work_ms: ms(6_000),
        say: [
          'Write(test/main.test.ts)\n⎿  Wrote 21 lines',
          'Bash(npm test)\n⎿  ✓ greet says hello (3 ms)\n✓ greet falls back to World (1 ms)\n✓ main greets the given name (42 ms)\n3 passed',
        ],
        signal: { step: 'exec', result: '(done)', next: 'check', checkpoint: 'post-exec' },
      },
      { do: 'say', lines: ['Checking everything once more against .target.md.'] },
      { do: 'crash', signal: 'SIGKILL', times: 1 },
      {
        do: 'step',
        work_ms: ms(6_000),
        say: [
          'I was interrupted; .index.json says that the work is done and its check is due.',
          'Bash(npm test)\n⎿  3 passed',
          'Every requirement holds. Verdict: ACCEPT.',
        ],
        signal: { step: 'check', result: 'ACCEPT', next: 'merge' },
      },
      {
        do: 'step',
        work_ms: ms(5_000),
        say: [
          'Bash(git merge --no-ff task/greet-by-name)\n⎿  3 files changed, 27 insertions(+), 3 deletions(-)',
        ],
        signal: { step: 'merge', result: 'success', next: 'report' },
      },
      {
        do: 'step',
        work_ms: ms(5_000),
        say: [
          'Write(.report.md)\n⎿  Wrote 18 lines',
          'The report is written; the task is complete.',
        ],
        signal: { step: 'report', result: '(generated)', next: '(stop)' },
      },
    ],
  });
}
