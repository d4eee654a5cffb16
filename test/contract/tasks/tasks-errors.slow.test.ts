/** Impossible tasks: what is refused, with which message, and that nothing is left behind. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API } from '../../../shared/endpoints/api.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import { git } from '../../support/git/git-repository.ts';
import { sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

const PLAIN = { use_worktree: false };
const GATES = [{ name: 'lint', command: 'true' }];

let world: World;
let home: TaskHome;

beforeAll(async () => {
  world = new World();
  home = new TaskHome(world, (await world.start()).api);
  git(home.repository, 'branch', 'feature');
  await home.create('taken', { branch_name: 'mine' });
  await home.create('bare', { ...PLAIN, root_folder: world.taskDir('bare') });
  await home.create('waits', { depends_on: ['taken'] });
});

afterAll(async () => world[Symbol.asyncDispose]());

async function create(body: object): Promise<string> {
  const base = { task_name: 'new', description: 'Greet', root_folder: home.repository };
  return refusal(await home.api.send('POST', '/api/v1/tasks', { ...base, ...body }));
}

const REFUSED: [what: string, body: (home: TaskHome) => object, code: string][] = [
  ['a name that is taken', () => ({ task_name: 'taken' }), 'task_exists'],
  ['a name that is taken in another case', () => ({ task_name: 'TAKEN' }), 'task_exists'],
  ['a branch of another task', () => ({ branch_name: 'mine' }), 'branch_in_use'],
  ['the branch the project is on', () => ({ branch_name: 'main' }), 'branch_in_use'],
  ['a branch below another one', () => ({ branch_name: 'feature/x' }), 'branch_in_use'],
  ['a base that is missing', () => ({ base_branch: 'nowhere' }), 'branch_missing'],
  [
    'the directory of another task, both without worktrees',
    () => ({ ...PLAIN, root_folder: world.taskDir('bare') }),
    'project_busy',
  ],
  ['gates without a worktree', () => ({ ...PLAIN, gates: GATES }), 'worktree_needed'],
  [
    'several projects without worktrees',
    ({ repository }) => ({
      ...PLAIN,
      projects: [{ path: repository }, { path: world.taskDir('second') }],
    }),
    'worktree_needed',
  ],
  [
    'a project that is missing',
    ({ repository }) => ({ root_folder: join(dirname(repository), 'gone') }),
    'project_missing',
  ],
  ['a project outside the roots', () => ({ root_folder: '/etc' }), 'outside_roots'],
  [
    'a link that leads out of the roots',
    ({ repository }) => {
      const link = join(dirname(repository), 'link');
      symlinkSync('/etc', link);
      return { root_folder: link };
    },
    'outside_roots',
  ],
  [
    'a second project that is no repository',
    ({ repository }) => {
      const plain = world.taskDir('plain');
      return { projects: [{ path: repository }, { path: plain }] };
    },
    'not_a_repository',
  ],
  ['a dependency that is unknown', () => ({ depends_on: ['nobody'] }), 'dependency_unknown'],
  ['itself as a dependency', () => ({ depends_on: ['new'] }), 'dependency_cycle'],
];

it.each(REFUSED)('TW27 %s is refused, and leaves nothing', async (_, body, code) => {
  const state = async () => ({
    tasks: (await home.api.get('/api/v1/tasks')).body,
    branches: git(home.repository, 'branch', '--list'),
    worktrees: git(home.repository, 'worktree', 'list'),
  });
  const before = await state();
  expect(await create(body(home))).toBe(`400 ${code}`);
  expect(await state()).toEqual(before);
});

it('WT24 a bare repository, a git directory and a damaged one are refused for tasks and runs', async () => {
  const bare = world.taskDir('store.git');
  git(bare, 'init', '-q', '--bare');
  const plain = world.taskDir('soon-broken');
  const movable = { ...PLAIN, root_folder: plain };
  await home.create('movable', movable);
  const broken = world.taskDir('broken');
  git(broken, 'init', '-q');
  writeFileSync(join(broken, '.git/HEAD'), 'garbage');
  const refused = '400 not_a_repository';
  for (const root_folder of [bare, join(bare, 'hooks'), join(home.repository, '.git'), broken]) {
    const run = { prompt: 'Greet', cwd: root_folder };
    expect([
      await create({ root_folder }),
      await create({
        ...PLAIN,
        projects: [{ path: plain, access: 'read' }, { path: root_folder }],
      }),
      refusal(await home.api.send('PUT', '/api/v1/tasks/by-name/movable', { root_folder })),
      refusal(await home.api.send('POST', '/api/runs', run)),
      refusal(await home.api.send('POST', '/api/runs', { ...run, use_worktree: false })),
    ]).toEqual([refused, refused, refused, refused, refused]);
  }
  // A plain directory in which someone made a repository since.
  git(plain, 'init', '-q', '--bare');
  await home.post('movable', 'start');
  const { error_message } = await home.until('movable', 'FAILED');
  expect(error_message).toContain('a bare repository or git directory; choose');
  await home.api.send('DELETE', '/api/v1/tasks/by-name/movable', {});
});

it('TW27 of several requests for one name at once, one gets it', async () => {
  const body = { task_name: 'raced', description: 'Greet', root_folder: home.repository };
  const all = Array.from({ length: 5 }, async () => home.api.send('POST', '/api/v1/tasks', body));
  const outcomes = (await Promise.all(all)).map((answer) =>
    answer.status === 200 ? 'made' : refusal(answer),
  );
  expect(outcomes.sort()).toEqual([...Array<string>(4).fill('400 task_exists'), 'made']);
});

it('TW27 of two tasks that are made to wait for each other at once, one is refused', async () => {
  const names = ['waits-a', 'waits-b'];
  for (const name of names) await home.create(name);
  const outcomes = await Promise.all(
    names.map(async (name, n) => {
      const change = { branch_name: `other/${name}`, depends_on: [names[1 - n]] };
      return home.api.send('PUT', `/api/v1/tasks/by-name/${name}`, change);
    }),
  );
  const said = outcomes.map((answer) => (answer.status === 200 ? 'changed' : refusal(answer)));
  expect(said.sort()).toEqual(['400 dependency_cycle', 'changed']);
});

it.each([
  ...['', '..', '.x', 'a/b', '-x', 'a b', 'ä', 'x'.repeat(201)].map((task_name) => ({ task_name })),
  ...['-x', 'a..b', '/a', 'a b', 'a~1', 'a.lock', ''].map((branch_name) => ({ branch_name })),
  { description: ' ' },
  { root_folder: 'relative' },
  { max_iterations: 0 },
  { max_tokens: -1 },
  { priority: 1.5 },
  { gates: [{ name: 'x' }] },
  { permission_mode: 'yolo' },
  { mcp_servers: [] },
])('TW27 a body with %j is 400', async (body) => {
  expect(await create(body)).toBe('400 invalid_body');
});

it('TW1, TW27 a task without a directory is refused, unless the settings have a default', async () => {
  const body = { task_name: 'somewhere', description: 'Greet' };
  expect(refusal(await home.api.send('POST', '/api/v1/tasks', body))).toBe('400 invalid_body');
  await using other = new World();
  const path = other.taskDir('standard');
  other.environment['LOOPWATCH_DEFAULT_PROJECT'] = path;
  const { api } = await other.start();
  const made = await api.send('POST', '/api/v1/tasks', body);
  expect(made).toMatchObject({ status: 200, body: { root_folder: path, worktree_path: null } });
});

it('TW1 what is left out has its default, and the older name of the directory works', async () => {
  const made = await home.api.send('POST', '/api/v1/tasks', {
    task_name: 'plain-words',
    description: 'Greet',
    project_path: home.repository,
    max_iterations: null,
  });
  expect(made).toMatchObject({
    status: 200,
    body: {
      status: 'PENDING',
      branch_name: 'task/plain-words',
      base_branch: 'main',
      use_worktree: true,
      priority: 0,
      depends_on: [],
      created_by: 'admin',
      end_criteria_config: {
        criteria: null,
        max_iterations: 20,
        max_tokens: null,
        gates: [],
        warning: expect.any(String) as unknown,
      },
      projects: [{ path: home.repository, access: 'write' }],
    },
  });
});

it('TW3 every route gives the same error for a missing task, prompt or project', async () => {
  const calls = exampleCalls().filter(({ name }) => API[name].path.startsWith('/api/v1/'));
  const refusals: Record<string, string[]> = {};
  for (const { name, method, path, body } of calls) {
    const { path: pattern } = API[name];
    if (!/:(?:name|id)/.test(pattern)) continue;
    const [, before = '', after = ''] = /^(.*?):(?:name|id)(.*)$/.exec(pattern) ?? [];
    const rest = after.replace(':input', crypto.randomUUID());
    const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
    const ids = [
      'nobody',
      crypto.randomUUID(),
      '99999',
      '..%2F..',
      'a%20b',
      '%24x',
      'x'.repeat(300),
    ];
    const answers = [];
    for (const id of ids) {
      answers.push(refusal(await home.api.send(method, `${before}${id}${rest}${query}`, body)));
    }
    const kind = /prompts|sessions|interactions|tasks/.exec(pattern)?.[0] ?? '';
    (refusals[kind] ??= []).push(...answers);
  }
  expect(
    Object.fromEntries(Object.entries(refusals).map(([kind, all]) => [kind, [...new Set(all)]])),
  )
    // prettier-ignore
    .toEqual({
      tasks: ['404 task_unknown'],
      prompts: ['404 prompt_unknown'],
      sessions: ['404 project_session_unknown'],
      interactions: ['404 interaction_unknown'],
    });
});

it('TW4 an error of the routes of tasks has its message again as detail, others have not', async () => {
  const { url, token } = home.api;
  const host = new URL(url).host;
  const ask = async (
    target: string,
    method: string,
    headers: readonly (readonly [string, string])[],
  ) => {
    const own = headers.some(([name]) => name === 'Host') ? [] : [['Host', host] as const];
    const all = [...own, ['Connection', 'close'] as const, ...headers];
    const { status, body } = await sendRaw(url, { method, target, headers: all });
    const { error, detail } = JSON.parse(body) as { error: { message: string }; detail?: string };
    expect(detail).toBe(target.startsWith('/api/v1') ? error.message : undefined);
    return status;
  };
  const admin = ['Authorization', `Bearer ${token}`] as const;
  const answers = [];
  for (const base of ['/api/v1/tasks', '/api/sessions']) {
    answers.push(await ask(base, 'GET', []));
    answers.push(await ask(base, 'GET', [['Host', 'evil.example']]));
    answers.push(await ask(base, 'GET', [['Origin', 'http://evil.example']]));
    answers.push(await ask(`${base}/by-name/x/nothing`, 'GET', [admin]));
    answers.push(await ask(base, 'PATCH', [admin]));
    answers.push(await ask(`${base}?extra=1`, 'GET', [admin]));
    answers.push(
      await ask(base, 'POST', [admin, ['Content-Type', 'text/plain'], ['Content-Length', '0']]),
    );
  }
  expect(answers).toEqual([...answers.slice(0, 7), 401, 421, 403, 404, 405, 400, 400]);
  expect(answers.slice(0, 7)).toEqual(answers.slice(7));
});
