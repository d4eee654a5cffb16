/** Every command of the command line, with no reader for its output. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../server/cli/cli.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { brokenOutput, runBroken } from '../../support/tasks/broken-output.ts';
import { inTerminal } from '../../support/terminals/in-terminal.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const CLOSED = 141;

/** The arguments of each runnable command, as a person types them. */
function leaves(command: Command, words: readonly string[] = []): string[][] {
  if (command.commands.length === 0) return [[...words]];
  return command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
}

const COMMANDS = leaves(await createProgram());

/**
 * In this order, because some need what an earlier one created. A command missing here needs a
 * state of its own and is run with `--help` instead; `start`, `demo` and `watch` have tests below.
 */
const PRINTING = `
  status · status --json · login · logs · doctor · service
  people list · people invite Mia --role viewer · people role Mia operator
  people rename Mia Kim · people link Kim · people remove Kim
  auto status · auto lookup tasks/live · auto limits live --max-iterations 30
  auto start tasks/other · auto stop other
  why live · history · history --json
  screen live · record live start · record live stop
  session ignore tasks/other · session ignore · session ignore tasks/other --off
  input live words --no-submit · input live --list --json
  fleet ls · fleet claims
  module ls · attention · attention --json · prompt list · prompt add title --content words
  alerts list · alerts log
  alerts add hook --type auto.failed --webhook http://127.0.0.1:9/
  task create fix --description x --no-worktree --root tasks/other
  task list · task show fix · task log fix · task tests fix
  task inputs fix
  classify capture.txt · step init --dir tasks/new --target words · step entry --dir tasks/new
  step done --dir tasks/new --step plan --result (generated) · step status --dir tasks/new
  step lock --dir tasks/new · step lock --dir tasks/new --release · step guide --dir x --step plan
  budget set day cost 20 · budget ls · budget raise 1 30 · budget rm 1
  client trust 2.1.900 · client ls · client distrust 2.1.900 · reserve show · reserve set --line 100 --keep none · reserve off
  question set all escalate --after 30 · question ls · question try 1 · question on 1
  question off 1 · question rm 1
  project ls · project ls --json
  loop history · report --markdown · report --json · usage · usage --by model --json · usage --csv
  backup kept.db --force
`
  .trim()
  .split(/\n| · /)
  .map((line) => line.trim().split(' '));

it('CL17, CL28 every command exits with its code only when no one reads its output', async () => {
  await using world = new World();
  for (const words of COMMANDS) {
    const [help, wrong] = await Promise.all([
      runBroken(world, [...words, '--help'], 'stdout'),
      runBroken(world, [...words, '--no-such-option'], 'stderr'),
    ]);
    expect([words, help.code, help.stderr]).toEqual([words, CLOSED, '']);
    expect([words, wrong.code, wrong.stdout]).toEqual([words, 2, '']);
  }
});

it('CL17 a command that has done its work exits quietly when no one reads its output', async () => {
  await using world = new World();
  world.writeProgram('claude', 'exec sleep 100000');
  const { api } = await world.spawn();
  await startWaitingLoop(world, api);
  world.taskDir('other');
  writeFileSync(join(world.root, 'capture.txt'), '$ \n');
  mkdirSync(join(world.home, 'log'), { recursive: true });
  writeFileSync(join(world.home, 'log/daemon.log'), '{}\n');
  for (const words of PRINTING) {
    const { code, stdout, stderr } = await runBroken(world, words, 'stdout');
    expect([words, code, stdout, stderr]).toEqual([words, CLOSED, '', '']);
  }
  expect((await world.cli('stop')).code).toBe(0);
});

it('CL17 a reader that leaves in the middle of a stream ends it, and its cursor stays before the unread events', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const append = await startWaitingLoop(world, api);
  const cursor = join(world.root, 'cursor');
  const watch = world.run(['watch', '--after', '0', '--cursor-file', cursor]);
  let stderr = '';
  watch.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = once(watch, 'close');
  await once(watch.stdout ?? watch, 'data');
  const before = (await api.events()).length;
  await until('all is printed', () => Number(cursorIn(cursor)) === before);
  watch.stdout?.destroy();
  await append(3);
  expect([await ended, stderr]).toEqual([[CLOSED, null], '']);
  expect(Number(cursorIn(cursor))).toBe(before);
});

it('CL28, CL30 the daemon keeps running when no one reads its output, and a lost message changes no result', async () => {
  await using world = new World();
  const child = world.run(['start'], {}, brokenOutput(world, 'stdout'));
  const ended = once(child, 'exit');
  await until('the daemon answers', async () => (await world.cli('status')).code === 0);
  const lost = await runBroken(world, ['auto', 'status', 'nobody'], 'stderr');
  expect([lost.code, lost.stdout]).toEqual([4, '']);
  expect((await world.cli('stop')).code).toBe(0);
  expect(await ended).toEqual([0, null]);
});

it('CL30 the demo continues for the page when no one reads its output in the shell', async () => {
  await using world = new World();
  const child = world.run(['demo'], {}, brokenOutput(world, 'stdout'));
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = once(child, 'exit');
  await until('its loop runs', async () => {
    const { stdout } = await world.cli('auto', 'status', '--json');
    return stdout.includes('"demo"');
  });
  child.kill('SIGINT');
  expect([await ended, stderr]).toEqual([[0, null], '']);
});

it('CL29 output that is closed from the start is discarded', async () => {
  await using world = new World();
  expect(await runBroken(world, ['--help'], 'closed')).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('CL17 output in a terminal is not cut', async () => {
  await using world = new World();
  const { shown, ended } = inTerminal(world, ['--help']);
  expect(await ended).toBe(0);
  expect(shown()).toContain('watch');
});

it('CL17 only one file of the command line writes to its output', () => {
  const folder = join(packageRoot(), 'server/cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const writing = files
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /\b(stdout|stderr)\.(write|end)\b|\bconsole\./.test(readFileSync(join(folder, name), 'utf8')),
    );
  expect(writing).toEqual(['print/print.ts']);
});

function cursorIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().split(':')[1] ?? '';
  } catch {
    return '';
  }
}
