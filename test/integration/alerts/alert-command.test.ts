/** Alerts that run a command: its input, what it must not get, and how it ends. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { AlertHome, loopFailed, taskFailed } from '../../support/alerts/alert-home.ts';
import { eventRecord } from '../../support/events/event-record.ts';
import { until } from '../../support/house/until.ts';

const FAILED = { types: ['auto.failed'] };

/** A script with words as `$1`, `$2`, … */
function command(script: string, ...words: string[]) {
  const argv = ['/bin/sh', '-c', script, 'sh', ...words];
  return { kind: 'command' as const, argv };
}

/** Waits until the file is complete. */
async function textOf(path: string): Promise<string> {
  await until(path, () => existsSync(path));
  return readFileSync(path, 'utf8');
}

it('AL7 a command gets the event on its standard input, and its arguments as they are', async () => {
  await using home = new AlertHome();
  const [body, words] = [home.file('body'), home.file('words')];
  const script = 'cat > "$1"; printf "%s|" "$@" > "$2"';
  home.rule(command(script, body, words, '$(touch pwned)', '; a b', ''), FAILED);
  home.emit(loopFailed('web', 'quota'));
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({ state: 'sent', status: 0, error: null });
  const at = new Date(home.clock.now()).toISOString();
  const record = { ...eventRecord(loopFailed('web', 'quota'), 1, at), epoch: home.log.epoch };
  expect(JSON.parse(await textOf(body))).toEqual({
    type: 'auto.failed',
    timestamp: at,
    data: record,
  });
  expect(await textOf(words)).toBe(`${body}|${words}|$(touch pwned)|; a b||`);
});

it('AL7 its environment is what it was given and the event, nothing else', async () => {
  await using home = new AlertHome({ PATH: '/usr/bin:/bin', HOME: '/home/me' });
  const file = home.file('environment');
  home.rule({ kind: 'command', argv: ['env'] }, FAILED);
  home.rule(command('env > "$1.new"; mv "$1.new" "$1"', file), FAILED);
  home.emit(loopFailed('web', 'quota'));
  await home.attempted(2);
  const ids = home.deliveries().map(({ id }) => id);
  const [first] = home.deliveries();
  const lines = (text: string) => text.trim().split('\n').sort();
  expect(lines(first?.output ?? '')).toEqual([
    'HOME=/home/me',
    `LOOPWATCH_ALERT_ID=${ids[0]}`,
    'LOOPWATCH_EVENT_REASON=quota',
    'LOOPWATCH_EVENT_SESSION=web',
    'LOOPWATCH_EVENT_SUBJECT=loop:web',
    'LOOPWATCH_EVENT_TASK=',
    'LOOPWATCH_EVENT_TYPE=auto.failed',
    'PATH=/usr/bin:/bin',
  ]);
  expect(await textOf(file)).toContain(`LOOPWATCH_ALERT_ID=${ids[1]}\n`);
});

it('AL1, AL7 a failed task reaches the rule that names it, and its name the command', async () => {
  await using home = new AlertHome({ PATH: '/usr/bin:/bin' });
  home.rule({ kind: 'command', argv: ['env'] }, { types: ['task.*'], tasks: ['fix-login'] });
  for (const task of ['other', 'fix-login']) home.emit(taskFailed(task));
  await home.attempted(1);
  expect(home.deliveries()).toMatchObject([{ session: null, task: 'fix-login', state: 'sent' }]);
  const lines = home.deliveries()[0]?.output?.split('\n');
  expect(lines).toContain('LOOPWATCH_EVENT_TASK=fix-login');
  expect(lines).toContain('LOOPWATCH_EVENT_REASON=tests_failed');
  await home.restart();
  expect(home.alerts.list('admin')).toMatchObject([{ tasks: ['fix-login'] }]);
});

