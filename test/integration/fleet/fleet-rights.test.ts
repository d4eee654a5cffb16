/** What the key of a host opens on a real NATS server, tried with raw connections. */
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { Invitation } from '../../../server/fleet/membership/join-link.ts';
import { removeHost } from '../../../server/fleet/membership/members.ts';
import { forgetRemoved, provisionIfFounder } from '../../../server/fleet/membership/as-founder.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { connectCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { connectToServer } from '../../../server/fleet/nats/connect-to-server.ts';
import { missingStreams } from '../../../server/fleet/nats/provision-fleet.ts';
import { people } from '../../support/fleet/fleet-rig.ts';
import { FleetStage } from '../../support/fleet/fleet-stage.ts';
import { until } from '../../support/house/until.ts';

let stage: FleetStage;
let a: Invitation;
let b: Invitation;
let one: NatsConnection;
let other: NatsConnection;

beforeAll(async () => {
  stage = await FleetStage.open();
  a = stage.invite('build-1');
  b = stage.invite('build-2');
  await stage.server.start();
  one = await stage.connect(a);
  other = await stage.connect(b);
  await provisionIfFounder(stage.home, stage.url);
});
afterAll(async () => stage[Symbol.asyncDispose]());

/** What the server says to a message of the first host; 'taken' when it says nothing against it. */
async function published(subject: string, text = 'x', more: object = {}): Promise<string> {
  const said: string[] = [];
  const connection = await stage.connect(a);
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error') said.push(status.error.message);
    }
  })();
  connection.publish(subject, text, more);
  // The server answers in order: after this, it has said all it has to say.
  await connection.flush();
  await connection.close();
  return said.join() || 'taken';
}

/** The same for a subscription. */
async function subscribed(subject: string): Promise<string> {
  const connection = await stage.connect(a);
  const found = await new Promise<string>((resolve) => {
    connection.subscribe(subject, { callback: (error) => resolve(error?.message ?? 'taken') });
    void connection.flush().then(() => resolve('taken'));
  });
  await connection.close();
  return found;
}

const REFUSED = expect.stringMatching(/Permissions Violation/) as string;

it('FM8 the founder creates the stream and the buckets once, another home none', async () => {
  expect(await missingStreams(one)).toEqual([]);
  expect(await provisionIfFounder(stage.home, stage.url)).toEqual([]);
  expect(await provisionIfFounder(`${stage.home}/none`, stage.url)).toBeNull();
});

