/** Input belongs to the program it was submitted to: real terminals, a client that dies at a dialog. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const ASK = { do: 'ask', command: 'npm install left-pad', description: 'Install a package' };

/** A client that was started by hand and asks for a permission; returns its pid. */
async function openAtDialog(world: World, api: ApiClient): Promise<number> {
  const steps = [ASK, { do: 'say', lines: ['Done.'] }];
  const directory = world.taskDir('one', { status_record: true, after: 'idle', steps });
  await openShell(api, 'web', directory);
  await typeInto(api, 'web', `claude "/moonview:auto ${directory}"`);
  await until('the permission', async () => {
    const { body } = await api.get('/api/sessions/web');
    return (body['agent'] as { state: string } | null)?.state === 'waiting';
  });
  const [record] = readdirSync(join(world.root, 'claude', 'sessions'));
  return Number.parseInt(record ?? '', 10);
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'IN9 input held for a client that ended by %s is not run by the shell behind it',
  async (signal) => {
    await using world = new World();
    const { api } = await world.start();
    const pid = await openAtDialog(world, api);
    const leak = join(world.root, 'leak');
    expect(await typeInto(api, 'web', `echo leak > ${leak}`)).toBe('held');
    process.kill(pid, signal);
    const settled = await until('the input is settled', async () => {
      const { body } = await api.get('/api/sessions/web/inputs');
      const [newest] = body['inputs'] as { delivery: string; reason: string | null }[];
      return newest?.delivery === 'held' ? null : newest;
    });
    expect(settled).toMatchObject({ delivery: 'failed', reason: 'program_changed' });
    // The shell runs what follows, and only that.
    const after = join(world.root, 'after');
    expect(await typeInto(api, 'web', `touch ${after}`)).toBe('typed');
    await until('the shell ran it', () => existsSync(after));
    expect(existsSync(leak)).toBe(false);
  },
);

it('IN9 input for an agent is refused while a shell is in the foreground', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('one'));
  const body = { text: 'delete the build', submit: true, to: 'agent' };
  const answer = await api.send('POST', '/api/sessions/web/input', body);
  expect({ status: answer.status, ...answer.body }).toMatchObject({
    status: 202,
    delivery: 'failed',
    reason: 'program_changed',
  });
});
