/** Tasks whose context fills up: a real daemon, real git, the stand-in as the agent. */
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function contextEvents(api: ApiClient) {
  const events = await api.events('&types=task.context');
  return events.map(({ data }) => data);
}

/** It fills its context in two turns, and is done in the conversation that takes over. */
const FILLING = [
  'turn 1 write greeting.txt Hello',
  'turn 1 commit Greet',
  'turn 1 context 72',
  'turn 1 say I wrote the greeting.',
  'turn 2 write name.txt Ada',
  'turn 2 context 90',
  'turn 2 say I wrote the name; there is more to do.',
  'in handover turn 1 context 10',
  'in handover turn 1 say The implementation is complete.',
];
const DECIDED = [
  { task: 'greet', step: 'compact', percent: 72 },
  { task: 'greet', step: 'fresh', percent: 90 },
];

/** Ids of the conversations that were continued, in order; null where one began. */
function continued(world: World): (string | null)[] {
  return standInCalls(world).map(({ argv }) => (argv[0] === '-r' ? (argv[1] ?? '') : null));
}

it('CX3, CX4, CX8, CX10 a task that fills its context is compacted, and done in a second conversation', async () => {
  await using world = new World();
  const tasks = new TaskHome(world, (await world.start()).api);
  await tasks.run('greet', FILLING);
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({
    iterations: 3,
    model: 'stand-in',
    context_percent: 10,
  });
  expect(await contextEvents(tasks.api)).toEqual(DECIDED);
  const [first, ...rest] = continued(world);
  expect([first, rest[0], rest[1], rest[2]]).toEqual([null, rest[0], rest[0], null]);
  const [, compaction, , opening] = standInCalls(world).map(({ message }) => message);
  expect(compaction).toBe('/compact');
  expect(opening).toContain('In project, since `main`: 1 commit, and work that is not committed.');
  expect(opening).toContain('> added greeting.txt (+1 -0)\n> added name.txt (+1 -0)');
  expect(opening).toContain('> I wrote the name; there is more to do.');
  expect(opening).toContain('## The answer to your last message');
});

it('CX4 where a compaction gains nothing, a new conversation takes over at once', async () => {
  await using world = new World();
  const tasks = new TaskHome(world, (await world.start()).api);
  const steps = FILLING.filter((step) => !step.includes('commit'));
  await tasks.run('greet', ['compact-fails', ...steps]);
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 2 });
  expect(await contextEvents(tasks.api)).toEqual([{ task: 'greet', step: 'fresh', percent: 72 }]);
  expect(standInCalls(world)).toHaveLength(3);
});

it('CX1 with 0 nothing is done', async () => {
  await using world = new World({
    LOOPWATCH_COMPACT_AT_PERCENT: '0',
    LOOPWATCH_FRESH_AT_PERCENT: '0',
  });
  const tasks = new TaskHome(world, (await world.start()).api);
  await tasks.run('greet', [...FILLING, 'turn 3 say The implementation is complete.']);
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 3 });
  expect([await contextEvents(tasks.api), standInCalls(world).length]).toEqual([[], 3]);
});

it('CX7 a daemon killed where it has decided repeats neither the decision nor a message', async () => {
  await using world = new World();
  const first = await world.spawn();
  const tasks = new TaskHome(world, first.api);
  await tasks.run('greet', FILLING);
  await until('a new conversation was decided', async () => {
    return (await contextEvents(tasks.api)).length === DECIDED.length;
  });
  await first.kill();
  tasks.api = (await world.spawn()).api;
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ iterations: 3 });
  expect(await contextEvents(tasks.api)).toEqual(DECIDED);
  expect(standInCalls(world)).toHaveLength(4);
});
