/** Carries a fleet through NATS with JetStream; decision 67 says what each part is for. */
import { nkeyAuthenticator } from '@nats-io/transport-node';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Carrier } from '../carrier.ts';
import type { HostIdentity } from '../host-identity.ts';
import { EventCopy } from './event-copy.ts';
import { type LinkProblem, type Live, NatsLink } from './link.ts';
import { ListCopies } from './list-copies.ts';
import { NatsChannels } from './nats-channels.ts';
import { PeopleRecords } from './people-records.ts';
import { Presence } from './presence.ts';
import { SharedClaims } from './shared-claims.ts';
import { BUCKETS, inboxOf } from './subjects.ts';
import { watchBucket } from './watch-bucket.ts';

export interface NatsCarrier extends Carrier {
  /** Why it is not connected; null while it is. */
  readonly problem: LinkProblem | null;
}

export interface CarrierOptions {
  /** Of the server: `nats://host:port` or `tls://host:port`; of a cluster, several with commas. */
  url: string;
  identity: HostIdentity;
  /** Of this daemon, as in what it presents and copies: differs after each start. */
  instance: string;
  clock: Clock;
  log: Log;
}

/**
 * Resolves after the first attempt to connect. When it failed, the carrier is not connected and
 * keeps trying: a daemon must start without its fleet.
 */
export async function connectCarrier(options: CarrierOptions): Promise<NatsCarrier> {
  const { url, identity, instance, clock, log } = options;
  const host = identity.id;
  const inbox = inboxOf(host);
  const link = new NatsLink({
    connection: {
      servers: url.split(','),
      name: identity.name,
      authenticator: nkeyAuthenticator(Buffer.from(identity.seed)),
      tls: identity.ca === null ? null : { ca: identity.ca },
      inboxPrefix: inbox,
      ignoreClusterUpdates: true,
    },
    clock,
    log,
  });
  const live = (): Live => link.live;
  const channels = new NatsChannels({ self: host, instance, clock, log });
  const presence = new Presence({
    clock,
    silent: (silent) => channels.lose(silent, null, 'the other host is silent'),
  });
  presence.listen(({ id, instance: now }) =>
    channels.lose(id, now, 'the other host was restarted'),
  );
  const people = new PeopleRecords();
  const events = new EventCopy({ host, live, log });
  const claims = new SharedClaims({ host, live });
  const copies = new ListCopies({ host, live });
  link.onChange((connected) => {
    channels.connected(connected?.nc ?? null);
    if (connected === null) return presence.pause();
    const watch = { live: connected, inbox, clock, log };
    watchBucket({ ...watch, bucket: BUCKETS.hosts, onEntry: (entry) => presence.heard(entry) });
    watchBucket({
      ...watch,
      bucket: BUCKETS.people,
      onBegin: () => people.began(),
      onEntry: (entry) => people.heard(entry),
      onComplete: () => people.completed(),
    });
  });
  await link.open();
  return {
    get isConnected() {
      return link.problem === null;
    },
    get problem() {
      return link.problem;
    },
    onConnection: (listener) => link.onChange((connected) => listener(connected !== null)),
    position: async (of) => events.position(of),
    append: async (batch, after) => events.append(batch, after),
    replay: async (of, epoch, after, limit) => events.replay(of, epoch, after, limit),
    request: async (to, head) => channels.request(to, head),
    serve: (accept) => channels.serve(accept),
    claim: async (key, work) => claims.claim(key, work),
    claims: async () => claims.list(),
    release: async (claim) => claims.release(claim),
    present: async (facts) => {
      const said = presence.present(live(), facts);
      said.then(
        () => link.took(true),
        () => link.took(false),
      );
      return said;
    },
    onPresence: (listener, removed) => presence.listen(listener, removed),
    saveCopy: async (target, answer) => copies.save(target, answer),
    copy: async (of, target) => copies.read(of, target),
    savePerson: async (id, record, after) => people.save(live(), id, record, after),
    onPeople: (listener) => people.listen(listener),
    close: async () => {
      channels.close();
      await link.close();
      presence.pause();
    },
  };
}