it('FM5 FM11 the carrier does all it must with the rights of a host', async () => {
  const refused: unknown[] = [];
  const warn = (...said: unknown[]) => void refused.push(said);
  const log = { info: () => undefined, warn, error: warn };
  const carrierOf = async ({ url, ...identity }: Invitation, instance: string) =>
    connectCarrier({ url, identity, instance, clock: systemClock, log });
  const [here, there] = [await carrierOf(a, 'one'), await carrierOf(b, 'two')];
  try {
    const heard: string[] = [];
    there.onPresence(({ name }) => heard.push(`host ${name}`));
    there.onPeople(people((id) => heard.push(`person ${id}`)));
    await here.present({
      id: a.id,
      name: a.name,
      instance: 'one',
      version: '1',
      started_at: '2026-01-01T00:00:00.000Z',
      labels: [],
      epoch: 'e',
      head: 1,
      free_slots: 1,
      event_schema: EVENT_SCHEMA,
      queue_length: 0,
      plan_left: null,
      plan: null,
      repositories: [],
    });
    await here.savePerson('tom', new TextEncoder().encode('{}'), 0);
    await until(
      'both are heard',
      () => heard.includes('host build-1') && heard.includes('person tom'),
      () => [heard, refused],
    );
    const before = await here.position(a.id);
    const batch = { epoch: 'e', instance: 'one', first: 1, last: 1, events: ['{"seq":1}'] };
    expect(await here.append(batch, before)).toMatchObject({ epoch: 'e', last: 1 });
    expect(await there.replay(a.id, 'e', 0, 10)).toEqual(['{"seq":1}']);
    await here.saveCopy('/api/sessions', new TextEncoder().encode('[]'));
    expect((await there.copy(a.id, '/api/sessions'))?.answer.byteLength).toBe(2);
    const claim = await here.claim('work', 'w');
    expect(await there.claim('work', 'w')).toBeNull();
    expect(await there.claims()).toMatchObject([{ key: 'work', host: a.id }]);
    expect(claim === null || (await here.release(claim))).toBe(true);
    there.serve((head, channel) => channel.sendText(`served ${head.target}`));
    const head = {
      kind: 'request',
      method: 'GET',
      target: '/x',
      headers: [],
      bodyBytes: 0,
    } as const;
    const channel = await until('the channel is open', async () =>
      here.request(b.id, head).catch(() => null),
    );
    const said = await new Promise((resolve) => {
      const nothing = () => undefined;
      channel.handle({ text: resolve, bytes: nothing, drained: nothing, closed: resolve });
    });
    expect(said).toBe('served /x');
    expect(refused).toEqual([]);
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
});

it('FM5 a host asks another for a channel, and both send within it', async () => {
  const asked = new Promise<Msg>((resolve) => {
    other.subscribe(`cmd.${b.id}.open`, { callback: (error, message) => resolve(message) });
  });
  await other.flush();
  const answer = one.request(`cmd.${b.id}.open`, 'open', {
    timeout: 60_000,
    noMux: true,
    reply: `_INBOX.${a.id}.random`,
  });
  (await asked).respond('yes');
  expect((await answer).string()).toBe('yes');
  const framed = new Promise<string>((resolve) => {
    one.subscribe(`ch.${a.id}.1`, { callback: (error, message) => resolve(message.string()) });
  });
  await one.flush();
  other.publish(`ch.${a.id}.1`, 'frame');
  expect(await framed).toBe('frame');
  await expect(one.request('cmd.nowhere.open', '', { timeout: 60_000 })).rejects.toThrow(
    'no responders',
  );
});

it('FM6 a host cannot speak as another one', async () => {
  for (const subject of [
    `ev.${b.id}`,
    `$KV.hosts.${b.id}`,
    `$KV.copies.${b.id}.sessions`,
    `cmd.${b.id}.other`,
    'anything',
  ]) {
    expect([subject, await published(subject)]).toEqual([subject, REFUSED]);
  }
  expect(await published(`ev.${a.id}`)).toBe('taken');
});

it('FM6 a host cannot listen to what is sent to another one, nor to all of it', async () => {
  for (const subject of [
    `cmd.${b.id}.open`,
    `ch.${b.id}.>`,
    `_INBOX.${b.id}.>`,
    'cmd.*.open',
    'ch.>',
    '_INBOX.>',
    'ev.*',
    '$KV.>',
    '$JS.API.>',
    '>',
  ]) {
    expect([subject, await subscribed(subject)]).toEqual([subject, REFUSED]);
  }
  expect(await subscribed(`ch.${a.id}.>`)).toBe('taken');
});

it('FM6 a host can neither create, change, empty nor remove a stream', async () => {
  const verbs = ['CREATE', 'UPDATE', 'PURGE', 'DELETE', 'RESTORE', 'SNAPSHOT', 'MSG.DELETE'];
  for (const verb of verbs) {
    const subject = `$JS.API.STREAM.${verb}.KV_hosts`;
    expect([verb, await published(subject)]).toEqual([verb, REFUSED]);
  }
  expect(await published('$JS.API.STREAM.CREATE.X')).toEqual(REFUSED);
  expect(await missingStreams(one)).toEqual([]);
});

it('FM6 a reply is no way around the rights of a host', async () => {
  const hosts = await new Kvm(other).open('hosts', { allow_direct: true });
  await hosts.put(b.id, 'its own words');
  const got = new Promise<void>((resolve) => {
    one.subscribe(`ch.${a.id}.self`, {
      callback: (error, message) => {
        message.respond('forged');
        resolve();
      },
    });
  });
  await one.flush();
  one.publish(`ch.${a.id}.self`, '', { reply: `$KV.hosts.${b.id}` });
  await got;
  await one.flush();
  expect((await hosts.get(b.id))?.string()).toBe('its own words');
});

it('FM6 one message cannot empty a bucket', async () => {
  const hosts = await new Kvm(other).open('hosts', { allow_direct: true });
  await hosts.put(b.id, 'still here');
  const all = headers();
  all.set('Nats-Rollup', 'all');
  await expect(jetstream(one).publish(`$KV.hosts.${a.id}`, 'x', { headers: all })).rejects.toThrow(
    'rollup not permitted',
  );
  expect((await hosts.get(b.id))?.string()).toBe('still here');
});

it('FM6 a reader that delivers to a subject of another host changes nothing there', async () => {
  const hosts = await new Kvm(other).open('hosts', { allow_direct: true });
  await hosts.put(b.id, 'its own words');
  await (await new Kvm(one).open('people')).put('forged', 'forged');
  const heard: string[] = [];
  other.subscribe(`ch.${b.id}.secret`, {
    callback: (error, { subject }) => void heard.push(subject),
  });
  await other.flush();
  for (const target of [
    `$KV.hosts.${b.id}`,
    `ev.${b.id}`,
    '$JS.API.STREAM.DELETE.KV_hosts',
    `ch.${b.id}.secret`,
  ]) {
    const config = { deliver_subject: target, filter_subject: '$KV.people.forged' };
    const request = { stream_name: 'KV_people', config: { ...config, ack_policy: 'none' } };
    const answer = await one.request('$JS.API.CONSUMER.CREATE.KV_people', JSON.stringify(request), {
      timeout: 60_000,
    });
    expect([target, answer.json()]).toMatchObject([target, { stream_name: 'KV_people' }]);
  }
  await expect.poll(() => heard).toEqual(['$KV.people.forged']);
  expect((await hosts.get(b.id))?.string()).toBe('its own words');
  expect(await missingStreams(one)).toEqual([]);
});

it('FM7 a server with another certificate, and a key it does not know, are refused', async () => {
  await using second = await FleetStage.open();
  const stranger = second.invite('stranger');
  const { seed, ca, id: host } = stranger;
  await expect(connectToServer(stage.url, { seed, ca, host })).rejects.toThrow(
    /self.signed|certificate|unable to verify/i,
  );
  await expect(connectToServer(stage.url, { seed, ca: a.ca, host })).rejects.toThrow(
    /authorization/i,
  );
});

it('FM4 a removed host is disconnected at once and cannot come back; the others stay', async () => {
  const gone = stage.invite('gone');
  // The server reads its new configuration in its own time.
  const connection = await until('the server knows the new key', async () =>
    stage.connect(gone).catch(() => null),
  );
  const hosts = await new Kvm(connection).open('hosts', { allow_direct: true });
  await hosts.put(gone.id, 'here');
  expect(removeHost(stage.home, 'gone')).toEqual({ id: gone.id, reload: 'asked' });
  await connection.closed();
  const { seed, ca, id: host } = gone;
  await expect(connectToServer(stage.url, { seed, ca, host })).rejects.toThrow(/authorization/i);
  await forgetRemoved(stage.home, gone.id);
  const left = await new Kvm(one).open('hosts', { allow_direct: true });
  expect((await left.get(gone.id))?.operation).toBe('DEL');
  expect([one.isClosed(), other.isClosed()]).toEqual([false, false]);
});
