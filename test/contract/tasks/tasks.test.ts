/** What can be done to a task, by its status; what lists and the short view report. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import { TASK_ACTIONS, type TaskAction } from '../../../shared/rules/work/task-actions.ts';
import { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { taskIn } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

const ACTIONS = Object.keys(TASK_ACTIONS) as TaskAction[];
const FROM: Record<TaskAction, readonly string[]> = {
  start: ['PENDING'],
  stop: ['RUNNING', 'PAUSED', 'TESTING'],
  resume: ['STOPPED', 'COMPLETED'],
  retry: ['EXHAUSTED'],
  recover: ['FAILED', 'EXHAUSTED', 'STOPPED'],
};
const PROGRESS: Record<TaskStatus, string | null> = {
  PENDING: 'Not started.',
  RUNNING: 'The agent is working on its 1st turn.',
  PAUSED: 'Needs attention.',
  STOPPED: 'Stopped; resume to continue.',
  TESTING: 'Running its tests on the host.',
  COMPLETED: 'Completed.',
  FAILED: 'Failed.',
  EXHAUSTED: null,
};

let world: World;
let home: TaskHome;
const names = new Map<TaskStatus, string>();

beforeAll(async () => {
  world = new World({ LOOPWATCH_TASK_SLOTS: '20' });
  home = new TaskHome(world, (await world.start()).api);
  for (const status of TaskStatus.options) names.set(status, await taskIn(home, status));
});

afterAll(async () => world[Symbol.asyncDispose]());

async function list(query: string): Promise<string[]> {
  const { body } = await home.api.get(`/api/v1/tasks${query}`);
  return (body as unknown as Task[]).map(({ task_name }) => task_name);
}

it.each(ACTIONS)('TW2 %s is refused in every wrong status, and changes nothing', async (action) => {
  const wrong = TaskStatus.options.filter((status) => !FROM[action].includes(status));
  const refusals = [];
  for (const status of wrong) {
    const name = names.get(status) ?? '';
    refusals.push([status, refusal(await home.post(name, action)), (await home.get(name)).status]);
  }
  expect(refusals).toEqual(wrong.map((status) => [status, '400 wrong_task_status', status]));
});

it('TW7 the short view has the status of each task, also as a sentence', async () => {
  const summaries: Record<string, string | null> = {};
  for (const [status, name] of names) {
    const { body } = await home.api.get(`/api/v1/tasks/by-name/${name}/status`);
    const { id, reason, outcome, iterations } = (await home.get(name)) as unknown as typeof body;
    const byId = await home.api.get(`/api/v1/tasks/${String(id)}/status`);
    expect(byId.body).toEqual(body);
    expect(body).toMatchObject({ id, task_name: name, status, reason, outcome, iterations });
    expect(body['waiting_for_input']).toBe(status === 'PAUSED');
    expect(body['process_running']).toBe(status === 'RUNNING');
    expect(typeof body['process_pid']).toBe(status === 'RUNNING' ? 'number' : 'object');
    summaries[status] = body['progress'] as string | null;
  }
  expect(summaries).toEqual(PROGRESS);
});

it('TW7 the short view counts tests and answers, and has the last answer', async () => {
  const view = async (status: TaskStatus) =>
    (await home.api.get(`/api/v1/tasks/by-name/${names.get(status) ?? ''}/status`)).body;
  const answered = {
    interaction_count: 1,
    iterations: 1,
    total_tokens_used: expect.any(Number) as unknown,
  };
  expect(await view('FAILED')).toMatchObject({
    ...answered,
    test_summary: { total: 1, passed: 0, failed: 1, pending: 0 },
    latest_claude_response: 'The implementation is complete.',
    error_message: expect.any(String) as unknown,
  });
  expect((await view('COMPLETED'))['test_summary']).toMatchObject({ total: 1, passed: 1 });
  expect((await view('TESTING'))['test_summary']).toMatchObject({ total: 1, pending: 1 });
  expect(await view('PENDING')).toMatchObject({
    interaction_count: 0,
    latest_claude_response: null,
    summary: null,
    error_message: null,
    test_summary: { total: 0, passed: 0, failed: 0, pending: 0 },
    projects: [{ path: home.repository, access: 'write' }],
  });
  expect((await view('PAUSED'))['wait']).toMatchObject({
    reason: expect.any(String) as unknown,
    until: null,
  });
});

it('TW6 a list takes a status in any case, and refuses what is none', async () => {
  for (const [status, name] of names) {
    expect(await list(`?status=${status}`)).toEqual([name]);
    expect(await list(`?status=${status.toLowerCase()}`)).toEqual([name]);
  }
  expect(await list('?status=FINISHED')).toEqual([]);
  for (const wrong of ['status=DONE', 'sort_by=size', 'sort_order=up', 'limit=0', 'offset=-1']) {
    expect(refusal(await home.api.get(`/api/v1/tasks?${wrong}`))).toBe('400 invalid_query');
  }
});

it('TW6 a list is narrowed, sorted and cut', async () => {
  const all = [...names.values()];
  expect(await list('')).toEqual(all.toReversed());
  expect(await list('?sort_order=asc')).toEqual(all);
  expect(await list('?sort_by=task_name&sort_order=asc')).toEqual(all.toSorted());
  expect(await list('?sort_by=task_name&sort_order=asc&limit=2&offset=1')).toEqual(
    all.toSorted().slice(1, 3),
  );
  expect(await list('?name_filter=PEND')).toEqual(['pending']);
  expect(await list('?name_filter=%25')).toEqual([]);
  expect(await list(`?root_folder=${encodeURIComponent(home.repository)}&limit=3`)).toHaveLength(3);
  expect(await list('?root_folder=/nowhere')).toEqual([]);
  const { body } = await home.api.get('/api/v1/tasks?status=failed');
  expect(body).toMatchObject([{ test_cases: [], interactions: [] }]);
});

it('TW3 a task is found by its id and by its name in any case', async () => {
  const task = await home.get('completed');
  const byId = await home.api.get(`/api/v1/tasks/${task.id}`);
  expect(byId.body).toEqual(task);
  expect(await home.get('COMPLETED')).toEqual(task);
});

/** Last: it changes what the other tests read. */
it('TW2, TW10 each action is taken in each status it is for', async () => {
  const results: unknown[] = [];
  const ask = async (action: TaskAction, status: TaskStatus, prefix = '') => {
    const name = prefix === '' ? names.get(status) : await taskIn(home, status, prefix);
    const { status: code, body } = await home.post(name ?? '', action);
    // Queued for as long as the processes of its last turn take to end.
    const begun = body['status'] === 'queued' ? 'running' : body['status'];
    results.push([action, status, code, begun, body['process_killed']]);
    expect(body['message']).toEqual(expect.any(String) as unknown);
  };
  for (const action of ACTIONS) {
    for (const status of FROM[action] as TaskStatus[]) {
      await ask(action, status, action === 'recover' ? 'another-' : '');
    }
  }
  expect(results).toEqual([
    ['start', 'PENDING', 200, 'running', undefined],
    ['stop', 'RUNNING', 200, 'stopped', true],
    ['stop', 'PAUSED', 200, 'stopped', false],
    ['stop', 'TESTING', 200, 'stopped', false],
    ['resume', 'STOPPED', 200, 'running', undefined],
    ['resume', 'COMPLETED', 200, 'running', undefined],
    ['retry', 'EXHAUSTED', 200, 'running', undefined],
    ...['FAILED', 'EXHAUSTED', 'STOPPED'].map((from) => [
      'recover',
      from,
      200,
      'running',
      undefined,
    ]),
  ]);
});
