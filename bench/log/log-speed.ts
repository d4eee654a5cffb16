/** How fast events are stored, each of them durable, and how fast they are read back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../report/figures.ts';
import { residentBytes } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';
import { appendEvents } from './append-events.ts';

const SINGLE_EVENTS = 5_000;
const GROUPED_EVENTS = 100_000;
const GROUP = 100;

export function appendSpeed(): Figure[] {
  const home = mkdtempSync(join(tmpdir(), 'lwb-'));
  try {
    const single = appendEvents(home, SINGLE_EVENTS, 1);
    const grouped = appendEvents(home, GROUPED_EVENTS, GROUP);
    return [
      {
        name: 'durable appends, one a transaction',
        value: single,
        unit: '/s',
        goal: { direction: 'at least', value: 4_000 },
      },
      {
        name: `durable appends, ${GROUP} a transaction`,
        value: grouped,
        unit: '/s',
        goal: { direction: 'at least', value: 100_000 },
      },
    ];
  } finally {
    rmSync(home, { recursive: true });
  }
}

export async function resumeSpeed(): Promise<Figure[]> {
  await using rig = new Rig();
  appendEvents(rig.home, GROUPED_EVENTS, 1_000);
  await rig.start();
  const before = residentBytes(rig.pid);
  let peak = before;
  let last = 0;
  let done: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const began = performance.now();
  await rig.subscribe(0, (frame) => {
    if (frame.type !== 'event') return;
    last = frame.event.seq;
    if (last % 10_000 === 0) peak = Math.max(peak, residentBytes(rig.pid));
    if (last === GROUPED_EVENTS) done();
  });
  await all;
  const took = performance.now() - began;
  const grown = (peak - before) / 2 ** 20;
  return [
    {
      name: `resume after ${GROUPED_EVENTS} missed events, until the last`,
      value: took,
      unit: 'ms',
      goal: { direction: 'at most', value: 1_000 },
    },
    {
      name: 'memory of the daemon grown meanwhile',
      value: grown,
      unit: 'MB',
      goal: { direction: 'at most', value: 30 },
    },
  ];
}
