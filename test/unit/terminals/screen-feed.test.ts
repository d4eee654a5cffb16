/** Live snapshots: which sessions are captured when, and what viewers receive. */
import { expect, it } from 'vitest';
import { ScreenFeed } from '../../../server/sessions/showing/screen-feed.ts';
import type { ScreenUpdate } from '../../../server/sessions/showing/screen-update.ts';
import { FakeTerminal } from '../../support/terminals/fake-terminal.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { until } from '../../support/house/until.ts';

function setting() {
  const clock = new ManualClock();
  const terminal = new FakeTerminal();
  const polled = { count: 0, line: 'polled', fails: false };
  const feed = new ScreenFeed({
    tap: async (_, listener) => terminal.tap(listener),
    capture: async () => {
      polled.count += 1;
      if (polled.fails) return Promise.reject(new Error('gone'));
      return Promise.resolve({ cols: 40, rows: 1, cursor: [0, 0], lines: [polled.line] });
    },
    clock,
  });
  const watch = () => {
    const updates: (ScreenUpdate | null)[] = [];
    return { updates, stop: feed.watch('web', (update) => updates.push(update)) };
  };
  return { clock, terminal, polled, watch };
}

it('LT1 captures once for all viewers, and sends each the changed rows', async () => {
  const { clock, terminal, watch } = setting();
  const viewers = [watch(), watch(), watch()];
  await until('the first snapshot', () => viewers.every(({ updates }) => updates.length === 1));
  expect({ taps: terminal.tapsOpened, snapshots: terminal.snapshots }).toEqual({
    taps: 1,
    snapshots: 1,
  });
  await terminal.write('hello');
  clock.advance(100);
  await until('the change', () => viewers.every(({ updates }) => updates.length === 2));
  expect(terminal.snapshots).toBe(2);
  expect(viewers.map(({ updates }) => updates[1])).toEqual(
    viewers.map(() => ({
      ...viewers[0]?.updates[1],
      rev: 2,
      full: false,
      lines: { '0': 'hello' },
    })),
  );
  const late = watch();
  expect(late.updates).toEqual([expect.objectContaining({ rev: 2, full: true })]);
  expect(terminal.snapshots).toBe(2);
});

it('LT2 runs no timer and captures nothing while the terminal is quiet', async () => {
  const { clock, terminal, watch } = setting();
  const { updates } = watch();
  await until('the first snapshot', () => updates.length === 1);
  expect(clock.pending).toBe(0);
  clock.advance(60_000);
  await turn();
  expect({ snapshots: terminal.snapshots, pending: clock.pending }).toEqual({
    snapshots: 1,
    pending: 0,
  });
});

it('LT2 captures within 4 ms of the first output after quiet, then every 100 ms at most', async () => {
  const { clock, terminal, watch } = setting();
  const { updates } = watch();
  await until('the first snapshot', () => updates.length === 1);
  clock.advance(1_000);
  await terminal.write('one');
  clock.advance(4);
  await until('the leading edge', () => updates.length === 2);
  for (let count = 0; count < 20; count += 1) {
    await terminal.write(String(count));
    clock.advance(4);
    await turn();
  }
  expect(terminal.snapshots).toBe(2);
  clock.advance(20);
  await until('the next snapshot', () => updates.length === 3);
  clock.advance(1_000);
  await turn();
  expect({ snapshots: terminal.snapshots, pending: clock.pending }).toEqual({
    snapshots: 3,
    pending: 0,
  });
});

it('LT1 closes the tap with the last viewer', async () => {
  const { clock, terminal, watch } = setting();
  const viewers = [watch(), watch()];
  await until('the first snapshot', () => viewers.every(({ updates }) => updates.length === 1));
  viewers[0]?.stop();
  expect(terminal.taps.size).toBe(1);
  await terminal.write('x');
  viewers[1]?.stop();
  expect({ taps: terminal.taps.size, pending: clock.pending }).toEqual({ taps: 0, pending: 0 });
});

it('LT1 closes a tap that is opened after its viewer left', async () => {
  const { terminal, watch } = setting();
  watch().stop();
  await turn();
  expect({ opened: terminal.tapsOpened, open: terminal.taps.size }).toEqual({ opened: 1, open: 0 });
});

it('LT9 polls where no tap is available, and uses a tap when there is one again', async () => {
  const { clock, terminal, polled, watch } = setting();
  terminal.refusal = new Error('no tap');
  const { updates } = watch();
  await until('the first snapshot', () => updates.length === 1);
  polled.line = 'changed';
  clock.advance(200);
  await until('the change', () => updates.length === 2);
  terminal.refusal = null;
  for (let waited = 0; waited < 6_000; waited += 200) {
    clock.advance(200);
    await turn();
  }
  expect({ taps: terminal.taps.size, pending: clock.pending }).toEqual({ taps: 1, pending: 0 });
});

it('LT1 notifies viewers when the terminal ended, and keeps no timer', async () => {
  const { clock, terminal, polled, watch } = setting();
  const { updates } = watch();
  await until('the first snapshot', () => updates.length === 1);
  polled.fails = true;
  terminal.end();
  await until('the end', () => updates.at(-1) === null);
  expect({ updates: updates.length, pending: clock.pending }).toEqual({ updates: 2, pending: 0 });
});

it('LT9 keeps polling when the tap ended and the terminal did not', async () => {
  const { terminal, watch } = setting();
  const { updates } = watch();
  await until('the first snapshot', () => updates.length === 1);
  terminal.end();
  await until('a polled snapshot', () => updates.length === 2);
  expect(updates[1]).toMatchObject({ lines: { '0': 'polled' } });
});

async function turn(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
}
