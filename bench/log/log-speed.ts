/** How fast events are stored, each of them durable, and how fast they are read back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventDraft } from '../../shared/schema/events.ts';
import { openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import { systemClock } from '../../server/lib/clock.ts';
import type { Figure } from '../report/figures.ts';
import { residentBytes } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';

const SINGLE_EVENTS = 5_000;
const GROUPED_EVENTS = 100_000;
const GROUP = 100;
const RETENTION = { days: 7, maxEvents: 1_000_000 };

/** About 366 bytes on the wire. */
const DRAFT: EventDraft = {
  type: 'auto.ended',
  session: 'web-frontend',
  data: {
    task_dir: '/home/username/projects/web-frontend/AiTasks/dark-mode-for-settings',
    reason: 'max_iterations',
    iteration: 20,
    elapsed_seconds: 1_234.567,
    quota_wait_seconds: 0,
    restart_count: 1,
    recovery_count: 0,
    error: 'no agent came in front within 10000 ms: the terminal shows "command not found"',
    evidence: [],
  },
};

export function appendSpeed(): Figure[] {
  const home = mkdtempSync(join(tmpdir(), 'lwb-'));
  try {
    const single = eventsASecond(home, SINGLE_EVENTS, 1);
    const grouped = eventsASecond(home, GROUPED_EVENTS, GROUP);
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
  eventsASecond(rig.home, GROUPED_EVENTS, 1_000);
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

function eventsASecond(home: string, count: number, group: number): number {
  const database = openDatabase(home);
  const log = new EventLog({ database, clock: systemClock, retention: RETENTION });
  const began = performance.now();
  for (let written = 0; written < count; written += group) {
    log.write((append) => {
      for (let n = 0; n < group; n += 1) append(DRAFT);
    });
  }
  const seconds = (performance.now() - began) / 1000;
  database.close();
  return count / seconds;
}
