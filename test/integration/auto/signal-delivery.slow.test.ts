/** Signals as they arrive: torn, in bursts, doubled, left over, from eight loops at once. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { SIGNAL_FILE, STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  putSignal,
  signalPath,
  signalText,
  startSilentLoop,
  untilPolled,
  untilRead,
} from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function verdicts(api: ApiClient): Promise<unknown[]> {
  const events = await api.events('&types=auto.signal,auto.signal_rejected');
  return events.map(({ data }) => ('iteration' in data ? data.iteration : data));
}

it('SG2 eight FIFOs at once delay nothing: the signals of a ninth loop are read', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const names = Array.from({ length: 8 }, (_, index) => `loop-${index}`);
  for (const name of names) {
    const taskDir = await startSilentLoop(world, api, name);
    await execFile('mkfifo', [signalPath(taskDir)], { timeoutMs: 60_000 });
  }
  await until('all were rejected', async () => (await verdicts(api)).length >= names.length);
  // With every thread of the pool at a FIFO no other file could ever be read.
  const other = await startSilentLoop(world, api, 'other');
  for (let iteration = 1; iteration <= 3; iteration += 1) {
    putSignal(other, signalText({ iteration }));
    await until('it is read', async () => (await api.loop('other')).iteration === iteration);
  }
  expect(await verdicts(api)).toHaveLength(names.length + 3);
});

it('SG7 a combination that the routing table does not know is accepted as suspicious', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  putSignal(taskDir, signalText({ step: 'plan', result: 'PASS', next: 'merge', iteration: 1 }));
  const { data } = await api.event('auto.signal');
  expect(data).toEqual({
    step: 'plan',
    result: 'PASS',
    next: 'merge',
    checkpoint: '',
    iteration: 1,
    suspicious: true,
    out_of_order: false,
    timestamp: expect.any(String) as string,
  });
});

const ODD: [string, () => string][] = [
  ['a byte order mark before it', () => `\uFEFF${signalText()}`],
  ['blanks around it', () => `\n\t ${signalText()} \n`],
  ['a time in the future', () => signalText({ timestamp: '2099-01-01T00:00:00+02:00' })],
  ['64 KiB', () => signalText().padEnd(64 * 1024)],
  ['unknown keys', () => `{"__proto__":{"polluted":1},"x":[],${signalText().slice(1)}`],
  ['a key given twice', () => `{"step":"nothing",${signalText().slice(1)}`],
  ['a numbered result', () => signalText({ step: 'exec', result: '(step-3)', next: 'check' })],
];

it.concurrent.each(ODD)(
  'SG1 a signal with %s is accepted, and only its fields are passed on',
  async (_, content) => {
    await using world = new World();
    const { api } = await world.start();
    const taskDir = await startSilentLoop(world, api, 'web');
    putSignal(taskDir, content());
    const { data } = await api.event('auto.signal');
    expect([Object.keys(data).sort(), 'polluted' in {}]).toEqual([
      [
        'checkpoint',
        'iteration',
        'next',
        'out_of_order',
        'result',
        'step',
        'suspicious',
        'timestamp',
      ],
      false,
    ]);
  },
);

it('SG4 a file that was read half written is one event when it is whole', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  const content = signalText({ iteration: 3 });
  const half = Math.floor(content.length / 2);
  writeFileSync(signalPath(taskDir), content.slice(0, half));
  await untilRead(taskDir);
  appendFileSync(signalPath(taskDir), content.slice(half));
  await api.event('auto.signal');
  await untilPolled(api, 'web');
  expect(await verdicts(api)).toEqual([3]);
});

it('SG4 a file that is written byte by byte is one event', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  const content = signalText({ iteration: 3 });
  for (const byte of content) {
    appendFileSync(signalPath(taskDir), byte);
    await untilRead(taskDir);
  }
  await api.event('auto.signal');
  expect(await verdicts(api)).toEqual([3]);
});

it('SG5 a burst of two hundred signals ends with the last', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  await api.send('PATCH', '/api/sessions/web/task-auto', { maxIterations: 1000 });
  for (let iteration = 1; iteration <= 200; iteration += 1) {
    putSignal(taskDir, signalText({ iteration }));
  }
  await until('the last one', async () => (await verdicts(api)).at(-1) === 200);
  await untilPolled(api, 'web');
  const seen = (await verdicts(api)) as number[];
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
});

it('SG5 a signal written between two others is never the last one read', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  await api.send('PATCH', '/api/sessions/web/task-auto', { maxIterations: 1000 });
  for (let round = 1; round <= 10; round += 1) {
    for (let count = 1; count <= 20; count += 1) {
      putSignal(taskDir, signalText({ iteration: round * 20 + count }));
    }
    await until('the last one', async () => (await verdicts(api)).at(-1) === round * 20 + 20);
  }
});

it('SG6 an identical signal produces no second event', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  const same = signalText({ iteration: 1 });
  putSignal(taskDir, same);
  await api.event('auto.signal');
  for (let time = 1; time <= 3; time += 1) {
    putSignal(taskDir, same);
    await untilRead(taskDir);
  }
  putSignal(taskDir, signalText({ iteration: 2 }));
  await until('the next one', async () => (await verdicts(api)).at(-1) === 2);
  expect(await verdicts(api)).toEqual([1, 2]);
});

it('SG6 a signal that was read produces no second event in the next daemon', async () => {
  await using world = new World();
  const { daemon, api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  putSignal(taskDir, signalText({ iteration: 1 }));
  await api.event('auto.signal');
  await daemon.close();
  const next = (await world.start()).api;
  await untilPolled(next, 'web');
  expect(await verdicts(next)).toEqual([1]);
  putSignal(taskDir, signalText({ iteration: 2 }));
  await until('the next one', async () => (await verdicts(next)).at(-1) === 2);
});

it('SG8 control files left from before are removed at the start', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = world.taskDir('web');
  const final = { step: 'report', result: '(generated)', next: '(stop)' };
  const files = [SIGNAL_FILE, STOP_FILE, `${SIGNAL_FILE}.tmp`].map((name) => join(taskDir, name));
  for (const file of files) writeFileSync(file, signalText(final));
  await startSilentLoop(world, api, 'web');
  await untilPolled(api, 'web');
  expect({
    left: files.filter((file) => existsSync(file)),
    verdicts: await verdicts(api),
    status: (await api.loop('web')).status,
  }).toEqual({ left: [], verdicts: [], status: 'running' });
});

it('LP8 a forged (stop) removes nothing while the agent lives', async () => {
  await using world = new World({ LOOPWATCH_IDLE_CONFIRM_MS: '60000' });
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  putSignal(taskDir, signalText({ step: 'report', result: '(generated)', next: '(stop)' }));
  await api.event('auto.signal');
  await untilPolled(api, 'web');
  expect((await api.loop('web')).status).toBe('stopping');
  expect(await api.events('&types=auto.ended')).toEqual([]);
});
