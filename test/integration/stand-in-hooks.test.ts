/** The stand-in's dialogs, limits and hooks, in a session as a supervisor sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HookReceiver } from '../../server/attention/hook-receiver.ts';
import type { ApiClient } from '../support/api-client.ts';
import { openShell, rowsOf } from '../support/terminal-view.ts';
import { pressKeys } from '../support/press-keys.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

const REPORT = {
  do: 'step',
  signal: { step: 'report', result: '(generated)', next: '(stop)' },
};
const ASK = { do: 'ask', command: 'npm install left-pad', description: 'Install a package' };

interface Heard {
  event: string;
  payload: Record<string, unknown>;
}

/** A loop of a client that is known to take hooks; `decision` answers its permission requests. */
async function start(world: World, steps: object[], decision: object | null = null) {
  const heard: Heard[] = [];
  const receiver: HookReceiver = {
    receive: async (_session, _runId, body) => {
      const payload = body as Record<string, unknown>;
      heard.push({ event: String(payload['hook_event_name']), payload });
      const isAsked = payload['hook_event_name'] === 'PermissionRequest';
      return Promise.resolve(
        isAsked && decision !== null
          ? { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
          : null,
      );
    },
  };
  const stand = readFileSync(join(world.root, 'bin/claude'), 'utf8').split('\n')[1] ?? '';
  world.writeClient('2.1.329 (Claude Code)', stand);
  const { api } = await world.start(undefined, { hookReceiver: receiver });
  const taskDir = world.taskDir('one', { status_record: true, after: 'exit', steps });
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir);
  return { api, heard };
}

function record(world: World): Record<string, unknown> {
  const directory = join(world.root, 'claude', 'sessions');
  const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, unknown>;
}

async function shows(api: ApiClient, text: string): Promise<string[]> {
  return until(text, async () => {
    const rows = await rowsOf(api, 'web');
    return rows.some((row) => row.includes(text)) ? rows : null;
  });
}

it('SI3 it reports its start, its prompt, the end of its turn and its own end', async () => {
  await using world = new World();
  const { api, heard } = await start(world, [REPORT]);
  await api.event('auto.ended');
  await until('all hooks have arrived', () => heard.length >= 4);
  expect(heard.map(({ event }) => event).sort()).toEqual([
    'SessionEnd',
    'SessionStart',
    'Stop',
    'UserPromptExpansion',
  ]);
});

it('SI4 it asks in a dialog in place of its box, and a key answers', async () => {
  await using world = new World();
  const { api, heard } = await start(world, [ASK, REPORT]);
  const rows = (await shows(api, 'Do you want to proceed?')).filter((row) => row !== '');
  expect(rows.slice(-5)).toEqual([
    expect.stringMatching(/^╌+$/),
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    ' Esc to cancel',
  ]);
  expect(rows.filter((row) => row.startsWith('❯'))).toHaveLength(1);
  expect(record(world)).toMatchObject({ status: 'waiting', waitingFor: 'permission prompt' });
  await until('the hook arrives', () => heard.some(({ event }) => event === 'PermissionRequest'));
  expect(heard.find(({ event }) => event === 'PermissionRequest')?.payload).toMatchObject({
    tool_name: 'Bash',
    tool_input: { command: 'npm install left-pad', description: 'Install a package' },
  });
  await pressKeys(world, 'x');
  expect(record(world)).toMatchObject({ status: 'waiting' });
  await pressKeys(world, 'y1');
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
});

it('SI4 a "no" at the keyboard ends the turn', async () => {
  await using world = new World();
  const { api } = await start(world, [ASK, REPORT]);
  await shows(api, 'Do you want to proceed?');
  await pressKeys(world, '2');
  await shows(api, 'Interrupted');
});

it.each([
  ['Allowed', { behavior: 'allow' }],
  ['Denied', { behavior: 'deny', message: 'no' }],
])('SI4 its hook answers: %s', async (word, decision) => {
  await using world = new World();
  const { api } = await start(world, [ASK, REPORT], decision);
  await shows(api, `${word} by PermissionRequest hook`);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
});

it('SI5 at a usage limit it says until when, is idle by its record, and goes on by itself', async () => {
  await using world = new World();
  const { api, heard } = await start(world, [{ do: 'limit', ms: 1_500 }, REPORT]);
  const rows = await shows(api, 'Continuing automatically at');
  expect(rows.join('\n')).toMatch(
    /⎿ {2}You've hit your 5-hour limit · resets \d+:\d\d[ap]m \(UTC\)/,
  );
  expect(rows.join('\n')).not.toContain('esc to interrupt');
  expect(record(world)).toMatchObject({ status: 'idle' });
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
  await until('all hooks have arrived', () => heard.length >= 6);
  expect(heard.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['StopFailure', 'Notification', 'Stop']),
  );
});
