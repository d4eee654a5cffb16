/** Signal files that no agent should write, one after another in the directory of one loop. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  putSignal,
  signalPath,
  signalText,
  startSilentLoop,
} from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import type { Attack, Table, Target } from '../attack.ts';

export interface Looping extends Target {
  taskDir: string;
}

export async function openLoop(target: Target): Promise<Looping> {
  return { ...target, taskDir: await startSilentLoop(target.world, target.api, 'web') };
}

/** Is in each hostile file, and must be in no output of the daemon. */
const CANARY = 'c4n4ry';
const HOUR_MS = 3_600_000;

type Put = (taskDir: string, root: string) => unknown;

const text =
  (content: string | Buffer): Put =>
  (taskDir) =>
    putSignal(taskDir, content);
const field =
  (more: object): Put =>
  (taskDir) =>
    putSignal(taskDir, signalText({ extra: CANARY, ...more }));
const at = (shift: number) => new Date(Date.now() + shift).toISOString();

const FILES: [string, string, Put][] = [
  ['a directory', 'not_a_file', (taskDir) => mkdirSync(signalPath(taskDir))],
  ['a FIFO', 'not_a_file', (taskDir) => execFileSync('mkfifo', [signalPath(taskDir)])],
  [
    'a link to a valid signal',
    'not_a_file',
    (taskDir, root) => {
      writeFileSync(join(root, 'elsewhere'), signalText({ extra: CANARY }));
      symlinkSync(join(root, 'elsewhere'), signalPath(taskDir));
    },
  ],
  ['a link to nothing', 'not_a_file', (taskDir) => symlinkSync(CANARY, signalPath(taskDir))],
  [
    'a link to itself',
    'not_a_file',
    (taskDir) => symlinkSync(signalPath(taskDir), signalPath(taskDir)),
  ],
  ['a link to zeros', 'not_a_file', (taskDir) => symlinkSync('/dev/zero', signalPath(taskDir))],
  ['a link to a terminal', 'not_a_file', (taskDir) => symlinkSync('/dev/tty', signalPath(taskDir))],
  [
    'a link to memory',
    'not_a_file',
    (taskDir) => symlinkSync('/proc/self/mem', signalPath(taskDir)),
  ],
  [
    'a link to the token of the home',
    'not_a_file',
    (taskDir, root) => symlinkSync(join(root, 'home/token'), signalPath(taskDir)),
  ],
  [
    'a hard link to a valid signal',
    'hard_link',
    (taskDir, root) => {
      writeFileSync(join(root, 'hard'), signalText({ extra: CANARY }));
      linkSync(join(root, 'hard'), signalPath(taskDir));
    },
  ],
  [
    'fifty links in a row, the last one kept',
    'not_a_file',
    (taskDir, root) => {
      for (let count = 0; count < 50; count += 1) {
        rmSync(signalPath(taskDir), { force: true });
        symlinkSync(join(root, 'home/token'), signalPath(taskDir));
      }
    },
  ],
  [
    'a hole of 1 TB',
    'too_large',
    (taskDir) => {
      const temporary = join(taskDir, 'hole');
      writeFileSync(temporary, signalText());
      truncateSync(temporary, 2 ** 40);
      renameSync(temporary, signalPath(taskDir));
    },
  ],
  ['64 KiB and a byte', 'too_large', text(signalText().padEnd(64 * 1024 + 1))],
  ['UTF-16', 'not_utf8', text(Buffer.from(`\uFEFF${signalText()}`, 'utf16le'))],
  ['bytes that are no UTF-8', 'not_utf8', text(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))],
  ['an overlong brace', 'not_utf8', text(Buffer.from([0xc1, 0xbb, 0x7d]))],
  ['a surrogate in UTF-8', 'not_utf8', text(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))],
  ['nothing', 'not_json', text('')],
  ['one NUL', 'not_json', text('\0')],
  ['words', 'not_json', text(`${CANARY} says (stop)`)],
  ['two signals', 'not_json', text(`${signalText()}\n${signalText()}`)],
  ['half a signal', 'not_json', text(signalText().slice(0, -5))],
  ['single quotes', 'not_json', text("{'step':'check'}")],
  ['a comment', 'not_json', text(`// ${CANARY}\n${signalText()}`)],
  ['NaN', 'not_json', text(signalText().replace('}', ',"iteration":NaN}'))],
  ['64 KiB of brackets', 'not_json', text('['.repeat(64 * 1024))],
  ['32,000 nested lists', 'invalid_field', text('['.repeat(32_000) + ']'.repeat(32_000))],
  ['a list', 'invalid_field', text(`["${CANARY}"]`)],
  ['a text', 'invalid_field', text(`"${CANARY}"`)],
  ['null', 'invalid_field', text('null')],
  ['__proto__ as a step', 'invalid_field', text('{"__proto__":{"step":"check","polluted":1}}')],
  [
    'a step behind __proto__',
    'invalid_field',
    text(signalText({ step: undefined }).replace('{', '{"__proto__":{"step":"check"},')),
  ],
  ['an unknown step', 'invalid_field', field({ step: CANARY })],
  ['a step in capitals', 'invalid_field', field({ step: 'CHECK' })],
  ['a step with a blank', 'invalid_field', field({ step: 'check ' })],
  ['a step of Cyrillic letters', 'invalid_field', field({ step: 'сheck' })],
  ['a step called toString', 'invalid_field', field({ step: 'toString' })],
  ['a list as a step', 'invalid_field', field({ step: ['check'] })],
  ['an object as a step', 'invalid_field', field({ step: { check: CANARY } })],
  ['markup as a result', 'invalid_field', field({ result: `<img src=x onerror=${CANARY}>` })],
  ['an escape as a result', 'invalid_field', field({ result: `\u001b]52;c;${CANARY}\u0007` })],
  ['a step number of 7 digits', 'invalid_field', field({ result: '(step-1000000)' })],
  ['a negative step number', 'invalid_field', field({ result: '(step--1)' })],
  ['a step number and a line', 'invalid_field', field({ result: `(step-1)\n${CANARY}` })],
  ['next as (STOP)', 'invalid_field', field({ next: '(STOP)' })],
  ['next as stop', 'invalid_field', field({ next: 'stop' })],
  ['next as a list', 'invalid_field', field({ next: ['(stop)'] })],
  ['an unknown checkpoint', 'invalid_field', field({ checkpoint: CANARY })],
  ['null as a checkpoint', 'invalid_field', field({ checkpoint: null })],
  ['iteration 1e999', 'invalid_field', text(signalText().replace('}', ',"iteration":1e999}'))],
  ['iteration -1', 'invalid_field', field({ iteration: -1 })],
  ['iteration 0.5', 'invalid_field', field({ iteration: 0.5 })],
  ['iteration 1,000,001', 'invalid_field', field({ iteration: 1_000_001 })],
  ['iteration as text', 'invalid_field', field({ iteration: '1' })],
  ['iteration true', 'invalid_field', field({ iteration: true })],
  ['iteration null', 'invalid_field', field({ iteration: null })],
  ['no time', 'invalid_field', field({ timestamp: undefined })],
  ['a time as a number', 'invalid_field', field({ timestamp: Date.now() })],
  ['a time in words', 'invalid_field', field({ timestamp: `tomorrow ${CANARY}` })],
  ['the 30th of February', 'invalid_field', field({ timestamp: '2099-02-30T00:00:00Z' })],
  ['25 o’clock', 'invalid_field', field({ timestamp: '2099-01-01T25:00:00Z' })],
  ['a year of five digits', 'invalid_field', field({ timestamp: '99999-01-01T00:00:00Z' })],
  [
    'an hour ago as its time',
    'stale',
    (taskDir) => putSignal(taskDir, signalText({ extra: CANARY, timestamp: at(-HOUR_MS) })),
  ],
  ['1970 as its time', 'stale', field({ timestamp: '1970-01-01T00:00:00Z' })],
];

