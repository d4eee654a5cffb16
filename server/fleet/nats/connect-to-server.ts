import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { inboxOf } from './subjects.ts';

interface Credentials {
  seed: string;
  /** PEM; null: the server uses no TLS. */
  ca: string | null;
  /** Of a host: where its answers arrive. Null: the admin, who may listen anywhere. */
  host: string | null;
}

/** For files outside of this folder, which know no client of NATS. */
export type ServerConnection = NatsConnection;

const TIMEOUT_MS = 10_000;

/** One connection for a check or a change, to any of the servers; it does not come back when it is lost. */
export async function connectToServer(
  url: string,
  { seed, ca, host }: Credentials,
): Promise<NatsConnection> {
  return connect({
    servers: url.split(','),
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    timeout: TIMEOUT_MS,
    reconnect: false,
    ...(ca !== null && { tls: { ca } }),
    ...(host !== null && { inboxPrefix: inboxOf(host) }),
  });
}
