/** Values that are valid JSON of the right type, but meaningless. */
import { expect } from 'vitest';
import type { Attack, Table } from '../attack.ts';
import type { Door } from '../door.ts';

type Body = (text: string, door: Door) => object;

const NOTHING = '0'.repeat(20);
const task = (more: object): object => ({ task_name: 'odd', description: 'x', ...more });
const alert = (more: object): object => ({
  name: 'odd',
  types: ['auto.failed'],
  target: { kind: 'command', argv: ['true'] },
  ...more,
});

/** Where a text is typed, stored for typing or sending, or shown. */
const PLACES: [name: string, path: string, body: Body, method?: string][] = [
  ['typed into a session', '/api/sessions/web/input', (text) => ({ text, submit: true })],
  ['typed without Enter', '/api/sessions/web/input', (text) => ({ text, submit: false })],
  ['said to a task', '/api/v1/tasks/by-name/none/user-input', (text) => ({ input: text })],
  ['set for a task', '/api/v1/tasks/by-name/none/set-input', (text) => ({ input: text })],
  ['of a task', '/api/v1/tasks', (text) => task({ description: text })],
  ['of the criteria of a task', '/api/v1/tasks', (text) => task({ end_criteria: text })],
  ['of a test of a task', '/api/v1/tasks', (text) => task({ test_commands: [text] })],
  [
    'of a gate of a task',
    '/api/v1/tasks',
    (text) => task({ gates: [{ name: 'a', command: text }] }),
  ],
  [
    'of the context of a project',
    '/api/v1/tasks',
    (text, { world }) => task({ projects: [{ path: world.taskDir('web'), context: text }] }),
  ],
  ['of a branch', '/api/v1/tasks', (text) => task({ branch_name: text })],
  ['of a prompt', '/api/v1/prompts', (text) => ({ title: 'odd', content: text })],
  [
    'of the tags of a prompt',
    '/api/v1/prompts',
    (text) => ({ title: 'a', content: 'a', tags: text }),
  ],
  ['of an alert', '/api/alerts', (text) => alert({ name: text })],
  [
    'of the command of an alert',
    '/api/alerts',
    (text) => alert({ target: { kind: 'command', argv: ['true', text] } }),
  ],
  [
    'of the address of a webhook',
    '/api/alerts',
    (text) => alert({ target: { kind: 'webhook', url: `http://a/${text}` } }),
  ],
  ['of a person', '/api/people', (text) => ({ name: text, role: 'viewer' })],
  ['of the directory of a session', '/api/sessions', (text) => ({ name: 'odd', cwd: `/${text}` })],
  [
    'of the directory of a loop',
    '/api/sessions/web/task-auto',
    (text) => ({ taskDir: `/${text}` }),
  ],
  [
    'of an answer',
    `/api/attention/${NOTHING}/answer`,
    (text) => ({ decision: 'deny', message: text }),
  ],
  [
    'of an edited input',
    `/api/attention/${NOTHING}/answer`,
    (text) => ({ decision: 'allow', updated_input: { command: text } }),
  ],
  ['of a key', '/api/sessions', (text) => ({ name: 'odd', cwd: '/', [text]: 1 })],
];

const HALVES: [name: string, text: string][] = [
  ['a first half', 'a\ud800b'],
  ['a second half', 'a\udc00b'],
  ['two halves in the wrong order', '\udc00\ud800'],
];

async function answerTo(door: Door, path: string, body: object, method = 'POST') {
  const { status, body: answer } = await door.api.send(method, path, JSON.stringify(body));
  return { status, reason: answer.error?.message ?? '' };
}

export const HALF_TABLE: Table<Door> = {
  title: 'halves of characters',
  twin: async (door) => {
    const text = 'a\ud800\udc00b';
    const [, path, body] = PLACES[0] ?? ['', '', () => ({})];
    return answerTo(door, path, body(text, door));
  },
  passes: { status: 202, reason: '' },
  rows: PLACES.flatMap(([name, path, body, method]) =>
    HALVES.map(([half, text]): Attack<Door> => ({
      rule: 'WI10',
      name: `a text ${name} with ${half} is refused as no text`,
      attack: async (door) => answerTo(door, path, body(text, door), method),
      holds: { status: 400, reason: expect.stringMatching(/lone surrogate/) as unknown },
    })),
  ),
};

const BRANCHES = ['HEAD', '@', '-x', '@{-1}', 'a..b', 'a.lock', 'a b', 'a\nb', '/a', 'a.'];

export const BRANCH_TABLE: Table<Door> = {
  title: 'branches where there is no repository',
  twin: async (door) => plan(door, { task_name: `n${Date.now()}`, branch_name: 'head' }),
  passes: { status: 200, reason: '' },
  rows: ['branch_name', 'base_branch'].flatMap((field) =>
    BRANCHES.map((branch): Attack<Door> => ({
      rule: 'WT27',
      name: `${field} ${JSON.stringify(branch)} is refused in a directory without a repository`,
      attack: async (door) => plan(door, { [field]: branch }),
      holds: { status: 400, reason: `${field}: must be a valid git branch name` },
    })),
  ),
};

async function plan(door: Door, more: object) {
  const root_folder = door.world.taskDir('plain');
  return answerTo(door, '/api/v1/tasks', task({ root_folder, use_worktree: false, ...more }));
}
