/** Directories, names and addresses that lead elsewhere, or would run something. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { openShell, runInShell } from '../../support/terminals/terminal-view.ts';
import type { Attack, Table, Target } from '../attack.ts';
import { type Door, openDoor } from '../door.ts';

const SECRET = 's3cr3t';

export async function openPaths(target: Target): Promise<Door> {
  const door = await openDoor(target);
  const { root } = target.world;
  for (const place of ['outside/below', 'outside', 'tasks-evil', 'tasks/inner'])
    mkdirSync(join(root, place, SECRET), { recursive: true });
  writeFileSync(join(root, 'tasks/file'), '');
  symlinkSync(join(root, 'outside'), join(root, 'tasks/link'));
  symlinkSync('/proc/self/cwd', join(root, 'tasks/proc'));
  symlinkSync(join(root, 'tasks/loop'), join(root, 'tasks/loop'));
  await execFile('mkfifo', [join(root, 'tasks/fifo')], { timeoutMs: 5_000 });
  target.world.writeProgram('claude', 'exec sleep 1000');
  return door;
}

/** Below the world's root. */
const ELSEWHERE: [string, (root: string) => string][] = [
  ['outside of the roots', (root) => `${root}/outside`],
  ['that begins like a root', (root) => `${root}/tasks-evil`],
  ['above the roots', (root) => root],
  ['by two dots', (root) => `${root}/tasks/../outside`],
  ['by two dots behind a directory', (root) => `${root}/tasks/inner/../../outside`],
  ['by two dots and double slashes', (root) => `${root}/tasks//..//outside`],
  ['through a link', (root) => `${root}/tasks/link`],
  ['below a link', (root) => `${root}/tasks/link/below`],
  ['through a link and back', (root) => `${root}/tasks/link/../home`],
  ['through a process', (root) => `${root}/tasks/proc`],
  ['through a link to itself', (root) => `${root}/tasks/loop`],
  ['that is a FIFO', (root) => `${root}/tasks/fifo`],
  ['that is a file', (root) => `${root}/tasks/file`],
  ['below a file', (root) => `${root}/tasks/file/x`],
  ['that is not there', (root) => `${root}/tasks/nowhere`],
  ['in the other case', (root) => `${root}/TASKS/inner`],
  ['with a final dot', (root) => `${root}/tasks/inner.`],
  ['with a final blank', (root) => `${root}/tasks/inner `],
  ['spelled for an address', (root) => `${root}/tasks/%2e%2e/outside`],
  ['with a backslash', (root) => `${root}/tasks\\inner`],
  ['that is relative', () => 'tasks/inner'],
  ['that is empty', () => ''],
  ['that is a home', () => '~'],
  ['of a variable', () => '$HOME'],
  ['of devices', () => '/dev'],
  ['that is a device', () => '/dev/zero'],
  ['of processes', () => '/proc/self/root'],
  ['of the system', () => '/etc'],
  ['that is the root of all', () => '/'],
  ['as an address', (root) => `file://${root}/tasks/inner`],
  ['of 1,025 bytes', (root) => `${root}/tasks/`.padEnd(1025, 'a')],
  ['of 1,000 levels', (root) => `${root}/tasks${'/a'.repeat(400)}`],
  ['with a NUL', (root) => `${root}/tasks/inner\0/x`],
];

const USES: [string, string, (door: Door, path: string) => Promise<unknown>][] = [
  [
    'SE8',
    'opens no terminal in a directory',
    async ({ api }, cwd) => api.send('POST', '/api/sessions', { name: 'other', cwd }),
  ],
  [
    'SE8',
    'starts no loop on a directory',
    async ({ api }, taskDir) => api.startLoop('web', taskDir),
  ],
  [
    'SD7',
    'lists no directory',
    async ({ api }, path) => api.get(`/api/directories?path=${encodeURIComponent(path)}`),
  ],
  [
    'TW18',
    'browses no directory',
    async ({ api }, path) => api.get(`/api/v1/browse-directories?path=${encodeURIComponent(path)}`),
  ],
];

/** Status as a class, and whether the answer reveals anything from outside. */
async function outcome(answer: Promise<unknown>): Promise<string> {
  const { status, body } = (await answer) as { status: number; body: unknown };
  return JSON.stringify(body).includes(SECRET) || status < 400
    ? 'leaked'
    : status < 500
      ? 'refused'
      : String(status);
}

export const ELSEWHERE_TABLES: readonly Table<Door>[] = USES.map(([rule, what, use]) => ({
  title: what,
  twin: async (door) => {
    await door.api.send('DELETE', '/api/sessions/other');
    return outcome(use(door, `${door.world.root}/tasks/inner`));
  },
  passes: 'leaked',
  rows: ELSEWHERE.map(([name, path]): Attack<Door> => ({
    rule,
    name: `${what} ${name}`,
    holds: 'refused',
    attack: async (door) => outcome(use(door, path(door.world.root))),
  })),
}));

/** Directory names that would run `touch pwned` in some shell, format or template. */
const LOADED = [
  '$(touch pwned)',
  '`touch pwned`',
  '#(touch pwned)',
  '#{pane_id}',
  ';touch pwned',
  '|touch pwned',
  '&touch pwned',
  '\ntouch pwned\n',
  '\rtouch pwned\r',
  "';touch pwned;'",
  '";touch pwned;"',
  '\\";touch pwned;\\"',
  '>pwned',
  '<(touch pwned)',
  '!!',
  '*',
  '{a,b}',
  '^touch^pwned',
  '%(touch pwned)',
  '\u001b[201~touch pwned',
  '\u009b201~x',
  'a\u202eb',
  'a\u200bb',
  'a\u00a0b',
  '\\',
  "x'",
  '\t',
  '(touch pwned)',
];

const hasRun = ({ world }: Door) =>
  readdirSync(world.root, { recursive: true, encoding: 'utf8' }).some((path) =>
    /(^|\/)pwned$/.test(path),
  );

export const LOADED_TABLE: Table<Door> = {
  title: 'directories whose names would run something',
  twin: async (door) => {
    await openShell(door.api, 'plain', door.world.taskDir('plain'));
    await runInShell(door.api, 'plain', 'touch pwned', join(door.world.root, 'tasks/plain/pwned'));
    await openShell(door.api, 'calm', door.world.taskDir('calm'));
    const loop = (await door.api.startLoop('calm', door.world.taskDir('calm'))).status;
    return { loop, terminal: 201, ran: hasRun(door) };
  },
  passes: { loop: 201, terminal: 201, ran: true },
  rows: LOADED.map((word): Attack<Door> => ({
    rule: 'LP2',
    name: `a directory called ${JSON.stringify(word)} gets no loop, and its terminal runs nothing`,
    attack: async (door) => {
      const directory = join(door.world.root, 'tasks', word.replaceAll('/', ''));
      if (!existsSync(directory)) mkdirSync(directory);
      const loop = (await door.api.startLoop('web', directory)).status;
      const opened = await door.api.send('POST', '/api/sessions', {
        name: 'loaded',
        cwd: directory,
      });
      await door.api.send('DELETE', '/api/sessions/loaded');
      return { loop, terminal: opened.status, ran: hasRun(door) };
    },
    holds: {
      loop: 400,
      terminal: expect.toSatisfy((status: number) => [201, 400].includes(status)) as unknown,
      ran: false,
    },
  })),
};
