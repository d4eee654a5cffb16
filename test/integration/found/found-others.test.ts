/** Sessions of Codex and Gemini: real processes under the paths of real ones, with their files. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FoundSession } from '../../../shared/schema/agents/found.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import { expectListed, FoundWorld, listed } from '../../support/found/found-world.ts';
import {
  type OtherClient,
  say,
  startChat,
  startGemini,
  startHolder,
  startRollout,
} from '../../support/found/other-client.ts';
import { toolCall, turnEvent } from '../../support/found/rollout-lines.ts';
import { until } from '../../support/house/until.ts';

const ONE = '01a21402-3617-7cd0-bf3c-d6b91178492d';
const TWO = '01a21402-e3ff-76b0-a191-5e29115ba6da';
const CHAT = '7e442a9f-8928-4eda-aa0c-a409f5b52eb7';

/** Its clients end with it. */
class OtherStage extends FoundWorld {
  readonly user = join(this.world.root, 'user');
  readonly codexHome = join(this.user, '.codex');
  readonly #started: OtherClient[] = [];

  async holder(...given: Parameters<typeof startHolder>): Promise<OtherClient> {
    return this.#own(await startHolder(...given));
  }

  async gemini(cwd: string): Promise<OtherClient> {
    return this.#own(await startGemini(join(this.world.root, 'npm'), this.user, cwd));
  }

  #own(client: OtherClient): OtherClient {
    this.#started.push(client);
    return client;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map(async (client) => client.kill()));
    await super[Symbol.asyncDispose]();
  }
}

/** `ids`: in their order. */
async function untilListed(api: ApiClient, ids: readonly string[]): Promise<FoundSession[]> {
  let sessions: FoundSession[] = [];
  await until(
    'the listed sessions',
    async () => {
      sessions = (await listed(api)).sort((one, other) => one.id.localeCompare(other.id));
      return sessions.map(({ id }) => id).join() === ids.join();
    },
    () => sessions.map(({ id }) => id),
  );
  return sessions;
}

const idOf = ({ pid, startedAt }: OtherClient, conversation: string) =>
  `${pid}-${startedAt}-${conversation}`;

async function stateOf(api: ApiClient, id: string) {
  const agent = (await listed(api)).find((each) => each.id === id)?.agent;
  return [agent?.state, agent?.witness];
}

it('FS59 FS60 FS61 FS65 SA12 conversations of Codex are listed with their state until their process ends', async () => {
  await using stage = new OtherStage();
  const { world, codexHome } = stage;
  const shop = join(world.root, 'tasks', 'shop');
  mkdirSync(join(shop, '.git'), { recursive: true });
  writeFileSync(join(shop, '.git', 'HEAD'), 'ref: refs/heads/fix/prices\n');
  // Of a conversation that begins in this process.
  const timestamp = new Date(Date.now() + 60_000).toISOString();
  const one = startRollout(codexHome, ONE, shop, { timestamp });
  const two = startRollout(codexHome, TWO, '/tmp');
  const child = startRollout(codexHome, ONE.replace('01', '02'), shop, {
    thread_source: 'subagent',
  });
  await stage.holder(world.root, [one], { name: 'other' });
  await stage.holder(world.root, []);
  const server = await stage.holder(world.root, [one, two, child], { words: 'app-server' });
  const { api } = await world.start();
  const ids = [idOf(server, ONE), idOf(server, TWO)];
  const [first] = await untilListed(api, ids);
  expect(first).toMatchObject({
    pid: server.pid,
    client: 'codex',
    conversation: ONE,
    cwd: shop,
    project: shop,
    branch: 'fix/prices',
    place: 'background',
    version: '0.169.0',
    name: null,
    tmux: null,
    transcript: null,
    agent: { state: 'running', witness: 'process', cause: 'none' },
  });
  const seen = (await api.get(`/api/found/${ids[1] ?? ''}`)).body;
  expect([seen['cwd'], seen['client']]).toEqual(['/tmp', 'codex']);
  const { body: activity } = await api.get(`/api/found/${ids[0] ?? ''}/activity`);
  expect(activity).toMatchObject({ status: 'other_client', conversation: ONE, steps: [] });

  const shows = async (state: string) =>
    until(state, async () => (await stateOf(api, ids[0] ?? ''))[0] === state);
  say(one, turnEvent('task_started', Date.now()));
  await shows('working');
  say(one, toolCall('exec_command', Date.now()));
  await shows('running');
  say(one, turnEvent('task_complete', Date.now()));
  await shows('ready');
  expect(await stateOf(api, ids[0] ?? '')).toEqual(['ready', 'transcript']);
  expect(await stateOf(api, ids[1] ?? '')).toEqual(['running', 'process']);

  await server.kill();
  await untilListed(api, []);
  const ends = (await eventsOf(api, 'found.ended')).map(({ data }) => [
    data['client'],
    data['how'],
  ]);
  expect(ends).toEqual([
    ['codex', 'exited'],
    ['codex', 'exited'],
  ]);
  expect((await api.get('/api/attention?state=all')).body['items']).toEqual([]);
});

