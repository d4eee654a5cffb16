/** Signal files that no agent should write: each is reported once, blocks nothing, leaks nothing. */
import { linkSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  putSignal,
  signalPath,
  signalText,
  startSilentLoop,
  untilPolled,
} from '../../support/auto/signal-files.ts';
import { World } from '../../support/daemon/world.ts';

/** Is in every hostile file, and must be in no output of the daemon. */
const CANARY = 'c4n4ry';
const HOUR_MS = 3_600_000;

/** Replaces the signal by something else. */
type Put = (taskDir: string, world: World) => unknown;

const text =
  (content: string | Buffer): Put =>
  (taskDir) =>
    putSignal(taskDir, content);

const field = (more: object): Put => text(`${signalText({ extra: CANARY, ...more })}\n`);

async function makeFifo(path: string): Promise<void> {
  const answer = await execFile('mkfifo', [path], { timeoutMs: 60_000 });
  if (!answer.ok) throw new Error(answer.stderr);
}

/** Leaves the socket's file behind: its server does not find it under the new name. */
async function makeSocket(taskDir: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(taskDir, 'socket'), resolve));
  renameSync(join(taskDir, 'socket'), signalPath(taskDir));
  await new Promise((resolve) => server.close(resolve));
}

const HOSTILE: [string, string, Put][] = [
  ['a FIFO', 'not_a_file', async (taskDir) => makeFifo(signalPath(taskDir))],
  ['a socket', 'not_a_file', makeSocket],
  ['a directory', 'not_a_file', (taskDir) => mkdirSync(signalPath(taskDir))],
  [
    'a link to a valid signal',
    'not_a_file',
    (taskDir, { root }) => {
      writeFileSync(join(root, 'elsewhere'), signalText({ extra: CANARY }));
      symlinkSync(join(root, 'elsewhere'), signalPath(taskDir));
    },
  ],
  ['a link to nothing', 'not_a_file', (taskDir) => symlinkSync(CANARY, signalPath(taskDir))],
  [
    'a link to itself',
    'not_a_file',
    (directory) => symlinkSync(signalPath(directory), signalPath(directory)),
  ],
  ['a device', 'not_a_file', (taskDir) => symlinkSync('/dev/zero', signalPath(taskDir))],
  [
    'a hard link to a valid signal',
    'hard_link',
    (taskDir, { root }) => {
      writeFileSync(join(root, 'elsewhere'), signalText({ extra: CANARY }));
      linkSync(join(root, 'elsewhere'), signalPath(taskDir));
    },
  ],
  ['70 KB', 'too_large', text(signalText({ extra: CANARY.repeat(12_000) }))],
  ['64 KiB and a byte', 'too_large', text(signalText().padEnd(64 * 1024 + 1))],
  ['bytes that are not UTF-8', 'not_utf8', text(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))],
  ['UTF-16', 'not_utf8', text(Buffer.from(`\uFEFF${signalText()}`, 'utf16le'))],
  ['nothing in it', 'not_json', text('')],
  ['words', 'not_json', text(`${CANARY} says (stop)`)],
  ['two signals', 'not_json', text(`${signalText()}\n${signalText()}`)],
  ['64 KiB of brackets', 'not_json', text('['.repeat(64 * 1024))],
  ['nested arrays', 'invalid_field', text('['.repeat(32_000) + ']'.repeat(32_000))],
  ['a deep field', 'invalid_field', text(`{"step":${'['.repeat(9_999)}${']'.repeat(9_999)}}`)],
  ['a list', 'invalid_field', text(`["${CANARY}"]`)],
  ['a number', 'invalid_field', text('1')],
  ['null', 'invalid_field', text('null')],
  ['an unknown step', 'invalid_field', field({ step: CANARY })],
  ['an unknown result', 'invalid_field', field({ result: `<img src=x onerror=${CANARY}>` })],
  ['an unknown next', 'invalid_field', field({ next: 'stop' })],
  ['an unknown checkpoint', 'invalid_field', field({ checkpoint: CANARY })],
  ['a step in capitals', 'invalid_field', field({ step: 'CHECK' })],
  ['a missing result', 'invalid_field', field({ result: undefined })],
  ['a list as step', 'invalid_field', field({ step: ['check'] })],
  ['a huge step number', 'invalid_field', field({ result: '(step-9999999)' })],
  ['iteration 1e999', 'invalid_field', text(signalText().replace('}', ',"iteration":1e999}'))],
  ['iteration -1', 'invalid_field', field({ iteration: -1 })],
  ['iteration 1.5', 'invalid_field', field({ iteration: 1.5 })],
  ['iteration "1"', 'invalid_field', field({ iteration: '1' })],
  ['iteration 1,000,001', 'invalid_field', field({ iteration: 1_000_001 })],
  ['no timestamp', 'invalid_field', field({ timestamp: undefined })],
  ['a timestamp in words', 'invalid_field', field({ timestamp: `tomorrow ${CANARY}` })],
  ['a timestamp of February 30', 'invalid_field', field({ timestamp: '2099-02-30T00:00:00Z' })],
  ['__proto__ as step', 'invalid_field', text('{"__proto__":{"step":"check","polluted":1}}')],
  [
    'an hour ago as its time',
    'stale',
    field({ timestamp: new Date(Date.now() - HOUR_MS).toISOString() }),
  ],
  [
    'an old file with a new time',
    'stale',
    (taskDir) => {
      const temporary = join(taskDir, 'old');
      writeFileSync(temporary, signalText());
      utimesSync(temporary, new Date(0), new Date(0));
      renameSync(temporary, signalPath(taskDir));
    },
  ],
];

async function verdicts(api: ApiClient): Promise<unknown[]> {
  const events = await api.events('&types=auto.signal,auto.signal_rejected');
  return events.map(({ data }) => ('cause' in data ? data.cause : 'accepted'));
}

it.concurrent.each(HOSTILE)(
  'SG1, SG2, SG3 a signal with %s is rejected once',
  async (_, cause, put) => {
    await using world = new World();
    const { api } = await world.start();
    const taskDir = await startSilentLoop(world, api, 'web');
    await put(taskDir, world);
    await api.event('auto.signal_rejected');
    await untilPolled(api, 'web');
    expect({ verdicts: await verdicts(api), status: (await api.loop('web')).status }).toEqual({
      verdicts: [cause],
      status: 'running',
    });
    const reported = JSON.stringify([await api.events(), await api.loop('web')]);
    expect([reported.includes(CANARY), 'polluted' in {}]).toEqual([false, false]);
  },
);
