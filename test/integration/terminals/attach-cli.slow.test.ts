/** The command line in a real terminal, as a person uses it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTerminal } from '../../support/terminals/in-terminal.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('CL7 attach types what is typed, takes the size, and leaves with Ctrl-] d', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  const { pty, shown, ended } = inTerminal(world, ['attach', 'web']);
  await until('the prompt', () => shown().includes('Ctrl-] then d') && /[$#]/.test(shown()));
  pty.write('stty size > size; touch typed\r');
  await until('the typed line ran', () => existsSync(join(cwd, 'typed')));
  pty.resize(90, 25);
  await until('the new size', async () => {
    const { body } = await api.get('/api/sessions/web/screen');
    return body['cols'] === 90 && body['rows'] === 25;
  });
  pty.write('\u001dd');
  expect(await ended).toBe(0);
  expect(shown()).toMatch(/\[\?1049l[\s\S]*detached from web\r\n$/);
});

it('CL7 attach --view types nothing, and says why it ended', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  const { pty, shown, ended } = inTerminal(world, ['attach', 'web', '--view']);
  await until('the prompt', () => /[$#]/.test(shown()));
  pty.write('touch typed\r');
  await api.send('DELETE', '/api/sessions/web');
  expect(await ended).toBe(1);
  expect(shown()).toContain('the terminal ended');
  expect(existsSync(join(cwd, 'typed'))).toBe(false);
});

it('CL7 attach reports each error with its exit code', async () => {
  await using world = new World();
  await world.spawn();
  expect(await inTerminal(world, ['attach', 'nobody']).ended).toBe(4);
  expect((await world.cli('attach', 'web')).code).toBe(2);
});

it('CL8 screen and record print and save what the session shows', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  expect((await world.cli('record', 'web', 'start')).stdout).toMatch(/^web: recording, /);
  await api.send('POST', '/api/sessions/web/input', { text: 'seq 100', submit: true });
  await until('the numbers', async () =>
    (await world.cli('screen', 'web')).stdout.includes('\n100\n'),
  );
  const scrolled = await world.cli('screen', 'web', '--scrollback', '200');
  expect(scrolled.stdout).toContain('\n1\n2\n3\n');
  const json = JSON.parse((await world.cli('screen', 'web', '--json')).stdout) as object;
  expect(json).toMatchObject({ session: 'web', cols: 120, rows: 40 });
  expect((await world.cli('record', 'web', 'stop')).stdout).toMatch(
    /^web: ended \(stopped\), \d+ bytes$/m,
  );
  const file = join(world.root, 'web.cast');
  expect((await world.cli('record', 'web', 'save', file)).code).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect((await world.cli('screen', 'nobody')).code).toBe(4);
});