it('AL6, AL26 an exit code, a signal and a missing program are failures; the end of the output is kept', async () => {
  await using home = new AlertHome();
  const many = 'head -c 5000 /dev/zero | tr "\\0" a; echo out; echo err >&2; exit 3';
  home.rule(command(many), FAILED);
  home.rule(command('kill -9 $$'), FAILED);
  home.rule({ kind: 'command', argv: ['/no/such/program'] }, FAILED);
  home.rule({ kind: 'command', argv: ['/bin/sh', '-c', 'true', 'x'.repeat(4_000)] }, FAILED);
  home.emit(loopFailed('web'));
  await home.attempted(4);
  const [code, signal, missing, fine] = home.deliveries();
  expect([code, signal, missing, fine]).toMatchObject([
    { state: 'waiting', status: 3, error: 'exit code 3' },
    { state: 'waiting', status: null, error: 'ended by SIGKILL' },
    { state: 'waiting', status: null, error: 'cannot run the command (ENOENT)' },
    { state: 'sent', status: 0, error: null },
  ]);
  expect(code?.output).toHaveLength(1024);
  expect(code?.output).toMatch(/^a+(out\nerr\n|err\nout\n)$/);
});

it('AL26 a command that reads nothing and exits at once is not a failure', async () => {
  await using home = new AlertHome();
  home.rule({ kind: 'command', argv: ['true'] }, FAILED);
  for (let n = 0; n < 10; n += 1) home.emit(loopFailed(`s${n}`));
  await home.attempted(10);
  expect(home.deliveries().map(({ state }) => state)).toEqual(Array(10).fill('sent'));
  expect(home.errors).toEqual([]);
});

it('AL27 after 30 s the command and everything it started are killed', async () => {
  await using home = new AlertHome();
  const pids = home.file('pids');
  home.rule(
    command('trap "" TERM; sleep 1000 & echo $$ $! > "$1.new"; mv "$1.new" "$1"; wait', pids),
    FAILED,
  );
  home.emit(loopFailed('web'));
  const [leader = 0, child = 0] = (await textOf(pids)).split(' ').map(Number);
  home.clock.advance(29_999);
  expect([readProcess(leader), readProcess(child)]).not.toContain(null);
  home.clock.advance(1);
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({ state: 'waiting', error: 'killed after 30 s' });
  await until('both are gone', () => [leader, child].every((pid) => readProcess(pid) === null));
});

it('AL26, AL27 processes that a successful command left running are ended after 30 s; it still counts as sent', async () => {
  await using home = new AlertHome();
  const pids = home.file('pids');
  home.rule(command('sleep 1000 & echo $$ $! > "$1.new"; mv "$1.new" "$1"', pids), FAILED);
  home.emit(loopFailed('web'));
  const [leader = 0, left = 0] = (await textOf(pids)).split(' ').map(Number);
  // Not a zombie any more: its end has been collected.
  await until('the command itself has ended', () => !existsSync(`/proc/${leader}`));
  expect(readProcess(left)).not.toBeNull();
  home.clock.advance(30_000);
  await home.attempted(1);
  expect(home.deliveries()[0]).toMatchObject({ state: 'sent', status: 0 });
  await until('it is gone', () => readProcess(left) === null);
});

it('AL3, AL19, AL27 the end of the daemon ends the command; the next one runs it again, with the same id', async () => {
  await using home = new AlertHome();
  const [pid, ids] = [home.file('pid'), home.file('ids')];
  const script =
    'echo $LOOPWATCH_ALERT_ID >> "$2"; [ -e "$1" ] && exit 0; echo $$ > "$1.new"; mv "$1.new" "$1"; exec sleep 1000';
  home.rule(command(script, pid, ids), FAILED);
  home.emit(loopFailed('web'));
  const running = Number(await textOf(pid));
  await home.restart();
  await until('the first is gone', () => readProcess(running) === null);
  await home.attempted(1);
  const [delivery] = home.deliveries();
  expect(delivery).toMatchObject({ state: 'sent', attempts: 1 });
  expect(readFileSync(ids, 'utf8')).toBe(`${delivery?.id}\n${delivery?.id}\n`);
  expect(home.errors).toEqual([]);
});
