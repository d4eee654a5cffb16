/**
 * The record of a conversation over REST: its pages, tools joined with results, corrections; and
 * changes of a task.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Conversation, Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE, taskIn } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

const TOOLS = Array.from({ length: 6 }, (_, number) => [
  `say Step ${number}.`,
  `tool Read {"file":"a${number}"}`,
  `tool Bash {"command":"b${number}"}`,
]);

let world: World;
let home: TaskHome;

beforeAll(async () => {
  world = new World();
  home = new TaskHome(world, (await world.start()).api);
  await home.run('talk', [...TOOLS.flat(), DONE]);
  await home.until('talk', 'COMPLETED');
});

afterAll(async () => world[Symbol.asyncDispose]());

async function page(query: string, name = 'talk'): Promise<Conversation> {
  const path = `/api/v1/tasks/by-name/${name}/interactions${query}`;
  return (await home.api.get(path)).body as unknown as Conversation;
}

const idsOf = ({ conversation }: Conversation) => conversation.map(({ id }) => Number(id));

it.each([1, 3, 7, 1000])(
  'TW12 pages of %d contain each interaction once, in both directions',
  async (limit) => {
    const all = await page('?collapse_tools=false&limit=1000');
    const ids = idsOf(all);
    expect([all.total, all.next, all.previous]).toEqual([ids.length, null, null]);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const size = `collapse_tools=false&limit=${limit}`;
    const forwards: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const next: Conversation = await page(`?${size}&after=${after}`);
      forwards.push(...idsOf(next));
      after = next.next;
    }
    const backwards: number[] = [];
    let earlier: Conversation = await page(`?${size}`);
    for (;;) {
      backwards.unshift(...idsOf(earlier));
      if (earlier.previous === null) break;
      earlier = await page(`?${size}&before=${earlier.previous}`);
    }
    expect({ forwards, backwards }).toEqual({ forwards: ids, backwards: ids });
  },
);

it('TW12 a page in the middle has cursors in both directions', async () => {
  const ids = idsOf(await page('?collapse_tools=false&limit=1000'));
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  const read = await page(`?collapse_tools=false&after=${first}&limit=2`);
  expect(idsOf(read)).toEqual([second, third]);
  expect([read.previous, read.next]).toEqual([second, third]);
  const before = await page(`?collapse_tools=false&before=${fourth}&limit=2`);
  expect(idsOf(before)).toEqual([second, third]);
  expect([before.previous, before.next]).toEqual([second, third]);
  for (const wrong of ['after=x', 'before=0', 'limit=0', 'limit=1001', 'collapse_tools=maybe']) {
    expect(refusal(await home.api.get(`/api/v1/tasks/by-name/talk/interactions?${wrong}`))).toBe(
      '400 invalid_query',
    );
  }
});

it('TW13 consecutive tool calls and their results are shown as one group', async () => {
  const single = await page('?collapse_tools=false');
  const grouped = await page('');
  const groups = grouped.conversation.filter((each) => each.type === 'tool_group');
  expect(groups).toHaveLength(6);
  const [group] = groups;
  const [first] = group?.tools ?? [];
  expect(group).toMatchObject({
    id: `tool_group_${first?.id ?? 0}`,
    tool_count: 2,
    summary: 'Read, Bash',
    first_timestamp: first?.timestamp,
    last_timestamp: group?.tools.at(-1)?.timestamp,
  });
  expect(group?.tools.map(({ type, tool }) => [type, tool])).toEqual(
    ['Read', 'Bash'].flatMap((tool) => [
      ['claude_response', tool],
      ['tool_result', tool],
    ]),
  );
  const flat = grouped.conversation.flatMap((each): Interaction[] =>
    each.type === 'tool_group' ? each.tools : [each],
  );
  expect(flat).toEqual(single.conversation);
});

it('TW14 only what a person wrote can be corrected in the record', async () => {
  await home.create('said', { max_iterations: 1 });
  await home.say('said', 'Use English\nstand-in: say One step is done.');
  await home.post('said', 'start');
  await home.until('said', 'EXHAUSTED');
  const { conversation } = await home.conversation('said');
  const of = (type: string) => conversation.find((each) => each.type === type)?.id ?? 0;
  const put = async (id: unknown, body: object) =>
    home.api.send('PUT', `/api/v1/interactions/${String(id)}`, body);
  const mine = of('user_request');
  expect(await put(mine, { content: 'Use German' })).toMatchObject({
    status: 200,
    body: { interaction: { id: mine, type: 'user_request', content: 'Use German' } },
  });
  const after = (await home.conversation('said')).conversation.find(({ id }) => id === mine);
  expect(after).toMatchObject({ content: 'Use German', length: 10, author: 'admin' });
  expect({
    answer: refusal(await put(of('claude_response'), { content: 'x' })),
    own: refusal(await put(of('simulated_human'), { content: 'x' })),
    unknown: refusal(await put(999_999, { content: 'x' })),
    none: refusal(await put('x', { content: 'x' })),
    empty: refusal(await put(mine, { content: '' })),
    without: refusal(await put(mine, {})),
  }).toEqual({
    answer: '400 not_editable',
    own: '400 not_editable',
    unknown: '404 interaction_unknown',
    none: '404 interaction_unknown',
    empty: '400 invalid_body',
    without: '400 invalid_body',
  });
  await home.say('said', 'Go on\nstand-in: hang');
  await home.post('said', 'retry');
  await home.until('said', 'RUNNING');
  expect(refusal(await put(mine, { content: 'x' }))).toBe('400 wrong_task_status');
  await home.post('said', 'stop');
  expect((await put(mine, { content: 'x' })).status).toBe(200);
});

it('TW20, TW39 a change keeps what is left out, and an empty description', async () => {
  await home.create('plan', { end_criteria: 'it greets', max_tokens: 500 });
  const put = async (body: object) => home.api.send('PUT', '/api/v1/tasks/by-name/plan', body);
  const { status, body } = await put({
    description: '',
    priority: 5,
    depends_on: ['talk'],
    project_context: 'Be short.',
    end_criteria_config: { max_tokens: null, max_iterations: 3 },
  });
  expect([status, body]).toMatchObject([
    200,
    {
      description: 'Greet by name.',
      priority: 5,
      depends_on: ['talk'],
      project_context: 'Be short.',
      test_cases: [],
      interactions: [],
      end_criteria_config: { criteria: 'it greets', max_iterations: 3, max_tokens: null },
    },
  ]);
  expect((await put({ branch_name: 'mine' })).body).toMatchObject({ branch_name: 'mine' });
  expect({
    unknown: refusal(await put({ name: 'x' })),
    itself: refusal(await put({ depends_on: ['plan'] })),
    missing: refusal(await put({ depends_on: ['nobody'] })),
    outside: refusal(await put({ root_folder: '/etc' })),
    base: refusal(await put({ base_branch: 'nowhere' })),
  }).toEqual({
    unknown: '400 invalid_body',
    itself: '400 dependency_cycle',
    missing: '400 dependency_unknown',
    outside: '400 outside_roots',
    base: '400 branch_missing',
  });
  const task = await home.get('plan');
  expect(task).toMatchObject({ base_branch: 'main', branch_name: 'mine' });
  expect(task.worktree_path).toMatch(/plan$/);
});

it('TW39 the place where a task works cannot be changed once it has begun', async () => {
  const name = await taskIn(home, 'STOPPED', 'begun-');
  const path = `/api/v1/tasks/by-name/${name}`;
  for (const change of [{ branch_name: 'x' }, { base_branch: 'main' }, { projects: [] }]) {
    expect(refusal(await home.api.send('PUT', path, change))).toBe('400 wrong_task_status');
  }
  expect((await home.api.send('PUT', path, { description: 'Greet' })).status).toBe(200);
});

it('TW19 a viewer reads all of a task and changes nothing', async () => {
  const { api } = await join(home.api, 'Vera', 'viewer');
  const base = '/api/v1/tasks/by-name/talk';
  for (const path of ['', '/status', '/user-input/status', '/interactions', '/worktree', '/diff']) {
    expect((await api.get(base + path)).status).toBe(200);
  }
  for (const path of ['/api/v1/tasks', '/api/v1/prompts', '/health']) {
    expect((await api.get(path)).status).toBe(200);
  }
  const writes: [string, string][] = [
    ...['start', 'stop', 'resume', 'retry', 'recover', 'clone', 'clear-and-restart'].map(
      (action): [string, string] => ['POST', `${base}/${action}`],
    ),
    ['POST', `${base}/user-input`],
    ['PUT', base],
    ['DELETE', base],
    ['DELETE', `${base}/worktree`],
    ['POST', '/api/v1/tasks'],
    ['POST', '/api/v1/tasks/batch-delete'],
    ['POST', '/api/v1/prompts'],
    ['GET', '/api/v1/browse-directories'],
    ['PUT', '/api/v1/interactions/1'],
  ];
  for (const [method, path] of writes) {
    expect([path, refusal(await api.send(method, path))]).toEqual([path, '403 role_too_low']);
  }
});
