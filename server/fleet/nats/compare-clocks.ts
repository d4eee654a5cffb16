import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Clock } from '../../lib/clock.ts';
import type { ServerConnection } from './connect-to-server.ts';
import { BUCKETS } from './subjects.ts';

/** As readers judge it: a host that said nothing for so long is not there. */
const SILENCE_MS = 30_000;

/**
 * Writes a small value of this host and reads back when the server got it. `differenceMs`: how far
 * this machine is ahead. `present`: a daemon said within the last seconds that this host is there.
 */
export async function compareClocks(
  connection: ServerConnection,
  host: string,
  clock: Clock,
): Promise<{ differenceMs: number; present: boolean }> {
  const jsm = await jetstreamManager(connection);
  const before = clock.now();
  const subject = `$KV.${BUCKETS.copies}.${host}.clock`;
  const { seq } = await jetstream(connection).publish(subject, '');
  const after = clock.now();
  const stored = await jsm.direct.getMessage(`KV_${BUCKETS.copies}`, { seq });
  const said = await jsm.direct.getMessage(`KV_${BUCKETS.hosts}`, {
    last_by_subj: `$KV.${BUCKETS.hosts}.${host}`,
  });
  const serverMs = stored === null ? before : stored.time.getTime();
  const differenceMs = serverMs < before ? before - serverMs : Math.min(0, after - serverMs);
  const present = said !== null && serverMs - said.time.getTime() < SILENCE_MS;
  return { differenceMs, present };
}
