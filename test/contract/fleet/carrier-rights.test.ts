/** The carrier with the rights of a host and no more, on a real NATS server. */
import { nkeys } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import type { HostIdentity } from '../../../server/fleet/host-identity.ts';
import { publishRights, subscribeRights } from '../../../server/fleet/nats/host-rights.ts';
import { factsOf, FleetRig, people, record, SOCKET } from '../../support/fleet/fleet-rig.ts';
import { hostIdentity } from '../../support/fleet/nats-server.ts';
import { until } from '../../support/house/until.ts';

/** A user in the settings of the server: what is its own, and what all hosts share. */
function userOf({ id, seed }: HostIdentity): string {
  const key = nkeys.fromSeed(Buffer.from(seed)).getPublicKey();
  const list = (rights: readonly { subject: string }[]) =>
    JSON.stringify(rights.map(({ subject }) => subject));
  return `{ nkey: ${key}, permissions: {
    publish: { allow: ${list(publishRights(id))} },
    subscribe: { allow: ${list(subscribeRights(id))} }
  } }`;
}

it('FL20 a host needs rights to its own subjects alone', async () => {
  const [one, other] = [hostIdentity('a'), hostIdentity('b')];
  await using rig = await FleetRig.start(`${userOf(one)}, ${userOf(other)}`);
  const a = await rig.host('a', { identity: one });
  const b = await rig.host('b', { identity: other });
  expect([a.problem, b.problem]).toEqual([null, null]);
  const batch = { epoch: 'e1', instance: 'a-1', first: 1, last: 1, events: ['{"seq":1}'] };
  const at = await a.append(batch, null);
  expect(await b.position(one.id)).toEqual(at);
  expect(await b.replay(one.id, 'e1', 0, 10)).toEqual(['{"seq":1}']);
  const heard: string[] = [];
  b.onPresence(({ id }) => heard.push(id));
  b.onPeople(people((id) => heard.push(id)));
  await a.present(factsOf('a'));
  await a.savePerson('mia', Buffer.from('1'), 0);
  await until('both heard', () => heard.length === 2);
  const claim = await a.claim('x', 'w');
  expect(await b.claims()).toEqual([claim]);
  expect(claim && (await a.release(claim))).toBe(true);
  await a.saveCopy('/api/tasks', Buffer.from('[]'));
  expect(await b.copy(one.id, '/api/tasks')).not.toBeNull();
  b.serve((_, channel) => {
    channel.handle({
      text: (text) => {
        channel.sendText(`not ${text}`);
        channel.close(1000, '');
      },
      bytes: () => undefined,
      drained: () => undefined,
      closed: () => undefined,
    });
  });
  await b.position(other.id);
  const near = record(await a.request(other.id, SOCKET));
  near.channel.sendText('yes');
  await until('answered', () => near.closed);
  expect([near.texts, near.closed?.code]).toEqual([['not yes'], 1000]);
  // In the name of the other one, nothing is taken.
  await expect(b.present(factsOf('a', { head: 9 }))).rejects.toMatchObject({
    code: 'host_unreachable',
  });
});

it('FL20 a host whose key is not accepted says so, and connects once it is', async () => {
  const [known, unknown] = [hostIdentity('a'), hostIdentity('b')];
  await using rig = await FleetRig.start(userOf(known));
  const b = await rig.host('b', { identity: unknown });
  expect([b.isConnected, b.problem]).toEqual([false, 'not_allowed']);
  await rig.server.resumeWith(`${userOf(known)}, ${userOf(unknown)}`);
  await until('connected', () => b.isConnected);
  expect(b.problem).toBeNull();
});
