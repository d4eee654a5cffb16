import { expect, test } from 'vitest';
import { FaultyLoop } from '../../support/auto/faulty-loop.ts';
import { AGENT, RUNNING } from '../../support/auto/loop-life.ts';

const STEP_MS = 250;

async function work(loop: FaultyLoop, minutes: number): Promise<void> {
  for (let ms = 0; ms < minutes * 60_000; ms += STEP_MS) {
    // A screen that always shows the same would be a stall.
    loop.terminal.lines = [`working ${ms}`];
    await loop.pass(STEP_MS);
  }
}

test('BG5 every minute of a loop at work counts, also one in which nothing happens', async () => {
  using loop = new FaultyLoop();
  loop.terminal.startAgent();
  await loop.begin({ agentProcess: AGENT }, RUNNING);
  await work(loop, 3);
  expect(loop.status).toBe('running');
  expect(loop.workedMinutes()).toBeCloseTo(3, 1);
  loop.loops.stop('web');
  await loop.runOut();
  const total = loop.workedMinutes();
  expect(total).toBeGreaterThan(3);
  await loop.pass(60_000);
  expect(loop.workedMinutes()).toBe(total);
});
