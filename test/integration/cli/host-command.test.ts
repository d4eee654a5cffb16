/**
 * Commands that the host runs to check whether a task is done: real processes, and all their
 * descendants.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { randomId } from '../../../server/lib/random-id.ts';
import { type HostCommandResult, runHostCommand } from '../../../server/checks/host-command.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

/** A directory, a stopped clock, and what can be run there. */
class Bench {
  readonly directory = mkdtempSync(join(TEST_ROOT, 'h'));
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  readonly marker = { name: 'LOOPWATCH_TEST_RUN', value: randomId() };

  async run(
    command: string | readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<HostCommandResult> {
    const { directory, clock, marker } = this;
    return runHostCommand(command, {
      directory,
      clock,
      marker,
      timeoutMs: 60_000,
      signal: this.stop.signal,
      environment: { PATH: process.env['PATH'], ...environment },
    });
  }

  /** The numbers in a file, once it is there. */
  async pids(name: string): Promise<number[]> {
    const path = join(this.directory, name);
    await until(name, () => existsSync(path));
    return readFileSync(path, 'utf8').trim().split(/\s+/).map(Number);
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }
}

/** Writes the pids of itself, of a child, and of one that left its group, and waits. */
const FAMILY =
  "sleep 1000 & child=$!; setsid sh -c 'echo $$ > away; exec sleep 1000' >/dev/null 2>&1 & " +
  'until [ -s away ]; do :; done; echo $$ $child $(cat away) > new; mv new pids;';

async function ended(pids: number[]): Promise<void> {
  await until('all are gone', () => pids.every((pid) => readProcess(pid) === null));
}

it('HT3 the exit code decides, not the output', async () => {
  using bench = new Bench();
  expect(await bench.run(['sh', '-c', 'echo FAILED; exit 0'])).toMatchObject({
    status: 'passed',
    exit_code: 0,
    timed_out: false,
    output: 'FAILED',
  });
  expect(await bench.run('echo passed >&2; exit 3')).toMatchObject({
    status: 'failed',
    exit_code: 3,
    output: 'passed',
  });
  expect(await bench.run('kill -9 $$')).toMatchObject({
    status: 'failed',
    exit_code: null,
    output: 'ended by SIGKILL',
  });
});

it('HT6 it runs in its directory, with the environment it is given, and reads nothing', async () => {
  using bench = new Bench();
  const said = await bench.run('pwd; echo "$A|$HOME|$LOOPWATCH_TEST_RUN"; cat; echo end', {
    A: 'b',
  });
  expect(said.output).toBe(`${bench.directory}\nb||${bench.marker.value}\nend`);
  // Arguments are not interpreted.
  expect((await bench.run(['echo', '$(id)', '; a'])).output).toBe('$(id) ; a');
});

it('HT3 what cannot be started fails, and nothing is thrown', async () => {
  using bench = new Bench();
  for (const command of [['/no/such/program'], ['echo', '\0'], []]) {
    expect(await bench.run(command)).toMatchObject({ status: 'failed', exit_code: null });
  }
  const { clock, marker } = bench;
  const result = await runHostCommand('true', {
    clock,
    marker,
    directory: '/no/such/place',
    environment: {},
    timeoutMs: 1_000,
    signal: bench.stop.signal,
  });
  expect(result).toMatchObject({ status: 'failed', output: 'cannot be started (ENOENT)' });
});

it('HT4 after its time limit everything it started is killed, and its output is kept', async () => {
  using bench = new Bench();
  const running = bench.run(`trap "" TERM; echo hello; ${FAMILY} wait`);
  const family = await bench.pids('pids');
  expect(family).toHaveLength(3);
  bench.clock.advance(59_999);
  expect(family.map(readProcess)).not.toContain(null);
  bench.clock.advance(1);
  expect(await running).toEqual({
    status: 'failed',
    exit_code: null,
    timed_out: true,
    duration_ms: 60_000,
    output: 'hello\nkilled after 60 s',
  });
  await ended(family);
});

it('HT4 processes it leaves behind end with it, and its exit code counts', async () => {
  using bench = new Bench();
  const running = bench.run(`${FAMILY} echo done; exit 4`);
  const family = await bench.pids('pids');
  expect(await running).toMatchObject({ status: 'failed', exit_code: 4, output: 'done' });
  await ended(family);
  expect(bench.clock.pending).toBe(0);
});

it('HT4 the end of the daemon ends it without a result; nothing is started after that', async () => {
  using bench = new Bench();
  const running = bench.run(`${FAMILY} wait`);
  const family = await bench.pids('pids');
  bench.stop.abort();
  expect(await running).toMatchObject({ status: 'skipped', exit_code: null, timed_out: false });
  await ended(family);
  expect((await bench.run('touch late')).status).toBe('skipped');
  expect(existsSync(join(bench.directory, 'late'))).toBe(false);
});

it('HT5 the end of a flood is kept, without control sequences', async () => {
  using bench = new Bench();
  const flood = 'head -c 30000000 /dev/zero | tr "\\0" a; echo; echo "the end" >&2';
  const said = await bench.run(flood);
  expect(said.output).toHaveLength(20_000);
  expect(said.output).toMatch(/^a+\nthe end$/);
  const dressed = String.raw`printf '\033[31mred\033[0m\a\r\n\033]0;title\007x\b\ty\302\205é\377'`;
  expect((await bench.run(dressed)).output).toBe('red\nx\tyé\ufffd');
});
