/**
 * The program a client runs for each hook: what it passes on, what it prints, and that it never
 * does harm.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { announce, HookListener } from '../../support/agents/hook-listener.ts';
import { runRelay, writeRunFile } from '../../support/agents/hook-relay.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const STOP = { hook_event_name: 'Stop', session_id: 'x', last_assistant_message: 'ü'.repeat(100) };
const ASK = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: {} };
const ALLOW = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
};
const SILENT = { code: 0, stdout: '', stderr: '' };
const NOWHERE = 'http://127.0.0.1:1';

it('HK5 a hook reaches the daemon with its run, and an ordinary one prints nothing', async () => {
  await using world = new World();
  await using daemon = await HookListener.open(world, ALLOW);
  const result = await runRelay(world, writeRunFile(world), STOP).ended;
  expect(result).toEqual(SILENT);
  expect(daemon.received.map(({ payload }) => payload)).toEqual([STOP]);
  const secret = daemon.received[0]?.authorization?.replace('Bearer ', '') ?? '';
  const run = openHookCapabilities(world.home).verify(secret);
  expect(run).toEqual({ session: 'web', runId: 'r1' });
});

it('HK7 a permission request is held until it is answered, and the answer is printed', async () => {
  await using world = new World();
  await using daemon = await HookListener.open(world, null);
  const relay = runRelay(world, writeRunFile(world), ASK);
  const asked = await until('it was asked', () => daemon.received[0]);
  asked.answer(ALLOW);
  const { stdout, code } = await relay.ended;
  expect({ code, stdout: JSON.parse(stdout) as unknown }).toEqual({ code: 0, stdout: ALLOW });
});

it('HK7 a permission request without a decision prints nothing', async () => {
  await using world = new World();
  await using daemon = await HookListener.open(world, {});
  const result = await runRelay(world, writeRunFile(world), ASK).ended;
  expect([result, daemon.received.length]).toEqual([SILENT, 1]);
});

it('HK25 an interrupted permission request is sent again to the next daemon', async () => {
  await using world = new World();
  const first = await HookListener.open(world, null);
  const relay = runRelay(world, writeRunFile(world), ASK);
  await until('it was asked', () => first.received[0]);
  await first[Symbol.asyncDispose]();
  await using second = await HookListener.open(world, ALLOW);
  expect(JSON.parse((await relay.ended).stdout)).toEqual(ALLOW);
  expect(second.received.map(({ payload }) => payload)).toEqual([ASK]);
});

it.each([
  ['no daemon', () => undefined],
  // No process can have this pid: it is above the kernel's limit.
  ['the file of a daemon that was killed', (world: World) => announce(world, NOWHERE, 2 ** 31 - 1)],
  ['a port nobody listens on', (world: World) => announce(world, NOWHERE, process.pid)],
  [
    'half a file',
    (world: World) => {
      announce(world, NOWHERE, process.pid);
      writeFileSync(join(world.home, 'daemon.json'), '{"url":"ht');
    },
  ],
])('HK5 with %s a hook exits at once, with 0 and without output', async (_, prepare) => {
  await using world = new World();
  announce(world, NOWHERE, 2 ** 31 - 1);
  const runFile = writeRunFile(world);
  prepare(world);
  const result = await runRelay(world, runFile, STOP).ended;
  expect(result).toEqual(SILENT);
});

it('HK5 an ordinary hook abandons a daemon that does not answer, without output', async () => {
  await using world = new World();
  await using daemon = await HookListener.open(world, null);
  const result = await runRelay(world, writeRunFile(world), STOP).ended;
  expect([result, daemon.received.length]).toEqual([SILENT, 1]);
});

it.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['more than a megabyte', JSON.stringify({ ...STOP, prompt: 'x'.repeat(1024 * 1024) })],
])('HK5 given %s a hook exits with 0, without output, and sends nothing', async (_, payload) => {
  await using world = new World();
  await using daemon = await HookListener.open(world, ALLOW);
  const result = await runRelay(world, writeRunFile(world), payload).ended;
  expect({ result, received: daemon.received }).toEqual({ result: SILENT, received: [] });
});

it('HK5 without its run file a hook exits with 0 and without output', async () => {
  await using world = new World();
  await using daemon = await HookListener.open(world, ALLOW);
  const result = await runRelay(world, join(world.root, 'gone.json'), ASK).ended;
  expect({ result, received: daemon.received }).toEqual({ result: SILENT, received: [] });
});