/** Puts it where the signal belongs; returns the daemon's verdict and whether it leaked any of it. */
async function verdictOn({ api, world, taskDir }: Looping, put: Put) {
  rmSync(signalPath(taskDir), { force: true, recursive: true });
  const after = Number((await api.get('/api/events?after=0&limit=1')).body['head']);
  await put(taskDir, world.root);
  const verdict = await until('a verdict', async () => {
    const { body } = await api.get(
      `/api/events?after=${after}&types=auto.signal,auto.signal_rejected`,
    );
    const [event] = body['events'] as { data: { cause?: string } }[];
    return event === undefined ? null : (event.data.cause ?? 'accepted');
  });
  const said = JSON.stringify([
    await api.loop('web'),
    (await api.get(`/api/events?after=${after}`)).body,
  ]);
  return { verdict, status: (await api.loop('web')).status, isLeaked: said.includes(CANARY) };
}

export const SIGNAL_TABLE: Table<Looping> = {
  title: 'signal files',
  twin: async (scene) => verdictOn(scene, text(signalText({ timestamp: at(1_000) }))),
  passes: { verdict: 'accepted', status: 'running', isLeaked: false },
  rows: FILES.map(([name, cause, put]): Attack<Looping> => ({
    rule: ['not_a_file', 'hard_link', 'too_large', 'not_utf8'].includes(cause)
      ? 'SG2'
      : cause === 'stale'
        ? 'SG3'
        : 'SG1',
    name: `a signal with ${name} is rejected as ${cause}`,
    attack: async (scene) => verdictOn(scene, put),
    holds: { verdict: cause, status: 'running', isLeaked: false },
  })),
};
