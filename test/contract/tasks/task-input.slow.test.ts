/** Input of people to tasks over REST: delivered once, in order, before anything automatic. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { atWork } from '../../support/tasks/task-examples.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE, taskIn } from '../../support/tasks/task-states.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const PNG = { base64: 'iVBORw0KGgo=', media_type: 'image/png' };
/** Status, further fields of the request, and the answer. */
const PROCESSING: [TaskStatus, object, string, boolean][] = [
  ['PENDING', {}, 'QUEUED_FOR_EXECUTOR', false],
  ['RUNNING', {}, 'QUEUED_FOR_EXECUTOR', true],
  ['RUNNING', { interrupt: true }, 'REAL_TIME_INTERRUPT', true],
  ['PAUSED', {}, 'EXECUTOR_RESTART', true],
  ['STOPPED', {}, 'QUEUED_FOR_EXECUTOR', false],
  ['TESTING', {}, 'QUEUED_FOR_EXECUTOR', true],
  ['COMPLETED', {}, 'QUEUED_FOR_EXECUTOR', false],
  ['FAILED', {}, 'QUEUED_FOR_EXECUTOR', false],
  ['EXHAUSTED', {}, 'QUEUED_FOR_EXECUTOR', false],
  ['STOPPED', { resume: true }, 'EXECUTOR_RESTART', true],
  ['COMPLETED', { resume: true }, 'EXECUTOR_RESTART', true],
  ['FAILED', { resume: true }, 'QUEUED_FOR_EXECUTOR', false],
];

let world: World;
let home: TaskHome;

beforeAll(async () => {
  world = new World({ LOOPWATCH_TASK_SLOTS: '20' });
  home = new TaskHome(world, (await world.start()).api);
});

afterAll(async () => world[Symbol.asyncDispose]());

/** The inputs that the agent received, in order. */
async function heard(name: string): Promise<string[]> {
  const { conversation } = await home.conversation(name);
  return conversation.flatMap((each) => (each.type === 'user_request' ? [each.content] : []));
}

it.each(PROCESSING)(
  'TW15 an input for a task that is %s, with %j, gets the answer %s',
  async (status, more, processing_type, guaranteed) => {
    const name = await taskIn(home, status, `to${Object.keys(more).join('')}-`);
    const words = `${'Use English. '.repeat(10)}\nstand-in: hang`;
    const answer = await home.say(name, words, more);
    const immediate = processing_type !== 'QUEUED_FOR_EXECUTOR';
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      task_name: name,
      input_preview: words.slice(0, 100),
      queue_priority: 'HIGH',
      processing_type,
      immediate_processing: immediate,
      guaranteed_processing: guaranteed,
      task_executor_restarted: processing_type === 'EXECUTOR_RESTART',
      message: expect.any(String) as unknown,
      id: expect.any(String) as unknown,
    });
    const state = immediate ? 'delivered' : 'queued';
    const kept = await until(`the words are ${state}`, async () => {
      const { queue_preview } = await home.inputs(name);
      return queue_preview.find((input) => input.state === state);
    });
    expect(kept).toMatchObject({
      id: answer.body['id'],
      input_preview: words.slice(0, 50),
      processed: immediate,
      interrupt: 'interrupt' in more,
      images: 0,
      author: 'admin',
    });
    if (!immediate) expect((await home.get(name)).user_input_pending).toBe(true);
    await home.api.send('DELETE', `/api/v1/tasks/by-name/${name}`);
  },
);

it('TW15 an input that cannot resume its task stays queued, and the answer says why', async () => {
  const place = { use_worktree: false, test_commands: [] };
  await home.run('first', ['say Done.'], place);
  await home.until('first', 'COMPLETED');
  await home.run('second', ['hang'], place);
  await home.until('second', 'RUNNING');
  const { body } = await home.say('first', 'Handle an empty name.', { resume: true });
  expect(body).toMatchObject({
    processing_type: 'QUEUED_FOR_EXECUTOR',
    guaranteed_processing: false,
    message: expect.stringMatching(/^queued; the task did not resume: .*second/) as unknown,
  });
  expect(await home.inputs('first')).toMatchObject({ pending_inputs: 1 });
  expect((await home.get('first')).status).toBe('COMPLETED');
});

it('TW32 the same input within 30 s is queued once, as long as it waits', async () => {
  await home.create('doubled');
  const first = await home.say('doubled', 'Use English');
  const second = await home.say('doubled', 'Use English');
  expect(first.body['blocked_reason']).toBeUndefined();
  expect(second).toMatchObject({ status: 200, body: { id: null, blocked_reason: 'duplicate' } });
  await home.say('doubled', 'Use German');
  expect(await home.inputs('doubled')).toMatchObject({ total_inputs: 2, pending_inputs: 2 });
  const taken = await home.api.send(
    'DELETE',
    `/api/v1/tasks/by-name/doubled/user-input/${String(first.body['id'])}`,
  );
  expect(taken.status).toBe(200);
  expect((await home.say('doubled', 'Use English')).body['blocked_reason']).toBeUndefined();
});

it('TW32 the same input is queued again after 30 s, though the first one still waits', async () => {
  await using other = new World();
  const clock = new ManualClock();
  const late = new TaskHome(other, (await other.start(clock)).api);
  await late.create('late');
  const reasons = [];
  for (const wait of [0, 29_999, 1]) {
    clock.advance(wait);
    reasons.push((await late.say('late', 'Use English')).body['blocked_reason']);
  }
  expect(reasons).toEqual([undefined, 'duplicate', undefined]);
});

