import { appendEvents } from '../log/append-events.ts';
import type { Rig } from '../rig/rig.ts';
import type { Axis, Crowd } from './axis.ts';
import { reach } from './reach.ts';
import { Subscribers } from './subscribers.ts';

const SIZES = {
  sizes: [1, 10, 100, 1_000],
  quickSizes: [1, 10, 50],
};
const EVENT_SIZES = {
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  quickSizes: [1_000, 10_000],
};
const EVENTS_A_TRANSACTION = 1_000;
const SETTLE_MS = 20_000;
/** The first heartbeat of a loop captures its screen, a minute after its start. */
const LOOPS_SETTLE_MS = 75_000;

export const AXES: readonly Axis[] = [
  {
    name: 'sessions',
    ...SIZES,
    settleMs: SETTLE_MS,
    asked: 'GET /api/sessions',
    open: (rig) => ({
      grow: (from, to) => reach(from, to, (n) => rig.openShells(n, n + 1)),
      answer: () => rig.get('/api/sessions'),
    }),
  },
  {
    name: 'loops',
    ...SIZES,
    settleMs: LOOPS_SETTLE_MS,
    asked: 'GET /api/task-auto',
    open: (rig) => ({
      grow: (from, to) => reach(from, to, (n) => rig.startLoops(n, n + 1)),
      answer: () => rig.get('/api/task-auto'),
    }),
  },
  {
    name: 'subscribers',
    ...SIZES,
    settleMs: SETTLE_MS,
    asked: 'creating a task until all have its event; they share one process',
    open: (rig) => new Subscribers(rig),
  },
  {
    name: 'events kept',
    ...EVENT_SIZES,
    settleMs: SETTLE_MS,
    asked: 'a page of 100 from the middle',
    open: eventsKept,
  },
  {
    name: 'tasks',
    ...SIZES,
    settleMs: SETTLE_MS,
    asked: 'GET /api/v1/tasks, all',
    open: (rig) => ({
      grow: (from, to) => reach(from, to, (n) => rig.createTask(`task${n}`, false)),
      answer: () => rig.get('/api/v1/tasks?limit=1000'),
    }),
  },
];

/** Written while the daemon is down: it alone writes its log. So each size is measured after a start. */
function eventsKept(rig: Rig): Crowd {
  let size = 0;
  return {
    grow: async (from, to) => {
      await rig.kill();
      try {
        appendEvents(rig.home, to - from, EVENTS_A_TRANSACTION);
      } finally {
        await rig.start();
      }
      size = to;
      return { size, failure: null };
    },
    answer: () => rig.get(`/api/events?after=${Math.floor(size / 2)}&limit=100`),
  };
}
