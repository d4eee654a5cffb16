/**
 * What reading an agent's text costs as it grows: ten times as much text must not take much more
 * than ten times as long, for any repeated part. Both sizes are read in the same run, alternating.
 */
import { readScreen } from '../../server/agents/screen/read-screen.ts';
import { normalizedScreen } from '../../server/policy/stall/normalized-screen.ts';
import { readStallPrompt } from '../../server/policy/stall/read-stall-prompt.ts';
import { taskReply } from '../../server/policy/reply/task-reply.ts';
import { readVerdict } from '../../server/checks/verdict.ts';
import type { Figure } from '../report/figures.ts';
import { median } from '../report/statistics.ts';

/** Ten times as much is still no large object of the engine, whose memory costs more than reading. */
const SMALL = 5_000;
const FACTOR = 10;
const ROUNDS = 3;
/** Of processor time that is measured: the kernel counts it in steps of some milliseconds. */
const LEAST_MS = 40;
/** Linear is ten and quadratic a hundred; garbage collection costs the larger text more. */
const GOAL = 40;
const BOX = ['─'.repeat(60), '❯', '─'.repeat(60)];
const STARTS = ['● ', '✻ ', '  ⎿  ', '  Running ', '❯ ', '  ', ''];
/** What a backtracking pattern would backtrack over. */
const PIECES = ['a', ' ', '(', '1', '1m 2s ', '{"', 'a, ', 'Should I ', '1. a\n', '· ', '. A'];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a normalized screen': (text) =>
    normalizedScreen([...STARTS.map((start) => start + text), ...BOX]),
  'the state of a screen': (text) =>
    readScreen({ rows: STARTS.map((start) => start + text), cursor: null, program: 'node' }),
  'a stall prompt': (text) =>
    readStallPrompt({
      rows: [`● ${text}`, '● Shall I continue?', '', ...BOX],
      cursor: null,
      program: 'claude',
    }),
  'a reply to a task': (text) => taskReply(text, { iteration: 1, previous: [] }),
  'a verdict': readVerdict,
};

export function readingGrowth(): Figure[] {
  return Object.entries(READERS).map(([name, read]) => {
    const growth = PIECES.map((piece) => ({ piece, times: growthOf(read, piece) }));
    const worst = growth.reduce((one, other) => (other.times > one.times ? other : one));
    return {
      name: `reading ${FACTOR} times as much: ${name}`,
      value: worst.times,
      unit: '×',
      goal: { direction: 'at most', value: GOAL, against: `${SMALL / 1_000} KB` },
      remark: `of ${JSON.stringify(worst.piece)}, the worst of ${PIECES.length}`,
    };
  });
}

function growthOf(read: (text: string) => unknown, piece: string): number {
  const small = piece.repeat(Math.ceil(SMALL / piece.length));
  const large = small.repeat(FACTOR);
  const smallMs = (times: number) => repeatedMs(() => read(small), times * FACTOR);
  let times = 1;
  while (smallMs(times) < LEAST_MS) times *= 2;
  const ratios = Array.from({ length: ROUNDS }, () => {
    // The same total text, so that a pause of the machine affects both alike.
    const largeMs = repeatedMs(() => read(large), times);
    return (FACTOR * largeMs) / smallMs(times);
  });
  return median(ratios);
}

/** Of processor time, which other programs on the machine hardly change. */
function repeatedMs(act: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let n = 0; n < times; n += 1) act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
