/** What only the home that made the fleet can do on its server: it has the key of the admin. */
import { readHostIdentity } from '../host-identity.ts';
import { connectToServer, type ServerConnection } from '../nats/connect-to-server.ts';
import { forgetHost, provisionFleet } from '../nats/provision-fleet.ts';
import { readFleet } from './fleet-record.ts';

/**
 * Creates the streams of the fleet where this home made it; the names of those that were missing.
 * Null on every other home. Throws when the server cannot be reached.
 */
export async function provisionIfFounder(home: string, url: string): Promise<string[] | null> {
  return asAdmin(home, url, provisionFleet);
}

/** Removes what a removed host said of itself. Throws when the server cannot be reached. */
export async function forgetRemoved(home: string, id: string): Promise<void> {
  await asAdmin(home, readFleet(home)?.url ?? '', async (connection) => forgetHost(connection, id));
}

async function asAdmin<Result>(
  home: string,
  url: string,
  act: (connection: ServerConnection) => Promise<Result>,
): Promise<Result | null> {
  const fleet = readFleet(home);
  if (fleet === null) return null;
  const ca = readHostIdentity(home)?.ca ?? null;
  const connection = await connectToServer(url, { seed: fleet.admin.seed, ca, host: null });
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}
