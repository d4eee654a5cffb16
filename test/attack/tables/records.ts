/** Status records that no client writes, in place of the record of a running client. */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import type { Attack, Table, Target } from '../attack.ts';

export interface Recorded extends Target {
  pid: number;
  /** Where the client keeps its record. */
  file: string;
  procStart: string;
}

/**
 * A program that the kernel calls `claude`, in the foreground of a shell, which writes no record
 * itself.
 */
export async function openClient(target: Target): Promise<Recorded> {
  const { api, world } = target;
  const cwd = world.taskDir('web');
  symlinkSync('/bin/sleep', join(cwd, 'claude'));
  await openShell(api, 'web', cwd);
  await typeInto(api, 'web', "sh -c 'echo $$ > pid; exec ./claude 100000'");
  const pid = await until('the client', () => {
    const text = existsSync(join(cwd, 'pid')) ? readFileSync(join(cwd, 'pid'), 'utf8') : '';
    return text.endsWith('\n') ? Number(text) : null;
  });
  await until('its name', () => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'claude\n');
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
  const file = join(world.root, 'claude/sessions', `${pid}.json`);
  mkdirSync(dirname(file));
  return Object.assign(target, { pid, file, procStart: fields?.[19] ?? '' });
}

/** Is in each hostile record, and must be in no output of the daemon. */
const CANARY = 'c4n4ry';
type Put = (scene: Recorded) => unknown;

const recordOf = ({ pid, procStart }: Recorded, more: object = {}) =>
  JSON.stringify({ pid, procStart, status: 'waiting', updatedAt: Date.now(), ...more });
const text =
  (content: string | Buffer): Put =>
  ({ file }) =>
    writeFileSync(file, content);
const record =
  (more: object): Put =>
  (scene) =>
    writeFileSync(scene.file, recordOf(scene, Object.assign({ version: CANARY }, more)));
const changed =
  (change: (content: string) => string | Buffer): Put =>
  (scene) =>
    writeFileSync(scene.file, change(recordOf(scene)));

/**
 * Writes a complete record elsewhere; returns its path. What spoils it is done before it gets its
 * name: until then it would count.
 */
function aside(scene: Recorded): string {
  const path = join(scene.world.root, 'aside.json');
  rmSync(path, { force: true });
  writeFileSync(path, recordOf(scene, { version: CANARY }));
  return path;
}

const RECORDS: [string, Put][] = [
  ['a directory', ({ file }) => mkdirSync(file)],
  ['a FIFO', ({ file }) => execFileSync('mkfifo', [file])],
  ['a link to a whole record', (scene) => symlinkSync(aside(scene), scene.file)],
  ['a second name of a whole record', (scene) => linkSync(aside(scene), scene.file)],
  ['a link to nothing', ({ file }) => symlinkSync(CANARY, file)],
  ['a link to itself', ({ file }) => symlinkSync(file, file)],
  ['a link to zeros', ({ file }) => symlinkSync('/dev/zero', file)],
  ['a link to a terminal', ({ file }) => symlinkSync('/dev/tty', file)],
  ['a link to the token', ({ file, world }) => symlinkSync(join(world.home, 'token'), file)],
  [
    'a hole of 1 TB',
    (scene) => {
      const path = aside(scene);
      truncateSync(path, 2 ** 40);
      renameSync(path, scene.file);
    },
  ],
  ['64 KiB and a byte', changed((content) => content.padEnd(64 * 1024 + 1))],
  ['UTF-16', changed((content) => Buffer.from(content, 'utf16le'))],
  [
    'bytes that are no UTF-8',
    changed((content) => Buffer.concat([Buffer.from(content), Buffer.from([0xff])])),
  ],
  ['nothing', text('')],
  ['one NUL', text('\0')],
  ['words', text(`${CANARY} is idle`)],
  ['half a record', changed((content) => content.slice(0, -5))],
  ['two records', changed((content) => `${content}\n${content}`)],
  ['a comment', changed((content) => `// ${CANARY}\n${content}`)],
  ['60,000 brackets', text('['.repeat(60_000))],
  ['32,000 nested lists', text('['.repeat(32_000) + ']'.repeat(32_000))],
  ['a list', changed((content) => `[${content}]`)],
  ['a text', changed((content) => JSON.stringify(content))],
  ['null', text('null')],
  ['all of it behind __proto__', changed((content) => `{"__proto__":${content}}`)],
  ['the pid of another process', record({ pid: 1 })],
  ['a pid as text', record({ pid: '1' })],
  ['no pid', record({ pid: undefined })],
  ['a start of before', record({ procStart: '1' })],
  ['a start with a fraction', record({ procStart: 0.5 })],
  ['a list as a start', record({ procStart: [] })],
  ['an unknown status', record({ status: CANARY })],
  ['a status in capitals', record({ status: 'WAITING' })],
  ['a status with a blank', record({ status: 'waiting ' })],
  ['a list as a status', record({ status: ['waiting'] })],
  ['a status called toString', record({ status: 'toString' })],
  ['no status', record({ status: undefined })],
  ['a conversation that went elsewhere', record({ parkedJobId: CANARY })],
];

/** Only a user who may give files away can create another user's file. */
const FOREIGN: [string, Put][] =
  process.getuid?.() === 0
    ? [
        [
          'the file of another user',
          (scene) => {
            const path = aside(scene);
            chownSync(path, 12_345, 12_345);
            renameSync(path, scene.file);
          },
        ],
      ]
    : [];

async function stateOf({ api }: Recorded): Promise<string | null> {
  const { agent } = (await api.get('/api/sessions/web')).body as {
    agent?: { state: string } | null;
  };
  return agent?.state ?? null;
}

/** Starts from a working client with a complete record; returns what the daemon makes of the other one. */
async function after(scene: Recorded, put: Put) {
  rmSync(scene.file, { force: true, recursive: true });
  writeFileSync(scene.file, recordOf(scene, { status: 'busy' }));
  await until('the client to be at work', async () => (await stateOf(scene)) === 'working');
  rmSync(scene.file, { force: true, recursive: true });
  await put(scene);
  const state = await until('another state', async () => {
    const now = await stateOf(scene);
    return now === 'working' ? null : now;
  });
  const { api } = scene;
  const said = JSON.stringify([await api.get('/api/sessions/web'), await api.events()]);
  return { state, isLeaked: said.includes(CANARY) };
}

export const RECORD_TABLE: Table<Recorded> = {
  title: 'status records',
  twin: async (scene) => after(scene, (it) => writeFileSync(it.file, recordOf(it))),
  passes: { state: 'waiting', isLeaked: false },
  rows: [...RECORDS, ...FOREIGN].map(([name, put]): Attack<Recorded> => ({
    rule: 'AG2',
    name: `a record with ${name} says nothing of its client`,
    attack: async (scene) => after(scene, put),
    holds: { state: expect.stringMatching(/^(unknown|starting)$/) as unknown, isLeaked: false },
  })),
};
