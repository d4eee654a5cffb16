/** Programs that are run for their output. */
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { markedProcesses } from '../../../server/lib/processes/marked-processes.ts';
import { randomId } from '../../../server/lib/random-id.ts';
import { until } from '../../support/house/until.ts';

const LONG = { timeoutMs: 60_000 };

it('WT20 a program that hangs is killed with what it started', async () => {
  const value = randomId();
  const env = { ...process.env, MARK: value };
  const script = 'sleep 600 & wait';
  const answer = await execFile('sh', ['-c', script], { timeoutMs: 1_000, ownGroup: true, env });
  expect(answer).toMatchObject({ ok: false, timedOut: true });
  await until('nothing is left', () => markedProcesses({ name: 'MARK', value }).length === 0);
});

it('WT16 how a program ended and what it printed are both reported', async () => {
  const sh = async (script: string, more = {}) =>
    execFile('sh', ['-c', script], { ...LONG, ...more });
  expect(await sh('cat', { input: 'ä' })).toEqual({ ok: true, stdout: 'ä' });
  expect(await sh('echo a; echo b >&2; exit 3')).toEqual({
    ok: false,
    timedOut: false,
    code: 3,
    stdout: 'a\n',
    stderr: 'b\n',
  });
  expect(await sh('kill -9 $$')).toMatchObject({ ok: false, timedOut: false, code: null });
  expect(await sh('yes', { maxOutputBytes: 10 })).toMatchObject({
    ok: false,
    timedOut: false,
    stdout: 'y\n'.repeat(5),
  });
  expect(await execFile('/no/such/program', [], LONG)).toMatchObject({ ok: false, code: 'ENOENT' });
});
