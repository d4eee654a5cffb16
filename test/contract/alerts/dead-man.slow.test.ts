/** `loopwatch watch --dead-man` against daemons that are killed, hang and return. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DaemonNews } from '../../../server/cli/watch-daemon.ts';
import { until } from '../../support/house/until.ts';
import { WatchProcess } from '../../support/daemon/watch-process.ts';
import { World } from '../../support/daemon/world.ts';

/** Longer than an answer takes on a slow machine. */
const SECONDS = '5';

it('AL79, AL80 a killed daemon is reported and delivered, and so is the next one', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const file = join(world.root, 'delivered');
  const exec = `cat >> '${file}'; echo "$LOOPWATCH_DAEMON" >> '${file}'`;
  const watch = new WatchProcess(world, ['--dead-man', SECONDS, '--json', '--exec', exec]);
  await daemon.kill();
  expect(await last(watch, 'gone')).toMatchObject({
    error: expect.stringContaining('no daemon is running') as string,
  });
  await world.spawn();
  expect(await last(watch, 'back')).toMatchObject({ error: null });
  await until('both are delivered', () => {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const states = lines.map((line) => (line.startsWith('{') ? newsOf(line).state : line));
    return states.join(' ').endsWith('gone gone back back');
  });
  expect(await watch.end()).toBe(0);
});

it('AL80 a command that hangs is killed with what it started, and runs again', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const file = join(world.root, 'delivered');
  const exec = `if [ ! -e '${file}' ]; then touch '${file}'; sleep 600 & wait; fi; cat >> '${file}'`;
  const watch = new WatchProcess(world, ['--dead-man', SECONDS, '--exec', exec]);
  await daemon.kill();
  await until('it is delivered', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
  expect(newsOf(readFileSync(file, 'utf8'))).toMatchObject({ state: 'gone' });
  expect(await watch.end()).toBe(0);
});

it('AL79 a daemon that hangs is reported as one that does not answer', async () => {
  await using world = new World();
  const { process: daemon } = await world.spawn();
  const watch = new WatchProcess(world, ['--dead-man', SECONDS]);
  daemon.kill('SIGSTOP');
  await until('it is reported', () => watch.stdout.includes('has not answered since'));
  expect(watch.stdout).toContain('it takes connections and does not answer');
  daemon.kill('SIGCONT');
  await until('it is back', () => watch.stdout.trimEnd().includes('the daemon answers again'));
  expect(await watch.end('SIGINT')).toBe(0);
});

it('AL79 a wrong token and options about events are refused at once', async () => {
  await using world = new World();
  await world.start();
  const wrong = await world.cliWith({ LOOPWATCH_TOKEN: 'wrong' }, 'watch', '--dead-man');
  expect(wrong).toMatchObject({ code: 78, stdout: '' });
  expect(wrong.stderr).toContain('LOOPWATCH_TOKEN');
  for (const more of ['--types=auto.failed', '--session=a', '--after=0', '--cursor-file=c']) {
    const { code, stderr } = await world.cli('watch', '--dead-man', '5', more);
    expect(code, more).toBe(2);
    expect(stderr, more).toContain('--dead-man');
  }
  for (const seconds of ['0', '1.5', 'soon', '86401']) {
    expect((await world.cli('watch', '--dead-man', seconds)).code, seconds).toBe(2);
  }
});

/** Waits until the newest line says that. */
async function last(watch: WatchProcess, state: DaemonNews['state']): Promise<DaemonNews> {
  return until(`it is ${state}`, () => {
    const line = watch.stdout.trimEnd().split('\n').at(-1) ?? '';
    const news = line === '' ? null : newsOf(line);
    return news?.state === state ? news : null;
  });
}

function newsOf(line: string): DaemonNews {
  return JSON.parse(line) as DaemonNews;
}
