/** The stream of one task: its content, that it resumes without a gap, and that it ends. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { atWork } from '../../support/tasks/task-examples.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE, STEP, taskIn } from '../../support/tasks/task-states.ts';
import { TaskStream } from '../../support/tasks/task-stream.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const STEPS = Array.from({ length: 15 }, (_, n) => [
  `say Step ${n}.`,
  `tool Bash {"command":"${n}"}`,
]);
const ENDS: [TaskStatus, string[], object][] = [
  ['COMPLETED', ['wait 300', 'write a.txt a', DONE], { test_commands: ['true'] }],
  ['FAILED', ['wait 300', 'write a.txt a', DONE], { test_commands: ['false'] }],
  ['EXHAUSTED', ['wait 300', STEP], { max_iterations: 1 }],
  ['STOPPED', ['hang'], {}],
];

let world: World;
let home: TaskHome;

beforeAll(async () => {
  world = new World({ LOOPWATCH_TASK_SLOTS: '20' });
  home = new TaskHome(world, (await world.start()).api);
});

afterAll(async () => world[Symbol.asyncDispose]());

type Data = Record<string, unknown>;
const isStatus = (data: Data | null) => data?.['type'] === 'status';
const statusIs =
  (status: TaskStatus) =>
  ({ data }: { data: Data | null }) =>
    isStatus(data) && data?.['status'] === status;

/** Ids of interactions as the log has them, in order; one is repeated with the usage of its turn. */
async function logged(name: string): Promise<number[]> {
  const events = await home.api.events('&types=task.interaction');
  return events.flatMap(({ data }) => {
    const { task, id } = data as { task: string; id: number };
    return task === name ? [id] : [];
  });
}

const spoken = (frames: Data[]) => frames.filter((data) => !isStatus(data)).map(({ id }) => id);

it('TW21 a frame is an interaction or a status, and has an id to resume from', async () => {
  await home.create('framed', { description: `Greet.\nstand-in: ${DONE}` });
  const stream = await TaskStream.open(home.api, 'framed');
  const first = await stream.until(({ data }) => data !== null);
  expect(first.data).toEqual({
    type: 'status',
    status: 'PENDING',
    reason: null,
    total_interactions: 0,
  });
  await home.post('framed', 'start');
  const received = await stream.toEnd();
  const { conversation, total } = await home.conversation('framed');
  expect(spoken(received)).toEqual(await logged('framed'));
  const last = conversation.at(-1);
  expect(received.findLast((data) => data['id'] === last?.id)).toEqual(last);
  expect(received.at(-1)).toEqual({
    type: 'status',
    status: 'COMPLETED',
    reason: 'claimed_done',
    total_interactions: total,
  });
  const ids = stream.frames.filter(({ data }) => data !== null && !isStatus(data));
  expect(ids.every(({ id }) => /^[^:]+:\d+$/.test(id ?? ''))).toBe(true);
});

it.each(ENDS)('TW22 the stream ends when the task is %s', async (status, steps, more) => {
  const name = `ends-${status.toLowerCase()}`;
  await home.run(name, steps, more);
  const stream = await TaskStream.open(home.api, name);
  if (status === 'STOPPED') {
    await atWork(home, name);
    await home.post(name, 'stop');
  }
  const received = await stream.toEnd();
  expect(received.at(-1)).toMatchObject({ type: 'status', status });
  await home.until(name, status);

  // Already over: from the beginning the stream sends all of it, from the end only the present state.
  const again = await TaskStream.open(home.api, name);
  expect(await again.toEnd()).toEqual([received.at(-1)]);
  const whole = await TaskStream.open(home.api, name, '0');
  const all = await whole.toEnd();
  expect(spoken(all)).toEqual(await logged(name));
  expect(all.findIndex((data) => statusIs(status)({ data }))).toBeGreaterThan(
    all.findLastIndex((data) => !isStatus(data)),
  );
  const rest = await TaskStream.open(home.api, name, whole.at);
  expect(await rest.toEnd()).toEqual([received.at(-1)]);
  const foreign = await TaskStream.open(home.api, name, 'anotherlife:5');
  const reset = await foreign.toEnd();
  expect(foreign.frames.some(({ event }) => event === 'reset')).toBe(true);
  expect(reset.at(-1)).toEqual(received.at(-1));
});

