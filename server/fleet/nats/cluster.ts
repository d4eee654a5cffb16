/** One server of several: it may be cut off from the others, and then takes nothing. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { streamInfo } from './stream-info.ts';
import { BUCKETS } from './subjects.ts';

/** Servers report to the leader of a stream each second, and one that is cut off leads on for long. */
const HEARD_MS = 5_000;

/** A server answers, and most others of its cluster do not. */
export class NoMajority extends Error {
  constructor() {
    super('the NATS server is cut off from most servers of its cluster');
    this.name = 'NoMajority';
  }
}

export function isInCluster(connection: NatsConnection): boolean {
  return connection.info?.cluster !== undefined;
}

/** Whether a connection leads to the larger part of a cluster, by who keeps what hosts say. */
export async function hasMajority(
  connection: NatsConnection,
  jsm: JetStreamManager,
): Promise<boolean> {
  if (!isInCluster(connection)) return true;
  try {
    const info = await streamInfo(jsm, `KV_${BUCKETS.hosts}`);
    // In a new cluster: that too is known by the majority alone.
    if (info === null) return true;
    const { leader = '', replicas = [] } = info.cluster ?? {};
    const heard = replicas.filter(({ active }) => active < nanos(HEARD_MS)).length;
    return leader !== '' && heard >= replicas.length / 2;
  } catch {
    return false;
  }
}
