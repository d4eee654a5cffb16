import { KNOWN_LOOPS } from '../shared/rules/loops/known-loops.ts';
import {
  EXTENDED_CHECKPOINTS,
  EXTENDED_RESULTS,
  EXTENDED_ROUTES,
  EXTENDED_STEPS,
} from '../shared/rules/loops/extended-steps.ts';
import {
  ENTRIES,
  LOOP_CHECKPOINTS,
  LOOP_RESULTS,
  LOOP_STEPS,
  type Route,
  ROUTES,
  TASK_PHASES,
} from '../shared/rules/loops/loop-steps.ts';
import { code, table } from './table.ts';

export function loopStepsPage(): string[] {
  const speakers = Object.entries(KNOWN_LOOPS).filter(([, { profile }]) => profile === 'extended');
  return [
    '# Steps of a loop',
    '',
    'What a loop can report, what follows, and where a task directory enters. `loopwatch step` and the check of signals use this table; [Loops](loops.md#inside-a-loop) explains it.',
    '',
    '## Fields',
    '',
    ...table(
      ['field', 'values'],
      [
        ['`step`', codes(LOOP_STEPS)],
        ['`result`', `${codes(LOOP_RESULTS)}, \`(step-N)\` with the number of a step of the plan`],
        ['`next`', `a step, or \`(stop)\``],
        ['`checkpoint`', `empty, ${codes(LOOP_CHECKPOINTS)}`],
      ],
    ),
    '',
    '## What follows',
    '',
    '`(step-N)` is routed like `(mid-exec)`. A step that names no checkpoint may end in any way one of its checkpoints allows.',
    '',
    ...table(
      ['step', 'result', 'at', 'next', 'checkpoint', 'status afterwards', 'meaning'],
      ROUTES.map((route) => [
        route.step,
        route.result === '*' ? 'any' : code(route.result),
        codes(route.at),
        code(route.next),
        route.checkpoint === 'same' ? 'the same' : code(route.checkpoint),
        statusText(route),
        route.meaning,
      ]),
    ),
    '',
    '## Where a loop enters',
    '',
    'By the status of the task directory, unless its last signal says more.',
    '',
    ...table(
      ['status', 'phase', 'first step', 'checkpoint', 'why'],
      ENTRIES.map(({ status, phases, next, checkpoint, meaning }) => [
        code(status),
        phases.length === TASK_PHASES.length
          ? 'any'
          : phases.map((phase) => code(phase) || 'none').join(', '),
        code(next),
        code(checkpoint),
        meaning,
      ]),
    ),
    '',
    '## Extended profile',
    '',
    `Loops that report more: ${codes(speakers.map(([name]) => name))}. Of all others these words are refused.`,
    '',
    ...table(
      ['field', 'values'],
      [
        ['`step`', codes(EXTENDED_STEPS)],
        ['`result`', codes(EXTENDED_RESULTS)],
        ['`checkpoint`', `${codes(EXTENDED_CHECKPOINTS)}, \`step-N\``],
      ],
    ),
    '',
    ...table(
      ['step', 'result', 'next'],
      EXTENDED_ROUTES.map(({ step, results, next }) => [
        step,
        results === '*' ? 'any' : codes(results),
        code(next),
      ]),
    ),
  ];
}

function codes(words: readonly string[]): string {
  return words
    .filter((word) => word !== '')
    .map(code)
    .join(', ');
}

function statusText({ changes }: Route): string {
  const texts = changes.map(({ from, status, phase }, index) => {
    const name = phase === '' ? code(status) : `${code(status)} (${phase})`;
    return index < changes.length - 1 ? `${name} from ${codes(from)}` : name;
  });
  return texts.length === 0 ? 'unchanged' : texts.join(', else ');
}