it('TW16 when many people write at once nothing is lost, and each input is delivered once and in order', async () => {
  await home.run('crowded', ['wait 1500', 'say One step is done.'], { max_iterations: 40 });
  await atWork(home, 'crowded');
  const words = Array.from({ length: 12 }, (_, number) => `Word ${number}`);
  const said = await Promise.all(words.map(async (text) => home.say('crowded', text)));
  expect(said.map(({ status }) => status)).toEqual(words.map(() => 200));
  const ids = said.map(({ body }) => body['id']);
  expect(new Set(ids).size).toBe(words.length);
  await until('all was heard', async () => (await heard('crowded')).length === words.length);
  const events = (await home.api.events('&types=task.input_queued')).filter(
    ({ data }) => 'task' in data && data.task === 'crowded',
  );
  const order = events.map(({ data }) => (data as { preview: string }).preview);
  expect([...order].sort()).toEqual([...words].sort());
  expect(await heard('crowded')).toEqual(order);
  const queue = await home.inputs('crowded');
  expect(queue).toMatchObject({ total_inputs: 12, processed_inputs: 12, has_pending: false });
  expect(queue.queue_preview.map(({ input_preview }) => input_preview)).toEqual(order.slice(-5));
});

it('TW33 a queued input can be cancelled, once, and only from its own task', async () => {
  for (const name of ['patient', 'other']) await home.create(name);
  const { body } = await home.say('patient', 'Use English');
  const at = (task: string, id = body['id']) =>
    `/api/v1/tasks/by-name/${task}/user-input/${String(id)}`;
  expect(refusal(await home.api.send('DELETE', at('other')))).toBe('404 input_unknown');
  expect(refusal(await home.api.send('DELETE', at('patient', 'nothing')))).toBe(
    '404 input_unknown',
  );
  expect((await home.api.send('DELETE', at('patient'))).status).toBe(200);
  expect(refusal(await home.api.send('DELETE', at('patient')))).toBe('409 input_not_held');
  expect((await home.inputs('patient')).queue_preview).toMatchObject([
    { state: 'cancelled', processed: true, processed_at: expect.any(String) as unknown },
  ]);
  await home.api.send('PUT', '/api/v1/tasks/by-name/patient', {
    description: `Greet.\nstand-in: ${DONE}`,
  });
  await home.post('patient', 'start');
  await home.until('patient', 'COMPLETED');
  expect(await heard('patient')).toEqual([]);
});

it('TW34 images go with an input, within their limits', async () => {
  await home.create('painter');
  const say = async (images: unknown) => home.say('painter', 'Look', { images });
  expect((await say([PNG, PNG])).status).toBe(200);
  expect((await home.inputs('painter')).queue_preview).toMatchObject([{ images: 2 }]);
  const refusals = [];
  for (const images of [
    Array.from({ length: 6 }, () => PNG),
    [{ ...PNG, media_type: 'image/svg+xml' }],
    [{ ...PNG, base64: 'no base64!' }],
    [{ ...PNG, base64: '' }],
    [{ ...PNG, base64: 'A'.repeat(2_000_004) }],
    [{ ...PNG, url: 'x' }],
  ]) {
    refusals.push(refusal(await say(images)));
  }
  expect(refusals).toEqual(refusals.map(() => '400 invalid_body'));
  const { url, token } = home.api;
  const large = JSON.stringify({ input: 'Look', images: [{ ...PNG, base64: 'A'.repeat(12e6) }] });
  const answer = await sendRaw(url, {
    method: 'POST',
    target: '/api/v1/tasks/by-name/painter/user-input',
    headers: [
      ['Host', new URL(url).host],
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(large.length)],
      ['Connection', 'close'],
    ],
    body: large,
  });
  expect(refusal(answer)).toBe('413 payload_too_large');
});

it.each([
  ['nothing', {}],
  ['an empty text', { input: '' }],
  ['blanks alone', { input: '  \n' }],
  ['a NUL', { input: 'a\0b' }],
  ['30,001 characters', { input: 'x'.repeat(30_001) }],
  ['a number', { input: 5 }],
  ['an unknown key', { input: 'x', priority: 1 }],
])('TW34 %s is not accepted as input', async (_, body) => {
  await home.create('strict').catch(() => undefined);
  expect(refusal(await home.post('strict', 'user-input', body))).toBe('400 invalid_body');
  expect((await home.inputs('strict')).total_inputs).toBe(0);
});

it('TW5 the older paths give the same answers', async () => {
  await home.create('older');
  const set = await home.post('older', 'set-input', { input: 'Use English' });
  expect(set).toMatchObject({ status: 200, body: { processing_type: 'QUEUED_FOR_EXECUTOR' } });
  for (const [old, now] of [
    ['input-queue-status', 'user-input/status'],
    ['conversation', 'interactions'],
    ['conversation?collapse_tools=false&limit=1', 'interactions?collapse_tools=false&limit=1'],
  ]) {
    const [one, other] = [old, now].map((last) => `/api/v1/tasks/by-name/older/${last ?? ''}`);
    expect(await home.api.get(one ?? '')).toEqual(await home.api.get(other ?? ''));
  }
  const wrong = await home.api.send('GET', '/api/v1/tasks/by-name/older/set-input');
  expect(refusal(wrong)).toBe('405 method_not_allowed');
});
