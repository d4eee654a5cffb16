/** `loopwatch classify`, as scripts use it. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordedScreen, SCREENS } from '../../support/terminals/recorded-screens.ts';
import { World } from '../../support/daemon/world.ts';

it('CL6 prints one line of JSON per screen, without a daemon', async () => {
  await using world = new World();
  const names = ['exit-04-sigkill', 'idle-02-after-turn', 'waiting-01-bash-permission'];
  const files = [...names, 'working-08-no-response-40s'].map((name) =>
    join(SCREENS, `${name}.txt`),
  );
  const { code, stdout } = await world.cli('classify', ...files);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { file: files[0], group: 'exited', state: 'exited', cause: 'none' },
    { file: files[1], group: 'idle', state: 'ready', cause: 'none' },
    { file: files[2], group: 'waiting', state: 'waiting', cause: 'permission' },
    { file: files[3], group: 'working', state: 'working', cause: 'no_response' },
  ]);
  expect(code).toBe(0);
});

it('CL6 assumes an agent in the foreground when nothing says otherwise', async () => {
  await using world = new World();
  const lone = join(world.root, 'lone.txt');
  copyFileSync(join(SCREENS, 'exit-04-sigkill.txt'), lone);
  const drawn = join(world.root, 'drawn.capture');
  writeFileSync(drawn, recordedScreen('working-15-subagent-running').rows.join('\n'));
  const ended = join(world.root, 'ended.txt');
  copyFileSync(lone, ended);
  const info = 'cmd=claude title= dead=0 cursor=1,1 flag=0 dead=1 cursor=0,0 flag=1 alt=0\n';
  writeFileSync(join(world.root, 'ended.info'), info);
  const output = (await world.cli('classify', ended)).stdout;
  expect(JSON.parse(output)).toMatchObject({ group: 'exited', state: 'exited' });
  const { stdout } = await world.cli('classify', lone, drawn);
  expect(stdout).toContain('"state":"working","cause":"subagent"');
  expect(stdout).not.toContain('exited');
});

it('CL6 reads a capture with colour codes as the same one without', async () => {
  await using world = new World();
  const coloured = join(world.root, 'coloured.txt');
  const { rows } = recordedScreen('waiting-01-bash-permission');
  writeFileSync(coloured, rows.map((row) => `\x1b[38;5;246m${row}\x1b[39m`).join('\n'));
  const { stdout } = await world.cli('classify', coloured);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'waiting', cause: 'permission' });
});

it('CL6 names a file it cannot read on stderr, prints the others, and ends with 4', async () => {
  await using world = new World();
  const good = join(SCREENS, 'idle-02-after-turn.txt');
  const { code, stdout, stderr } = await world.cli('classify', '/nowhere.txt', good, SCREENS);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ file: good, group: 'idle' });
  expect(stderr).toContain('/nowhere.txt');
  expect((await world.cli('classify')).code).toBe(2);
});
