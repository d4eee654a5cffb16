/** Changes on another host whose answer is lost on the way. */
import { expect, it } from 'vitest';
import { createClient, RequestFailure } from '../../../client/client.ts';
import {
  type FleetPair,
  openPair,
  OWNER_TOKEN,
  reaches,
  through,
} from '../../support/fleet/fleet-world.ts';
import { KeyedClient } from '../../support/transport/keyed-client.ts';
import { until } from '../../support/house/until.ts';

/** What `ask` changes is done at `two`, and the connection of `one` broken before it hears of it. */
async function lostAfter<Answer>(
  { one, two, carried }: FleetPair,
  session: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  carried.hold(one.id);
  const asked = ask();
  asked.catch(() => undefined);
  const path = `/api/sessions/${session}`;
  await until('it is done there', async () => (await two.api.get(path)).status === 200);
  carried.cut(one.id);
  return asked;
}

async function sessionsOf({ two }: FleetPair): Promise<number> {
  const { body } = await two.api.get('/api/sessions');
  return (body['sessions'] as unknown[]).length;
}

it('IK10 an answer that broke off is given to a repeat with the key, and nothing done twice', async () => {
  await using pair = await openPair();
  const { one, two, carried } = pair;
  const gate = new KeyedClient(through(one, OWNER_TOKEN));
  const body = { name: 'made', cwd: two.world.taskDir('made') };
  const lost = await lostAfter(pair, 'made', async () => gate.post('k', '/api/sessions', body));
  expect(lost).toMatchObject({ status: 504, code: 'outcome_unknown' });
  expect(lost.details).toMatchObject({ host: 'two', repeatable: true });
  carried.heal(one.id);
  await reaches(one, 'two');
  const again = await gate.post('k', '/api/sessions', body);
  expect(again).toMatchObject({ status: 201, replayed: 'true', body: { name: 'made' } });
  expect(await gate.post('k', '/api/sessions', { ...body, name: 'else' })).toMatchObject({
    status: 422,
  });
  const other = { name: 'bare', cwd: body.cwd };
  const bare = await lostAfter(pair, 'bare', async () => gate.post(null, '/api/sessions', other));
  expect(bare.details).toMatchObject({ host: 'two', repeatable: false });
  expect(await sessionsOf(pair)).toBe(2);
});

it('IK11 the client library repeats with its key, and gives the key away when it ends', async () => {
  await using pair = await openPair();
  const { one, two, carried } = pair;
  const client = createClient({ url: one.daemon.url, token: OWNER_TOKEN, host: 'two' });
  const body = { name: 'made', cwd: two.world.taskDir('made') };
  const ask = async () => client.call('createSession', { body });
  const failure: unknown = await lostAfter(pair, 'made', ask).catch((error: unknown) => error);
  if (!(failure instanceof RequestFailure)) throw new Error('it was answered');
  expect(failure).toMatchObject({ code: 'outcome_unknown', details: { repeatable: true } });
  carried.heal(one.id);
  await reaches(one, 'two');
  const key = failure.key ?? '';
  expect(await client.call('createSession', { body }, undefined, key)).toMatchObject({
    name: 'made',
  });
  await expect(client.call('createSession', { body })).rejects.toMatchObject({
    code: 'session_exists',
    key: null,
  });
  const next = { name: 'next', cwd: body.cwd };
  const repeated = lostAfter(pair, 'next', async () =>
    client.call('createSession', { body: next }),
  );
  await until('it is cut', () => carried.carriers.get(one.id)?.isConnected === false);
  carried.heal(one.id);
  expect(await repeated).toMatchObject({ name: 'next' });
  expect(await sessionsOf(pair)).toBe(2);
});
