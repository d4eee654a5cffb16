/** What a night will bring, drawn from its seed: the work, the limits and what goes wrong. */
import type { Random } from '../../support/house/random.ts';
import { script } from '../../support/tasks/task-home.ts';

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** In the past of any machine: no file of the night is older than what happens in it. */
export const BEGIN_MS = Date.parse('2026-01-05T22:00:00Z');
export const END_MS = BEGIN_MS + 8 * HOUR_MS;

export interface NightSize {
  loops: number;
  tasks: number;
}

export interface NightPlan {
  /** `byOther`: started by `OTHER`. */
  loops: { name: string; scenario: object; byOther: boolean }[];
  tasks: { name: string; description: string; beginsMs: number }[];
  budgets: { scope: string; limit: number }[];
  /** Set while its loops are at work: before, they would begin one by one. */
  sharedBudget: { scope: string; limit: number; atMs: number };
  windows: { five_hour: PlannedWindow; weekly: PlannedWindow };
  login: { endsMs: number; renewedMs: number };
  killsMs: number[];
  /** The most that one dispatch uses of the 5-hour window. */
  dispatchPercent: number;
}

interface PlannedWindow {
  /** In output tokens, as is what was used of it before. */
  capacity: number;
  used_before: number;
  resets_ms: number[];
}

/** The share of the 5-hour window that is kept for people. */
export const KEPT_PERCENT = 30;
const ASKS_AT_MS = BEGIN_MS + 4 * HOUR_MS;
const QUESTION = 'Which customer should I use for the example?';
/** Starts all loops but one, which have a budget together. */
export const OTHER = 'Night shift';
/** The project of all tasks, below the roots. */
export const PROJECT = 'project';

/** In output tokens: no dispatch is twice as large as another. */
const DISPATCH = { least: 1_100, most: 2_000 };

export function nightPlan(random: Random, size: NightSize, projectPath: string): NightPlan {
  const loops = Array.from({ length: size.loops }, (_, n) => ({
    name: `l${n}`,
    scenario: loopScenario(random, n),
    byOther: n > 0,
  }));
  const tasks = Array.from({ length: size.tasks }, (_, n) => ({
    name: `t${n}`,
    ...(n === 0 ? askingTask(random) : workingTask(random, n)),
  }));
  // So that the rest of the first window is kept before midnight, and that of the second after four.
  const perHour = (size.loops - 1.5) * 1.8 + (size.tasks - 1) * 2;
  const capacity = Math.max(DISPATCH.most * 25, Math.round(perHour * 1_550 * 4.7));
  return {
    loops,
    tasks,
    budgets: [
      { scope: `project:${projectPath}`, limit: 1_500 * (size.tasks * 4 + random.int(0, 4)) },
      { scope: `task:t${size.tasks - 1}`, limit: random.int(4_000, 9_000) },
      { scope: 'loop:l0', limit: random.int(9_000, 16_000) },
      { scope: `loop:l${size.loops - 1}`, limit: random.int(9_000, 16_000) },
    ],
    sharedBudget: {
      scope: `person:${OTHER}`,
      limit: 1_500 * ((size.loops - 1) * 6 + random.int(0, 4)),
      atMs: BEGIN_MS + random.int(20, 90) * MINUTE_MS,
    },
    windows: {
      five_hour: {
        capacity,
        used_before: Math.round(capacity / 4),
        resets_ms: [2.5, 7.5, 12.5].map((hours) => BEGIN_MS + hours * HOUR_MS),
      },
      weekly: {
        capacity: Math.round(capacity * 1.05),
        used_before: 0,
        resets_ms: [7, 175].map((hours) => BEGIN_MS + hours * HOUR_MS),
      },
    },
    login: {
      endsMs: BEGIN_MS + 5 * HOUR_MS + 10 * MINUTE_MS,
      renewedMs: BEGIN_MS + 5 * HOUR_MS + random.int(30, 60) * MINUTE_MS,
    },
    killsMs: Array.from({ length: 8 }, (_, hour) => {
      return BEGIN_MS + hour * HOUR_MS + random.int(5, 55) * MINUTE_MS;
    }),
    dispatchPercent: Math.ceil((DISPATCH.most / capacity) * 1_000) / 10,
  };
}

/** Every third one crashes once, the second one is done after six steps. */
function loopScenario(random: Random, n: number): object {
  const pass = { step: 'check', result: 'PASS', next: 'exec' };
  const done = { step: 'exec', result: '(done)', next: 'check' };
  const long = Array.from({ length: 60 }, (_, at) => [
    {
      do: 'step',
      work_ms: random.int(20, 45) * MINUTE_MS,
      say: [`Part ${at} of loop ${n}.`],
      tokens: {
        input: random.int(0, 5_000),
        output: random.int(DISPATCH.least, DISPATCH.most),
        cacheRead: random.int(0, 50_000),
        cacheCreation: random.int(0, 3_000),
      },
      signal: at % 2 === 0 ? pass : done,
    },
    // The next request takes its time, so that a stop that was asked for is seen.
    { do: 'silence', ms: 40_000 },
  ]);
  const steps = long.flat();
  if (n % 3 === 2)
    steps.splice(2 * random.int(2, 6), 0, { do: 'crash', signal: 'SIGKILL', times: 1 } as never);
  if (n === 1) {
    const end = { step: 'report', result: '(generated)', next: '(stop)' };
    steps.splice(12, steps.length, { ...steps[0], signal: end } as never);
  }
  return { after: 'exit', status_record: n % 2 === 0, steps };
}

function workingTask(random: Random, n: number) {
  const turns = random.int(9, 14);
  const steps = Array.from({ length: turns }, (_, index) =>
    turnSteps(random, `t${n}`, index + 1, turns),
  );
  return { description: script(...steps.flat()), beginsMs: BEGIN_MS };
}

function turnSteps(random: Random, name: string, turn: number, last: number): string[] {
  const file = `${name}-${turn}.txt`;
  const said =
    turn === last
      ? 'All steps are done. The task is complete.'
      : `I wrote ${file}; there is more to do.`;
  return [
    `turn ${turn} wait ${random.int(15, 40) * MINUTE_MS}`,
    `turn ${turn} tokens ${random.int(DISPATCH.least, DISPATCH.most)}`,
    `turn ${turn} cost ${random.int(1, 90) / 100}`,
    `turn ${turn} write ${file} Turn ${turn}.`,
    `turn ${turn} commit Turn ${turn}`,
    `turn ${turn} say ${said}`,
  ];
}

/** Begins ten minutes before it asks. */
function askingTask(random: Random) {
  const description = script(
    `turn 1 wait ${10 * MINUTE_MS}`,
    `turn 1 tokens ${random.int(DISPATCH.least, DISPATCH.most)}`,
    `turn 1 ask ${QUESTION}`,
    ...turnSteps(random, 't0', 2, 3),
    ...turnSteps(random, 't0', 3, 3),
  );
  return { description, beginsMs: ASKS_AT_MS - 10 * MINUTE_MS };
}
