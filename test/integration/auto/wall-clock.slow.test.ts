/** A running daemon whose wall clock is set by hours. */
import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { SetClock } from '../../support/drills/set-clock.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const HOUR_MS = 3_600_000;
/** An agent that ignores the stop file, Ctrl-C and the end of its terminal. */
const STUBBORN = "trap '' INT TERM HUP; while :; do sleep 0.1; done";
/** What the clock of the daemon shows before and after, relative to the clock that dates files. */
const JUMPS = [
  ['back', 3 * HOUR_MS, 0],
  ['forward', 0, 3 * HOUR_MS],
] as const;

it.each(JUMPS)('FA14 LP34 signals count after the clock was set %s', async (_, before, after) => {
  await using world = new World();
  const clock = new SetClock(before);
  const { api } = await world.start(clock);
  const directory = await startSilentLoop(world, api, 'web');
  clock.aheadMs = after;
  putSignal(directory, signalText({ iteration: 3 }));
  await until('the signal is published', async () => (await api.loop('web')).iteration === 3);
  putSignal(directory, signalText({ iteration: 20 }));
  await api.event('auto.ended');
  const ended = (await api.events('&types=auto.*')).filter(({ type }) => type !== 'auto.signal');
  expect(ended.map(({ type }) => type)).toEqual([
    'auto.started',
    'auto.stop_requested',
    'auto.stop_escalated',
    'auto.ended',
  ]);
  expect(ended.at(-1)?.data).toMatchObject({ reason: 'max_iterations', iteration: 20 });
});

it.each(JUMPS)('LP34 a stop is enforced when the clock is set %s', async (_, before, after) => {
  await using world = new World();
  const clock = new SetClock(before);
  const { api } = await world.start(clock);
  const directory = await startSilentLoop(world, api, 'web');
  world.writeProgram('claude', STUBBORN);
  await api.send('DELETE', '/api/sessions/web/task-auto');
  await api.event('auto.ended');
  expect((await api.startLoop('web', directory)).status).toBe(201);
  await api.send('DELETE', '/api/sessions/web/task-auto');
  clock.aheadMs = after;
  await until('both loops have ended', async () => {
    return (await api.events('&types=auto.ended')).length === 2;
  });
  expect(agentsIn(directory)).toEqual([]);
  const escalated = (await api.events('&types=auto.stop_escalated')).slice(-2);
  expect(escalated.map(clockWords)).toEqual([
    expect.stringMatching(/^\d{1,3} s after the stop was asked for$/),
    expect.stringMatching(/^\d{1,3} s after the agent was interrupted$/),
  ]);
});

it('FA14 a task whose request failed is retried after its pause when the clock is set back', async () => {
  await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '2000' });
  const clock = new SetClock(3 * HOUR_MS);
  const { api } = await world.start(clock);
  const tasks = new TaskHome(world, api);
  const steps = ['[turn 1] overload', '[turn 2] say The task is complete.'];
  await tasks.create('greet', { description: script(...steps) });
  await tasks.post('greet', 'start');
  await tasks.until('greet', 'PAUSED');
  clock.aheadMs = 0;
  await tasks.until('greet', 'COMPLETED');
});

it('FA14 a task is retried after its pause when the clock was set back while no daemon ran', async () => {
  await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '2000' });
  const clock = new SetClock(3 * HOUR_MS);
  const { api, daemon } = await world.start(clock);
  const tasks = new TaskHome(world, api);
  const steps = ['[turn 1] overload', '[turn 2] say The task is complete.'];
  await tasks.create('greet', { description: script(...steps) });
  await tasks.post('greet', 'start');
  await tasks.until('greet', 'PAUSED');
  await daemon.close();
  clock.aheadMs = 0;
  tasks.api = (await world.start(clock)).api;
  await tasks.until('greet', 'COMPLETED');
});

function clockWords({ data }: EventRecord): string | undefined {
  const evidence = 'evidence' in data ? data.evidence : [];
  return evidence.find(({ witness }) => witness === 'clock')?.lines[0];
}
