/** Permissions and questions of sessions that Loopwatch did not start, answered here. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AttentionItem } from '../../../shared/schema/attention/attention.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import type { FoundClient } from '../../support/found/found-client.ts';
import { find, FoundWorld } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { BASH_REQUEST, QUESTION_REQUEST } from '../../support/agents/need-person.ts';
import { until } from '../../support/house/until.ts';
import { commandsIn, type HookRun, runHook } from '../../support/daemon/user-hook.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
const COLOUR = 'Which colour should the button be?';

class Stage extends FoundWorld {
  command = '';

  /** A daemon whose hooks are installed, and a session that asks. */
  async begin(): Promise<{ api: ApiClient; one: FoundClient }> {
    this.world.writeClient('2.1.330 (Claude Code)', 'exit 1');
    const { api } = await this.world.start();
    await api.send('POST', '/api/client-hooks', { action: 'install' });
    this.command = commandsIn(this)[0] ?? '';
    const one = await this.client({ status: 'busy' });
    await find(api, one);
    return { api, one };
  }

  ask(one: FoundClient, request = BASH_REQUEST, environment: NodeJS.ProcessEnv = {}): HookRun {
    const waitingFor = request.questions.length > 0 ? 'input needed' : 'permission prompt';
    one.write({ status: 'waiting', waitingFor, statusUpdatedAt: Date.now() });
    return runHook(this.command, one, request, environment);
  }
}

async function itemOf(api: ApiClient): Promise<AttentionItem> {
  return until('an item that can be answered', async () => {
    const items = (await api.get('/api/attention')).body['items'] as AttentionItem[];
    return items.find(({ request }) => request !== null);
  });
}

const decisionIn = (stdout: string) =>
  (JSON.parse(stdout) as { hookSpecificOutput: { decision: unknown } }).hookSpecificOutput.decision;

it('FS34 a permission is an item at once, and its answer reaches the session', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  const hook = stage.ask(one);
  const item = await itemOf(api);
  expect(item).toMatchObject({
    subject: { kind: 'found', id: one.id },
    reason: 'permission',
    title: 'Bash: touch made-by-stub.txt',
    request: { tool: 'Bash', input: BASH_REQUEST.input },
  });
  const answer = { decision: 'deny', message: 'Not here.' };
  expect((await api.send('POST', `/api/attention/${item.id}/answer`, answer)).status).toBe(200);
  const { stdout, ...rest } = await hook.ended;
  expect(decisionIn(stdout)).toEqual({ behavior: 'deny', message: 'Not here.' });
  expect(rest).toEqual({ code: 0, stderr: '' });
});

it('FS34 a question is answered in the shell', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  const hook = stage.ask(one, QUESTION_REQUEST);
  const { id, title } = await itemOf(api);
  expect(title).toBe(COLOUR);
  const choice = ['--choose', 'Blue'];
  const { code, stderr } = await stage.world.cli('attention', 'answer', id, 'allow', ...choice);
  expect([code, stderr]).toEqual([0, '']);
  const decision = decisionIn((await hook.ended).stdout);
  expect(decision).toMatchObject({
    behavior: 'allow',
    updatedInput: { answers: { [COLOUR]: 'Blue' } },
  });
  const { answer } = (await api.get(`/api/attention/${id}`)).body;
  expect(answer).toBe('allow');
});

it('FS35 an answer in the terminal ends the item, and the hook prints nothing', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  const hook = stage.ask(one);
  const { id } = await itemOf(api);
  await until('it is seen waiting', async () => (await find(api, one)).agent.state === 'waiting');
  one.write({ status: 'busy', waitingFor: undefined, statusUpdatedAt: Date.now() });
  expect(await hook.ended).toEqual(SILENT);
  expect((await api.get(`/api/attention/${id}`)).body).toMatchObject({ outcome: 'resolved' });
  const late = await api.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' });
  expect(late.body.error?.code).toBe('attention_cleared');
});

it('FS35 an item ends with its hook, and with its session', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  const first = stage.ask(one);
  const { id } = await itemOf(api);
  first.end();
  await first.ended;
  const ending = async (item: string) => (await api.get(`/api/attention/${item}`)).body['outcome'];
  await until('its end', async () => (await ending(id)) === 'resolved');
  const second = stage.ask(one);
  const next = await itemOf(api);
  await one.leave();
  expect(await second.ended).toEqual(SILENT);
  expect(await ending(next.id)).toBe('gone');
});

it.each([
  ['in print mode', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }],
  ['in a terminal of Loopwatch', { LOOPWATCH_TERMINAL_ID: 'x' }],
  ['in a loop', { LOOPWATCH_RUN: 'x' }],
  ['in a turn of a task', { LOOPWATCH_TURN: 'x' }],
])('FS36 %s the hook says nothing and asks no one', async (_, environment) => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  expect(await stage.ask(one, BASH_REQUEST, environment).ended).toEqual(SILENT);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('FS37 without a daemon, and for a session it does not list, the hook ends at once', async () => {
  await using stage = new Stage();
  const { one } = await stage.begin();
  const elsewhere = await stage.clientOf(join(stage.world.root, 'other'));
  expect(await stage.ask(elsewhere).ended).toEqual(SILENT);
  await using dead = new Stage();
  dead.command = stage.command.replaceAll(stage.world.home, dead.world.home);
  expect(await dead.ask(one).ended).toEqual(SILENT);
  rmSync(join(stage.world.home, 'daemon.json'));
  expect(await stage.ask(one).ended).toEqual(SILENT);
});

it('FS37 after the hooks were removed, those of running sessions do nothing', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  await api.send('POST', '/api/client-hooks', { action: 'remove' });
  expect(await stage.ask(one).ended).toEqual(SILENT);
});

it('FS38 the hook asks the next daemon again, as one item that can be answered', async () => {
  await using stage = new Stage();
  stage.world.writeClient('2.1.330 (Claude Code)', 'exit 1');
  const first = await stage.world.spawn();
  await first.api.send('POST', '/api/client-hooks', { action: 'install' });
  stage.command = commandsIn(stage)[0] ?? '';
  const one = await stage.client({ status: 'busy' });
  await find(first.api, one);
  const hook = stage.ask(one);
  const before = await itemOf(first.api);
  await first.kill();
  const { api } = await stage.world.start();
  const { id } = await until('it asks again', async () => {
    const item = await itemOf(api);
    return item.id === before.id ? null : item;
  });
  await api.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' });
  expect(decisionIn((await hook.ended).stdout)).toMatchObject({ behavior: 'allow' });
  expect((await api.get('/api/attention')).body['items']).toEqual([]);
});

it('FS39 viewers see that it asks, and not what', async () => {
  await using stage = new Stage();
  const { api, one } = await stage.begin();
  const hook = stage.ask(one);
  const { id } = await itemOf(api);
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  const shown = (await viewer.get(`/api/attention/${id}`)).body;
  expect(shown).toMatchObject({ title: 'The agent in claude needs permission', request: null });
  const all = await viewer.get('/api/attention?state=all');
  const events = await viewer.get('/api/events?after=0&limit=1000');
  expect(JSON.stringify([shown, all.body, events.body])).not.toContain('touch');
  expect((await viewer.get('/api/client-hooks')).status).toBe(403);
  await api.send('POST', `/api/attention/${id}/dismiss`);
  expect(await hook.ended).toEqual(SILENT);
});