it('FS59 FS60 FS65 a session of Gemini is the inner process of its script, once it has a chat', async () => {
  await using stage = new OtherStage();
  const { world, user } = stage;
  const cwd = join(world.root, 'tasks', 'shop');
  const outer = await stage.gemini(cwd);
  const { api } = await world.start();
  const early = await stage.client();
  await expectListed(api, early);
  await early.leave();
  startChat(user, cwd, CHAT);
  let session: FoundSession | undefined;
  await until('its session', async () => {
    [session] = await listed(api);
    return session?.client === 'gemini';
  });
  expect(await listed(api)).toHaveLength(1);
  expect(session).toMatchObject({
    conversation: CHAT,
    cwd,
    version: null,
    agent: { state: 'running', witness: 'process' },
  });
  expect(session?.pid).not.toBe(outer.pid);
  expect(Date.parse(session?.started_at ?? '')).toBeLessThanOrEqual(Date.now());

  const second = await stage.gemini(cwd);
  startChat(user, cwd, CHAT.replace('7', '8'));
  let both: FoundSession[] = [];
  const isUnclear = async () => {
    both = await listed(api);
    return both.length === 2 && both.every(({ conversation }) => conversation === null);
  };
  await until('two in one directory', isUnclear, () => both);
  for (const { pid } of both) process.kill(pid, 'SIGKILL');
  await untilListed(api, []);
  await until('the wrappers', () => !outer.isRunning && !second.isRunning);
});

it('FS63 nothing of another client changes, and its session is not continued, also after its end', async () => {
  await using stage = new OtherStage();
  const { world, codexHome } = stage;
  const rollout = startRollout(codexHome, ONE, world.root);
  const before = readFileSync(rollout, 'utf8');
  const codex = await stage.holder(world.root, [rollout]);
  const { api } = await world.start();
  const id = idOf(codex, ONE);
  await untilListed(api, [id]);
  const refuses = async () => {
    const read = (await api.get(`/api/found/${id}/continue`)).body;
    expect([read['blocked'], read['needs_stop']]).toEqual(['other_client', false]);
    for (const how of ['resume', 'stop', 'attach']) {
      const { status, body } = await api.send('POST', `/api/found/${id}/continue`, { how });
      expect([how, status, body.error?.code]).toEqual([how, 409, 'not_continuable']);
      expect(body.error?.message).toContain('a session of Codex, which Loopwatch only shows');
    }
    const byPid = await api.get(`/api/found/${codex.pid}/continue`);
    expect(byPid.body['blocked']).toBe('other_client');
  };
  await refuses();
  expect(codex.isRunning).toBe(true);
  expect(readFileSync(rollout, 'utf8')).toBe(before);
  expect(readdirSync(codexHome)).toEqual(['sessions']);
  await codex.kill();
  await untilListed(api, []);
  await refuses();
  expect((await api.get('/api/sessions')).body['sessions']).toEqual([]);
});

it('FS65 an ignored directory holds for other clients, and each daemon continues the same sessions', async () => {
  await using stage = new OtherStage();
  const { world, codexHome } = stage;
  const diary = join(world.root, 'diary');
  const shop = join(world.root, 'shop');
  const files = [startRollout(codexHome, ONE, diary), startRollout(codexHome, TWO, shop)];
  const codex = await stage.holder(world.root, files);
  const first = await world.start();
  await untilListed(first.api, [idOf(codex, ONE), idOf(codex, TWO)]);
  await first.api.send('PUT', '/api/found-ignored', { directory: diary, ignored: true });
  expect((await listed(first.api)).map(({ cwd }) => cwd)).toEqual([shop]);
  await first.daemon.close();
  const { api } = await world.start();
  await untilListed(api, [idOf(codex, TWO)]);
  expect(await eventsOf(api, 'found.appeared')).toHaveLength(2);
  const ends = (await eventsOf(api, 'found.ended')).map(({ data }) => data['how']);
  expect(ends).toEqual(['ignored']);
  await api.send('PUT', '/api/found-ignored', { directory: diary, ignored: false });
  await untilListed(api, [idOf(codex, ONE), idOf(codex, TWO)]);
});

it('FS65 LOOPWATCH_FOUND=off holds for other clients', async () => {
  await using stage = new OtherStage();
  const { world, codexHome } = stage;
  world.environment['LOOPWATCH_FOUND'] = 'off';
  await stage.holder(world.root, [startRollout(codexHome, ONE, world.root)]);
  const { api } = await world.start();
  expect((await api.get('/api/found')).body).toEqual({ is_on: false, sessions: [] });
});
