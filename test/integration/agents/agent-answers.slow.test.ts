/** From an agent's question to a person's answer and back, with every part real. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { pressKeys } from '../../support/browser/press-keys.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const ASK = { do: 'ask', command: 'npm install left-pad', description: 'Install a package' };
const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const STAY = { do: 'step', work_ms: 600_000, signal: PLAN };
const TALK = { do: 'say', lines: ['Waiting for you.'] };

/** A loop of a client that supports hooks. */
async function startLoop(
  world: World,
  api: ApiClient,
  steps: object[],
  more: object = {},
): Promise<void> {
  const taskDir = world.taskDir('one', { status_record: true, after: 'idle', steps, ...more });
  await openShell(api, 'web', taskDir);
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
}

function useKnownClient(world: World): void {
  const stand = readFileSync(join(world.root, 'bin/claude'), 'utf8').split('\n')[1] ?? '';
  world.writeClient('2.1.329 (Claude Code)', stand);
}

async function agentIs(api: ApiClient, state: AgentState['state']): Promise<AgentState> {
  return until(`the agent to be ${state}`, async () => {
    const { body } = await api.get('/api/sessions/web');
    const agent = body['agent'] as AgentState | null;
    return agent?.state === state ? agent : null;
  });
}

/** The one open item, once it can be answered. */
async function asked(api: ApiClient): Promise<AttentionItem> {
  return until('the question in the inbox', async () => {
    const { body } = await api.get('/api/attention');
    const items = body['items'] as AttentionItem[];
    return items.length === 1 && items[0]?.request ? items[0] : null;
  });
}

async function allow(api: ApiClient, { id }: AttentionItem): Promise<number> {
  return (await api.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' })).status;
}

async function deliveries(api: ApiClient): Promise<unknown[]> {
  const { body } = await api.get('/api/sessions/web/inputs');
  return (body['inputs'] as { text: string; delivery: string }[]).map((input) => [
    input.text,
    input.delivery,
  ]);
}

it('AT2 AG13 IN2 a permission is answered without a key, and input sent meanwhile follows', async () => {
  await using world = new World();
  useKnownClient(world);
  const { api } = await world.start();
  await startLoop(world, api, [ASK, TALK]);
  expect((await agentIs(api, 'waiting')).cause).toBe('permission');
  // The screen may have been first; the record is authoritative.
  await until('the record', async () => (await agentIs(api, 'waiting')).witness === 'record');
  const item = await asked(api);
  expect(item).toMatchObject({ reason: 'permission', request: { tool: 'Bash' } });
  // A digit would choose an option of the dialog.
  expect(await typeInto(api, 'web', '2')).toBe('held');
  expect(await allow(api, item)).toBe(200);
  await until('the input to follow', async () => {
    return JSON.stringify(await deliveries(api)) === '[["2","delivered"]]';
  });
  const cleared = await api.event('attention.cleared');
  expect(cleared.data).toMatchObject({ id: item.id, outcome: 'answered', by: 'admin' });
  expect((await rowsOf(api, 'web')).join('\n')).toContain('❯ 2');
  expect(await allow(api, item)).toBe(409);
});

it('HK25 AT2 a daemon that is killed while an agent asks allows nothing; the next one asks again', async () => {
  await using world = new World();
  useKnownClient(world);
  const first = await world.spawn();
  await startLoop(world, first.api, [ASK, STAY]);
  const before = await asked(first.api);
  await first.kill();
  const { api } = await world.spawn();
  const again = await asked(api);
  expect(again.id).not.toBe(before.id);
  expect(await allow(api, before)).toBe(409);
  expect((await agentIs(api, 'waiting')).cause).toBe('permission');
  expect(await allow(api, again)).toBe(200);
  await agentIs(api, 'working');
});

it('AT15 a request answered in the terminal while no daemon ran cannot be answered again', async () => {
  await using world = new World();
  useKnownClient(world);
  const first = await world.spawn();
  await startLoop(world, first.api, [ASK, STAY]);
  const before = await asked(first.api);
  await first.kill();
  await pressKeys(world, '1');
  const { api } = await world.spawn();
  await agentIs(api, 'working');
  const again = await until('the question asked again', async () => {
    const { body } = await api.get('/api/attention?state=all');
    return (body['items'] as AttentionItem[]).find(({ id }) => id !== before.id) ?? null;
  });
  expect(await allow(api, again)).toBe(409);
  const { body } = await api.get(`/api/attention/${again.id}`);
  expect(body).toMatchObject({ outcome: 'resolved', by: null, answer: null });
});

it('LP11 a client that a person quits ends its loop, without a restart', async () => {
  await using world = new World();
  useKnownClient(world);
  const { api } = await world.start();
  await startLoop(world, api, [TALK]);
  await agentIs(api, 'ready');
  expect(await typeInto(api, 'web', '/exit')).not.toBe('failed');
  const { data } = await api.event('auto.ended');
  expect(data).toMatchObject({ reason: 'user_closed', restart_count: 0 });
  expect(await agentIs(api, 'exited')).toMatchObject({ cause: 'by_person' });
});

it('AG13 a killed client is exited, also when its record remains', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '600000' });
  useKnownClient(world);
  const { api } = await world.start();
  await startLoop(world, api, [
    { ...STAY, work_ms: 300 },
    { do: 'crash', signal: 'SIGKILL' },
  ]);
  expect(await agentIs(api, 'exited')).toMatchObject({ cause: 'none', witness: 'process' });
});

it('SI6, AT1, AT12 a client without the loop command needs a person, and the item says what to do', async () => {
  await using world = new World();
  useKnownClient(world);
  const { api } = await world.start();
  await startLoop(world, api, [STAY], { knows_command: false });
  const item = await until('the item', async () => {
    const { body } = await api.get('/api/attention');
    return (body['items'] as AttentionItem[])[0];
  });
  expect(item).toMatchObject({ session: 'web', reason: 'command_missing', request: null });
  expect(item.detail).toMatch(/^Unknown command: \/moonview:auto/);
  expect(await agentIs(api, 'ready')).toMatchObject({ cause: 'command_missing' });
  const { code, stdout } = await world.cli('attention');
  expect([code, stdout.split('\n').slice(1)]).toEqual([
    0,
    [
      '  Loop command missing: The agent does not know the loop command',
      '    Unknown command: /moonview:auto',
      '  Open the terminal: install the agent’s loop command.',
      '  loopwatch session attach web',
      '',
    ],
  ]);
});
