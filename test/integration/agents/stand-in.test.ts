/** The stand-in agent as a supervisor sees it: what it plays, writes and runs into. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRouted } from '../../../shared/rules/loops/loop-routing.ts';
import { AutoSignal, SIGNAL_FILE, STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { auto, launch, readJson, task } from '../../support/agents/stand-in.ts';
import { until } from '../../support/house/until.ts';

const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const PASS = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const LONG_WORK = { do: 'step', work_ms: 60_000, signal: PLAN };
const LAST_STEP = { do: 'step', signal: REPORT };
const DEAF = [{ do: 'deaf' }, { do: 'say', lines: ['Not listening.'] }];

test('SI1 --version names the stand-in and exits', async () => {
  const named = { LOOPWATCH_STAND_IN_VERSION: '2.1.329' };
  const [first, second] = [launch(['--version']), launch(['--version'], named)];
  expect(await first.closed).toMatchObject({ code: 0, stdout: '0.0.0 (Loopwatch stand-in)\n' });
  expect(await second.closed).toMatchObject({ stdout: '2.1.329 (Loopwatch stand-in)\n' });
});

test('SI1 the built-in loop writes its signals in routed order and completes the task', async () => {
  const directory = task();
  const signals = new Map<number, AutoSignal>();
  const read = () => {
    if (!fs.existsSync(path.join(directory, SIGNAL_FILE))) return;
    const signal = AutoSignal.parse(readJson(directory, SIGNAL_FILE));
    signals.set(signal.iteration ?? 0, signal);
  };
  const watcher = fs.watch(directory, read);
  onTestFinished(() => watcher.close());

  const { closed } = launch(['--settings', 'hooks.json', '--new-flag', auto(directory)], {
    LOOPWATCH_STAND_IN_STEP_MS: '250',
  });

  expect((await closed).code).toBe(0);
  read();
  const routed = [
    'plan (generated) check',
    'check PASS exec',
    'exec (mid-exec) check',
    'check CONTINUE exec',
    'exec (done) check',
    'check ACCEPT merge',
    'merge success report',
    'report (generated) (stop)',
  ];
  // On a busy machine one may be replaced before it is read; each has its number.
  const seen = [...signals].map(([n, { step, result, next }]) => [n, `${step} ${result} ${next}`]);
  expect(seen).toEqual(seen.map(([n]) => [n, routed[Number(n) - 1]]));
  expect(seen.at(-1)).toEqual([routed.length, routed.at(-1)]);
  expect([...signals.values()].every((signal) => isRouted(signal))).toBe(true);
  expect(readJson(directory, '.index.json')).toMatchObject({ status: 'complete', phase: '' });
});

test('SI2 the index follows the steps and keeps what a person wrote', async () => {
  const blocked = { step: 'check', result: 'BLOCKED', next: '(stop)' };
  const plan = { ...LONG_WORK, work_ms: 0 };
  const directory = task([plan, { do: 'step', signal: blocked }]);
  const own = { title: 'Mine', type: 'bug', phase: '', completed_steps: 0, created: 'c', tags: [] };
  const before = JSON.stringify({ ...own, status: 'draft', updated: '' });
  fs.writeFileSync(path.join(directory, '.index.json'), before);

  await launch([auto(directory)]).closed;

  const index = readJson(directory, '.index.json');
  expect(index).toEqual({ ...own, status: 'blocked', updated: index.updated });
});

test.for([
  ['{"reason":"user_stop"}', '(user_stop)'],
  ['\u0000 not a stop file {', '(unknown reason)'],
] as const)('a stop file ends the loop before the next step and stays: %s', async (stop) => {
  const directory = task([LAST_STEP], { exit_code: 7 });
  fs.writeFileSync(path.join(directory, STOP_FILE), stop[0]);

  const { code, stdout } = await launch([auto(directory)]).closed;

  const files = fs.readdirSync(directory).sort();
  expect([code, files]).toEqual([7, [STOP_FILE, '.index.json', 'stand-in.json']]);
  expect(stdout).toContain(stop[1]);
});

test('SI1 a deaf agent ignores the stop file and polite signals', async () => {
  const directory = task([...DEAF, { ...LONG_WORK, work_ms: 500 }, LAST_STEP]);
  const { child, output, closed } = launch([auto(directory)]);
  await until('it is deaf', () => output.stdout.includes('Not listening.'));

  fs.writeFileSync(path.join(directory, STOP_FILE), '{"reason":"user_stop"}');
  child.kill('SIGTERM');
  child.kill('SIGINT');

  expect((await closed).code).toBe(0);
  expect(readJson(directory, SIGNAL_FILE)).toMatchObject({ step: 'report', iteration: 2 });
});

test('SI2 a crash happens as often as the scenario says; each start continues with the first open step', async () => {
  const directory = task([
    { do: 'step', say: ['First.'], signal: PLAN },
    { do: 'crash', code: 3, times: 1 },
    { do: 'step', say: ['Second.'], signal: PASS },
    { do: 'crash', signal: 'SIGKILL', times: 1 },
    { do: 'step', say: ['Third.'], signal: REPORT },
  ]);
  const starts = [];
  for (let start = 0; start < 4; start += 1) {
    const { code, signal, stdout } = await launch([auto(directory)]).closed;
    starts.push({ end: signal ?? code, said: stdout.match(/\w+\.$/gm) });
  }
  expect(starts).toEqual([
    { end: 3, said: ['First.'] },
    { end: 'SIGKILL', said: ['Second.'] },
    { end: 0, said: ['Third.'] },
    // Everything was played: another start is a new loop with all its crashes.
    { end: 3, said: ['First.'] },
  ]);
});

test('SI2 an exit step leaves at once, at every start', async () => {
  const directory = task([{ do: 'exit', code: 4 }]);
  expect(await launch([auto(directory)]).closed).toMatchObject({ code: 4 });
  expect(await launch([auto(directory)]).closed).toMatchObject({ code: 4 });
});

test('SI2 a raw signal is written as it is, and the last signal can be removed', async () => {
  const torn = task([{ do: 'raw_signal', text: '{"step":"pl' }]);
  const gone = task([LAST_STEP], { remove_signal_at_end: true });
  await Promise.all([launch([auto(torn)]).closed, launch([auto(gone)]).closed]);
  expect(fs.readFileSync(path.join(torn, SIGNAL_FILE), 'utf8')).toBe('{"step":"pl');
  expect(fs.readdirSync(gone)).not.toContain(SIGNAL_FILE);
});

test('SI2 the scenario of the task directory comes before the one of the environment', async () => {
  const elsewhere = task([{ do: 'say', lines: ['From elsewhere.'] }]);
  const extra = { LOOPWATCH_STAND_IN_SCENARIO: path.join(elsewhere, 'stand-in.json') };
  const own = launch([auto(task([{ do: 'say', lines: ['From here.'] }]))], extra);
  const foreign = launch([auto(task())], extra);
  expect((await own.closed).stdout).toContain('From here.');
  expect((await foreign.closed).stdout).toContain('From elsewhere.');
});

test.for([
  [[{ do: 'dance' }], {}, 'steps[0].do'],
  [[], { stepz: [] }, 'stepz'],
  [[{ do: 'crash', code: 1, signal: 'SIGKILL' }], {}, 'not both'],
] as const)('a bad scenario is refused with its mistake: %j', async ([steps, more, mistake]) => {
  const directory = task([...steps], more);
  const { code, stderr } = await launch([auto(directory)]).closed;
  expect(code).toBe(2);
  expect(stderr).toContain(path.join(directory, 'stand-in.json'));
  expect(stderr).toContain(mistake);
});

test('SI1 a missing task directory is reported and fails', async () => {
  const { code, stdout } = await launch([auto('/dev/null/missing')]).closed;
  expect(code).toBe(1);
  expect(stdout).toContain('/dev/null/missing is not a directory');
});
