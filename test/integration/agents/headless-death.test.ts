/** A daemon dies at any moment of a turn; the next one continues the turn. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TurnRequest } from '../../../server/agents/headless/conversations.ts';
import { processesOfTurn } from '../../../server/agents/headless/turn-processes.ts';
import { isAlive, type ProcessIdentity } from '../../../server/lib/processes/process-identity.ts';
import { bundleModule } from '../../support/browser/bundle-module.ts';
import { Talk, TurnRecorder } from '../../support/terminals/talk.ts';
import { until } from '../../support/house/until.ts';

/** When the process that starts a turn kills itself with -9. */
type Moment = 'before_go' | 'after_go' | 'never';

/** Starts a turn from a separate process, which keeps the identity as a daemon does. */
async function startElsewhere(
  talk: Talk,
  request: TurnRequest,
  moment: Moment,
): Promise<ChildProcess> {
  const bundle = await bundleModule('server/agents/headless/conversations.ts', talk.root);
  const { command, environment } = talk.options;
  const script = `
    const { Conversations } = await import(${JSON.stringify(bundle)});
    const { writeFileSync } = await import('node:fs');
    const die = () => process.kill(process.pid, 'SIGKILL');
    const clock = {
      now: Date.now,
      monotonic: () => performance.now(),
      after: (ms, act) => { const timer = setTimeout(act, ms); return { cancel: () => clearTimeout(timer) }; },
      sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    };
    const logger = { warn: () => undefined };
    const options = ${JSON.stringify({ command, environment, pollMs: 50 })};
    const conversations = new Conversations({ ...options, clock, logger });
    conversations.start(${JSON.stringify(request)}, {
      spawned: (identity) => {
        writeFileSync(${JSON.stringify(identityFile(talk))}, JSON.stringify(identity));
        if ('${moment}' === 'before_go') die();
      },
      events: () => undefined,
      ended: () => undefined,
    });
    if ('${moment}' === 'after_go') die();
  `;
  const args = ['--input-type=module', '-e', script];
  return spawn(process.execPath, args, { cwd: talk.root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function identityFile(talk: Talk): string {
  return join(talk.root, 'identity.json');
}

function keptIdentity(talk: Talk): ProcessIdentity {
  return JSON.parse(readFileSync(identityFile(talk), 'utf8')) as ProcessIdentity;
}

it('HC9 a daemon that dies before it lets the client run leaves a turn that never ran', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: say never');
  const [, signal] = (await once(
    await startElsewhere(talk, request, 'before_go'),
    'exit',
  )) as unknown[];
  expect(signal).toBe('SIGKILL');
  const identity = keptIdentity(talk);
  const { recorder } = talk.adopt({ ...request, identity, offset: 0 });
  expect(await recorder.outcome()).toMatchObject({ error: 'not_started', delivery: 'not_heard' });
  expect([isAlive(identity), processesOfTurn(request.id), talk.calls()]).toEqual([false, [], []]);
});

it('HC13 a turn continues when its daemon dies right after that, and the next one adopts it', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: say one\nstand-in: wait 300\nstand-in: say two');
  await once(await startElsewhere(talk, request, 'after_go'), 'exit');
  const { recorder } = talk.adopt({ ...request, identity: keptIdentity(talk), offset: 0 });
  expect(await recorder.outcome()).toMatchObject({ ok: true, text: 'two', delivery: 'heard' });
  expect(recorder.all.map(({ kind }) => kind)).toEqual(['init', 'text', 'text', 'result']);
  expect(talk.calls()).toHaveLength(1);
});

it('HC13 a turn is adopted where it was stored, and what was stored decides its outcome too', async () => {
  using talk = new Talk();
  const steps = ['deny Bash', 'say one', 'wait 400', 'say two', 'limit 60'];
  const request = talk.request(steps.map((step) => `stand-in: ${step}`).join('\n'));
  const daemon = await startElsewhere(talk, request, 'never');
  const output = join(request.directory, 'stdout.ndjson');
  await until('the first words', () => existsSync(output) && /"one"/.test(read(output)));
  const exited = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await exited;
  const identity = keptIdentity(talk);
  expect(isAlive(identity)).toBe(true);
  const known = Buffer.byteLength(read(output).split('\n').slice(0, 2).join('\n')) + 1;

  const next = talk.adopt({ ...request, identity, offset: known });
  const outcome = await next.recorder.outcome();
  expect(outcome).toMatchObject({ error: 'limit', denials: [{ tool: 'Bash' }] });
  expect(next.recorder.lines.map(({ at }) => at.line)).toEqual([3, 4, 5, 6, 7, 8, 9]);

  // A third one, after the end: it gets nothing twice and reports the same.
  const end = next.recorder.lines.at(-1)?.at.offset ?? 0;
  const third = talk.adopt({ ...request, identity, offset: end });
  expect(await third.recorder.outcome()).toEqual(outcome);
  expect(third.recorder.lines).toEqual([]);
});

it('HC11, HC20 an adopted turn is ended like any other', async () => {
  using talk = new Talk();
  const request = talk.request('stand-in: spawn\nstand-in: say x\nstand-in: hang');
  await once(await startElsewhere(talk, request, 'after_go'), 'exit');
  const { turn, recorder } = talk.adopt({ ...request, identity: keptIdentity(talk), offset: 0 });
  await recorder.heard('text');
  expect(processesOfTurn(request.id)).toHaveLength(2);
  expect(await turn.interrupt()).toBe('none');
  expect(recorder.outcomes).toMatchObject([{ error: 'interrupted', delivery: 'heard' }]);
  expect(processesOfTurn(request.id)).toEqual([]);
});

it('HC13 a turn continues when its watcher stops', async () => {
  using talk = new Talk();
  const conversations = talk.open();
  const request = talk.request('stand-in: say one\nstand-in: wait 200\nstand-in: say two');
  const { turn, recorder } = talk.start(request, new TurnRecorder(), conversations);
  await recorder.heard('text');
  conversations.dispose();
  await turn.over;
  const heard = recorder.all.length;
  const { identity } = recorder;
  const next = talk.adopt({ ...request, identity, offset: recorder.lines.at(-1)?.at.offset ?? 0 });
  expect(await next.recorder.outcome()).toMatchObject({ ok: true, text: 'two' });
  expect([recorder.all.length, recorder.outcomes]).toEqual([heard, []]);
  expect(next.recorder.all.map(({ kind }) => kind)).toEqual(['text', 'result']);
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
