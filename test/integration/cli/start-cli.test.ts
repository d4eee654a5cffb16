/** What `loopwatch start` prints about itself. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('WI6 WI14 stdout has one line, and daemon.json exists while the daemon runs', async () => {
  await using world = new World();
  const child = world.run(['start']);
  let stdout = '';
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  const file = join(world.home, 'daemon.json');
  await until('the line', () => stdout.endsWith('\n'));
  const { pid, url } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; url: string };
  expect({ pid, stdout }).toEqual({ pid: child.pid, stdout: `loopwatch listening on ${url}\n` });
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect({ stdout, file: existsSync(file) }).toEqual({
    stdout: `loopwatch listening on ${url}\n`,
    file: false,
  });
});
