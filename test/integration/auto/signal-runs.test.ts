/** Signals that name a run: only the loop's own counts, across restarts. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const KNOWN = '2.1.197 (Claude Code)';
const REPORT = {
  do: 'step',
  signal: { step: 'report', result: '(generated)', next: '(stop)' },
};

async function runIds(api: ApiClient): Promise<unknown[]> {
  const started = await api.events('&types=auto.started');
  return started.map(({ data }) => ('run_id' in data ? data.run_id : null));
}

async function verdictOn(api: ApiClient, taskDir: string, more: object): Promise<unknown> {
  const types = '&types=auto.signal,auto.signal_rejected';
  const before = (await api.events(types)).length;
  putSignal(taskDir, signalText(more));
  const event = await until('a verdict', async () => (await api.events(types))[before]);
  return 'cause' in event.data ? event.data.cause : 'accepted';
}

it('SG11 a signal counts for its own loop, over a restart of the daemon', async () => {
  await using world = new World();
  const first = await world.start();
  const taskDir = await startSilentLoop(world, first.api, 'web');
  const [own] = await runIds(first.api);
  const judge = async (api: ApiClient) => [
    await verdictOn(api, taskDir, { run_id: own, iteration: 1 }),
    await verdictOn(api, taskDir, { run_id: 'of-another-loop', iteration: 9 }),
    await verdictOn(api, taskDir, { iteration: 2 }),
    await verdictOn(api, taskDir, { run_id: 5, iteration: 9 }),
  ];
  const expected = ['accepted', 'other_run', 'accepted', 'invalid_field'];
  expect(await judge(first.api)).toEqual(expected);
  await first.daemon.close();
  const { api } = await world.start();
  expect(await judge(api)).toEqual(expected);
  expect(await api.loop('web')).toMatchObject({ status: 'running', iteration: 2 });
  const said = JSON.stringify(await api.events('&types=auto.signal_rejected'));
  expect(said).not.toContain('of-another-loop');
});

it('SG11 every start of a loop has an id of its own', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  await api.send('DELETE', '/api/sessions/web/task-auto');
  await api.event('auto.ended');
  await until('the loop starts again', async () => {
    return (await api.startLoop('web', taskDir)).status === 201;
  });
  const [first, second] = await runIds(api);
  expect(second).not.toBe(first);
  expect(await verdictOn(api, taskDir, { run_id: first })).toBe('other_run');
  expect(await verdictOn(api, taskDir, { run_id: second })).toBe('accepted');
});

it('SG11 a client that stayed open after its loop reports the next one with its old id', async () => {
  await using world = new World();
  const stand = readFileSync(join(world.root, 'bin/claude'), 'utf8').split('\n')[1] ?? '';
  world.writeClient(KNOWN, stand);
  const { api } = await world.start();
  const taskDir = world.taskDir('one', { status_record: true, steps: [REPORT] });
  await api.openSession('web', taskDir);
  await api.startLoop('web', taskDir);
  await api.event('auto.ended');
  const runs = join(world.home, 'runs');
  await until('its files stay', () =>
    readdirSync(runs).some((name) => readdirSync(join(runs, name)).includes('agent.json')),
  );
  // Files of a run whose client is another process.
  mkdirSync(join(runs, 'other'));
  const self = { pid: process.pid, startedAt: '0' };
  writeFileSync(join(runs, 'other', 'agent.json'), JSON.stringify(self));
  const two = world.taskDir('two', {
    status_record: true,
    steps: [{ do: 'silence', ms: 600_000 }],
  });
  expect((await api.startLoop('web', two)).status).toBe(201);
  const [old, own] = await runIds(api);
  expect(old).not.toBe(own);
  expect(await verdictOn(api, two, { run_id: old })).toBe('accepted');
  expect(await verdictOn(api, two, { run_id: 'other' })).toBe('other_run');
});
