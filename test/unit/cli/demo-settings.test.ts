import { expect, it } from 'vitest';
import { demoScenario } from '../../../server/demo/demo-scenario.ts';
import { loopSettings } from '../../../server/auto/loop-settings.ts';
import { readConfig } from '../../../server/lib/config/config.ts';

const CONFIG = readConfig({ HOME: '/home/you' });

it('SD2 loops of real agents follow the settings alone, at any pace of the demo', () => {
  for (const pace of [1, 0.01]) {
    const { claude } = loopSettings(CONFIG, pace);
    expect(claude).toEqual({
      usualPermissions: 'edit',
      recovery: 'safe',
      signalProfile: 'core',
      policy: { ...CONFIG, stopCheck: 'report', noProgressSignals: 5 },
      checksAll: true,
      signalPollMs: 2_000,
      heartbeatMs: 60_000,
      startTimeoutMs: 10_000,
    });
  }
});

it('SD1, SD2 the demo takes about two minutes: what it plays and what it waits for', () => {
  const { policy } = loopSettings(CONFIG, 1)['stand-in'];
  const playedMs = demoScenario(1).steps.map((step) => {
    if (step.do === 'step') return step.work_ms ?? 0;
    if (step.do === 'limit') return step.ms;
    return step.do === 'ask' ? (step.default_ms ?? Infinity) : 0;
  });
  const waitedMs =
    (policy.stallCaptures + 1) * policy.heartbeatMs +
    (policy.restartDelaysMs[0] ?? 0) +
    2 * policy.idleConfirmMs;
  const wholeMs = playedMs.reduce((sum, ms) => sum + ms, waitedMs);
  expect(wholeMs).toBeGreaterThan(90_000);
  expect(wholeMs).toBeLessThan(130_000);
});

it('SD1 the pace scales the whole demo, and nothing else', () => {
  const json = (pace: number) =>
    JSON.stringify(demoScenario(pace), (key, value: unknown) =>
      /ms$/.test(key) && typeof value === 'number' ? value / pace : value,
    );
  expect(json(0.1)).toBe(json(1));
});
