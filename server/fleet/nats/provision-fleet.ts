/** What the hosts of a fleet need on its NATS server. Hosts have no right to create any of it. */
import {
  DiscardPolicy,
  jetstream,
  type JetStreamManager,
  jetstreamManager,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { headers, nanos, type NatsConnection } from '@nats-io/transport-node';
import { isInCluster } from './cluster.ts';
import { streamInfo } from './stream-info.ts';
import { BUCKETS, EVENTS, eventsOf } from './subjects.ts';

const EVENTS_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const EVENTS_BYTES = 2 * 1024 ** 3;
/** A full one refuses what is new, so that one host cannot fill the disk of all. */
const BUCKET_BYTES = 256 * 1024 ** 2;

/** In a cluster each is on so many servers, so that the loss of one costs nothing. */
const REPLICAS = 3;
/** With copies, two hosts that ask at the same moment could both be granted; decision 84. */
const KEPT_ONCE = `KV_${BUCKETS.claims}`;

/**
 * A host can add values and nothing else. Rollups are off, which buckets usually have: one message
 * with that header would empty the whole bucket, also of what other hosts said.
 */
const COMMON = {
  storage: StorageType.File,
  allow_direct: true,
  deny_delete: true,
  allow_rollup_hdrs: false,
};

type Wanted = Partial<StreamConfig> & { name: string; subjects: string[] };

const STREAMS: readonly Wanted[] = [
  {
    ...COMMON,
    name: EVENTS,
    subjects: [eventsOf('*')],
    discard: DiscardPolicy.Old,
    max_age: nanos(EVENTS_AGE_MS),
    max_bytes: EVENTS_BYTES,
  },
  // As clients expect a bucket: the newest value of each key.
  ...Object.values(BUCKETS).map((bucket) => ({
    ...COMMON,
    name: `KV_${bucket}`,
    subjects: [`$KV.${bucket}.>`],
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    max_bytes: BUCKET_BYTES,
  })),
];

/**
 * Creates the stream and the buckets that are missing, and gives their names; what is there stays as
 * it is. `connection` may do everything.
 */
export async function provisionFleet(connection: NatsConnection): Promise<string[]> {
  const jsm = await jetstreamManager(connection);
  const missing = await missingOf(jsm);
  for (const wanted of missing) {
    const isCopied = isInCluster(connection) && wanted.name !== KEPT_ONCE;
    await jsm.streams.add({ ...wanted, num_replicas: isCopied ? REPLICAS : 1 });
  }
  return missing.map(({ name }) => name);
}

/** Names of those that do not exist, as any host sees it. */
export async function missingStreams(connection: NatsConnection): Promise<string[]> {
  const missing = await missingOf(await jetstreamManager(connection));
  return missing.map(({ name }) => name);
}

/**
 * Removes what a host said of itself, so that no host lists it any more. Its events stay until they
 * are too old. `connection` may do everything.
 */
export async function forgetHost(connection: NatsConnection, id: string): Promise<void> {
  const jsm = await jetstreamManager(connection);
  // A mark in place of what was there: hosts that follow the bucket hear nothing of a purge.
  const removed = headers();
  removed.set('KV-Operation', 'DEL');
  await jetstream(connection).publish(`$KV.${BUCKETS.hosts}.${id}`, '', { headers: removed });
  await jsm.streams.purge(`KV_${BUCKETS.copies}`, { filter: `$KV.${BUCKETS.copies}.${id}.>` });
}

async function missingOf(jsm: JetStreamManager): Promise<Wanted[]> {
  const missing: Wanted[] = [];
  for (const wanted of STREAMS) {
    if ((await streamInfo(jsm, wanted.name)) === null) missing.push(wanted);
  }
  return missing;
}