it('TW22 the stream of a task that is removed ends, and there is none afterwards', async () => {
  await home.create('removed');
  const stream = await TaskStream.open(home.api, 'removed');
  await stream.until(({ data }) => data !== null);
  await home.api.send('DELETE', '/api/v1/tasks/by-name/removed');
  expect((await stream.toEnd()).every(isStatus)).toBe(true);
  expect(refusal(await home.api.get('/api/v1/tasks/by-name/removed/stream'))).toBe(
    '404 task_unknown',
  );
});

it.each([1, 2, 5])(
  'TW23 a reader that is cut after every %d frames loses nothing and gets nothing twice',
  async (frames) => {
    const name = `cut-${frames}`;
    await home.run(name, [...STEPS.flatMap((step) => [...step, 'wait 20']), DONE]);
    const received: Data[] = [];
    const ids: string[] = [];
    let at: string | null = '0';
    let connections = 0;
    for (let over = false; !over; connections += 1) {
      const stream: TaskStream = await TaskStream.open(home.api, name, at);
      for (let taken = 0; taken < frames && !over;) {
        const frame = await stream.next();
        over = frame === null;
        // Only a frame with an id advances a reader.
        if (frame?.id == null) continue;
        taken += 1;
        ids.push(frame.id);
        if (frame.data !== null) received.push(frame.data);
      }
      at = stream.at;
      stream.close();
    }
    expect(connections).toBeGreaterThan(10 / frames);
    expect(spoken(received)).toEqual(await logged(name));
    const seqs = ids.map((id) => Number(id.split(':')[1]));
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  },
);

it('TW24 a stream contains only its own task', async () => {
  const mark = '"data":{"task":"mine","id":1,"type":"claude_response"';
  await home.create('mine', { description: `Greet.\nstand-in: ${DONE}` });
  await home.run('mine-too', [`say ${mark}`, DONE]);
  await home.run('liar', [`say ${mark}`, `tool Bash {"data":{"task":"mine","id":1}}`, DONE]);
  for (const name of ['mine-too', 'liar']) await home.until(name, 'COMPLETED');
  const quiet = await TaskStream.open(home.api, 'mine', '0');
  await home.post('mine', 'start');
  const received = await quiet.toEnd();
  expect(spoken(received)).toEqual(await logged('mine'));
  const own = (await home.conversation('mine')).conversation.map(({ id }) => id);
  expect(new Set(spoken(received))).toEqual(new Set(own));
});

it('TW25 a quiet stream sends a keep-alive every 20 s', async () => {
  await using other = new World();
  const clock = new ManualClock();
  const { api } = await other.start(clock);
  const quiet = new TaskHome(other, api);
  await quiet.create('quiet');
  const stream = await TaskStream.open(api, 'quiet');
  await stream.until(({ data }) => data !== null);
  let elapsed = 0;
  const sign = stream.until(({ comment }) => comment);
  const received = until('a sign of life', () => {
    elapsed += 1_000;
    clock.advance(1_000);
    return stream.frames.some(({ comment }) => comment);
  });
  await Promise.all([sign, received]);
  expect(elapsed).toBeGreaterThanOrEqual(20_000);
  stream.close();
});

it('TW21 a task that pauses and continues stays in one stream', async () => {
  const name = await taskIn(home, 'PAUSED', 'asks-');
  const stream = await TaskStream.open(home.api, name);
  await stream.until(statusIs('PAUSED'));
  await home.say(name, `Use none.\nstand-in: ${DONE}`);
  const received = await stream.toEnd();
  const statuses = received.filter(isStatus).map(({ status }) => status);
  expect([...new Set(statuses)]).toEqual(['PAUSED', 'RUNNING', 'TESTING', 'COMPLETED']);
});
