/** The stand-in agent in a real terminal: its keys, its status record, its exits. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SIGNAL_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import {
  auto,
  launch,
  openTerminal,
  readJson,
  task,
  temporaryDirectory,
} from '../../support/agents/stand-in.ts';
import { until } from '../../support/house/until.ts';

const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const LONG_WORK = { do: 'step', work_ms: 60_000, signal: PLAN };
const LAST_STEP = { do: 'step', signal: REPORT };
const DEAF = [{ do: 'deaf' }, { do: 'say', lines: ['Not listening.'] }];

test('SI1 the status record follows every change and is removed on exit', async () => {
  const home = temporaryDirectory();
  const { terminal, shows, exited } = openTerminal(['--session-id', 'the-id'], {
    CLAUDE_CONFIG_DIR: home,
    LOOPWATCH_STAND_IN_RECORD: '1',
  });
  const readRecord = () => readJson(home, `sessions/${terminal.pid}.json`);
  const hasStatus = (status: string) =>
    until(`it is ${status}`, () => {
      const isWritten = fs.existsSync(path.join(home, `sessions/${terminal.pid}.json`));
      return isWritten && readRecord().status === status;
    });

  await hasStatus('idle');
  await shows('manual mode on');
  terminal.write(`${auto(task([LONG_WORK]))}\r`);
  await hasStatus('busy');
  const record = readRecord();
  terminal.write('\u001b');
  await hasStatus('idle');
  terminal.write('/exit\r');

  expect(await exited).toBe(0);
  expect(fs.readdirSync(path.join(home, 'sessions'))).toEqual([]);
  const time = expect.any(Number) as number;
  expect(record).toEqual({
    pid: terminal.pid,
    sessionId: 'the-id',
    cwd: process.cwd(),
    version: '0.0.0',
    startedAt: time,
    procStart: record.procStart,
    kind: 'interactive',
    entrypoint: 'cli',
    status: 'busy',
    statusUpdatedAt: time,
    updatedAt: time,
  });
});

test('SI1 a crash leaves the status record behind as busy', async () => {
  const home = temporaryDirectory();
  const directory = task([{ do: 'crash', signal: 'SIGKILL' }], { status_record: true });
  const { child, closed } = launch([auto(directory)], { CLAUDE_CONFIG_DIR: home });
  expect((await closed).signal).toBe('SIGKILL');
  expect(readJson(home, `sessions/${child.pid}.json`).status).toBe('busy');
});

test.for(Object.entries({ SIGTERM: 143, SIGHUP: 129 }))(
  'SI1 %s ends a working client cleanly with %i',
  async ([signal, code]) => {
    const { terminal, shows, exited } = openTerminal([auto(task([LONG_WORK]))]);
    await shows('Planning…');
    process.kill(terminal.pid, signal);
    expect(await exited).toBe(code);
  },
);

test('SI1 a typed /exit ends it and returns the terminal', async () => {
  const { terminal, shows, exited, output } = openTerminal([]);
  await shows('manual mode on');
  expect(terminal.process).toBe('claude');
  terminal.write('/exxit\u007f\u007f\u007fit\r');
  expect(await exited).toBe(0);
  expect(output()).toMatch(/\?2004h.*\?2004l(?!.*\?2004h)/s);
});

test('SI1 Ctrl-C interrupts the work, then asks, then exits', async () => {
  const directory = task([LONG_WORK], { after: 'exit' });
  const { terminal, shows, exited } = openTerminal([auto(directory)]);
  await shows('esc to interrupt');
  terminal.write('\u0003');
  await shows('⎿  Interrupted · What should Claude do instead?');
  terminal.write('\u0003');
  await shows('Press Ctrl-C again to exit');
  terminal.write('\u0003');
  expect(await exited).toBe(0);
  expect(fs.readdirSync(directory)).not.toContain(SIGNAL_FILE);
});

test('SI1 Ctrl-C and Escape do not reach a deaf agent', async () => {
  const directory = task([...DEAF, { ...LAST_STEP, work_ms: 500 }], { after: 'exit' });
  const { terminal, shows, exited } = openTerminal([auto(directory)]);
  await shows('Not listening.');
  terminal.write('\u0003\u001b');
  expect(await exited).toBe(0);
  expect(readJson(directory, SIGNAL_FILE)).toMatchObject({ step: 'report' });
});

test('SI1 a pasted command starts a loop that ends idle; what is typed meanwhile waits', async () => {
  const directory = task([{ ...LAST_STEP, work_ms: 500 }]);
  const { terminal, shows, exited } = openTerminal([]);
  await shows('manual mode on');
  terminal.write(`\u001b[200~${auto(directory)}\n\u001b[201~`);
  terminal.write('\r');
  await shows('Reporting…');
  terminal.write('and then?\r');
  await shows('⎿  Queued');
  await shows('I only play auto loops.');
  expect(readJson(directory, SIGNAL_FILE)).toMatchObject({ step: 'report', iteration: 1 });
  terminal.write('/exit\r');
  expect(await exited).toBe(0);
});

test('SI1 silence writes no byte to the screen', async () => {
  const silence = { do: 'silence', ms: 2_000 };
  const steps = [{ do: 'say', lines: ['Before.'] }, silence, { do: 'say', lines: ['After.'] }];
  const { exited, longestGapMs } = openTerminal([auto(task(steps, { after: 'exit' }))]);
  await exited;
  expect(longestGapMs()).toBeGreaterThan(600);
});
