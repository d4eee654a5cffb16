/** `loopwatch/client` against real daemons. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createClient,
  type Followed,
  logIn,
  RequestFailure,
  type RequestOf,
} from '../../../client/client.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { ExampleProcess } from '../../support/agents/example-process.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { World } from '../../support/daemon/world.ts';

it('LI1 the library is one file that imports nothing', () => {
  const text = readFileSync(join(packageRoot(), 'dist/client/client.js'), 'utf8');
  expect(text).not.toMatch(/\bfrom\s*["']|\bimport\s*[("']|\brequire\(|\bprocess\.|\bBuffer\b/);
});

it('LI2 calls are typed by the table, and refusals have the code of the daemon', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  const client = createClient({ url: daemon.url, token: daemon.token });
  const body = { name: 'web', cwd: world.taskDir('web') };
  const { status } = await client.call('createSession', { body });
  expect(status).toBe('open');
  const { sessions } = await client.call('listSessions', {});
  expect(sessions.map(({ name }) => name)).toEqual(['web']);
  // @ts-expect-error -- the body has no such field.
  const odd: RequestOf<'createSession'>['body'] = { name: 'api', cwd: body.cwd, colour: 'red' };
  const wrong = client.call('createSession', { body: odd });
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_body', status: 400 });
  const unknown = client.call('getSession', { params: { id: 'a b/c' } });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
  await expect(client.call('getSession', { params: { id: '' } })).rejects.toThrow(TypeError);
  const nowhere = createClient({ url: 'http://127.0.0.1:9', token: 'x' });
  await expect(nowhere.call('status', {})).rejects.toMatchObject({ code: 'unreachable' });
  const stranger = createClient({ url: daemon.url, token: 'A'.repeat(43) });
  const refused = stranger.call('status', {});
  await expect(refused).rejects.toThrow(RequestFailure);
  await expect(refused).rejects.toMatchObject({ code: 'unauthorized', isTemporary: false });
});

it('LI3 LI4 LI5 events begin at a cursor, report a gap, end with a refusal or an abort', async () => {
  await using world = new World();
  const { daemon, api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const client = createClient({ url: daemon.url, token: daemon.token });
  const { epoch } = await client.call('status', {});

  const kept = await first(client.events({ after: '0', types: 'session.*' }), 'event');
  expect(kept).toMatchObject({ cursor: expect.stringMatching(`^${epoch}:\\d+$`) as string });
  const gap = await first(client.events({ after: 'another:5' }), 'gap');
  expect(gap).toMatchObject({ reason: 'epoch' });

  const stop = new AbortController();
  const kinds: string[] = [];
  for await (const { kind } of client.events({ signal: stop.signal })) {
    kinds.push(kind);
    stop.abort();
  }
  expect(kinds).toEqual(['connected']);

  const stranger = createClient({ url: daemon.url, token: 'A'.repeat(43) });
  await expect(first(stranger.events(), 'event')).rejects.toMatchObject({ code: 'unauthorized' });
});

it('LI6 a login link is exchanged for a connection, once', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  const client = createClient({ url: daemon.url, token: daemon.token });
  const { link } = await client.call('createLoginCode', {});
  const connection = await logIn(link);
  expect(await createClient(connection).call('getMe', {})).toMatchObject({ role: 'admin' });
  await expect(logIn(link)).rejects.toMatchObject({ code: 'invalid_login_code' });
});

it('LI2 client-inbox.mjs lists what needs a person and answers it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { id } = await askPerson(world, api, 'web', BASH_REQUEST);
  await using list = new ExampleProcess(world, [process.execPath, 'client-inbox.mjs']);
  await list.printed(1);
  expect(list.lines).toMatchObject([{ id, reason: 'permission', session: 'web' }]);
  const words = ['client-inbox.mjs', id, 'allow'];
  await using answer = new ExampleProcess(world, [process.execPath, ...words]);
  await api.event('attention.cleared');
  expect(answer.stderr).toBe('');
});

/** The first item of that kind. */
async function first(items: AsyncIterable<Followed>, kind: Followed['kind']): Promise<Followed> {
  for await (const item of items) if (item.kind === kind) return item;
  throw new Error(`no ${kind}`);
}
