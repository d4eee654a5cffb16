import { existsSync } from 'node:fs';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { randomId } from '../../lib/random-id.ts';
import { fleetDirectory, readHostIdentity, saveHostIdentity } from '../host-identity.ts';
import { SERVER_FILES } from '../nats/server-config.ts';
import { createUserKey } from '../nats/user-key.ts';
import { createCertificate } from './create-certificate.ts';
import { configPath, type FleetRecord, readFleet, saveFleet } from './fleet-record.ts';
import { MembershipError } from './membership-error.ts';

interface NewFleet {
  /** Of this host, its first member. */
  name: string;
  /** Where the server listens: `127.0.0.1:4222`. */
  listen: string;
  /** How other hosts reach it: its names, or the servers of a cluster. */
  addresses: readonly string[];
}

/**
 * Writes everything a new fleet needs into this home: certificate, keys, the configuration of the
 * server, and this host as first member. Throws a MembershipError and overwrites nothing.
 */
export async function makeFleet(
  home: string,
  { name, listen, addresses }: NewFleet,
): Promise<FleetRecord> {
  refuseSecond(home);
  const directory = fleetDirectory(home);
  const { ca, certificate, key } = await createCertificate(directory, namesOf(addresses));
  writeFileAtomic(directory, SERVER_FILES.certificate, certificate);
  writeFileAtomic(directory, SERVER_FILES.key, key);
  const [admin, own] = [createUserKey(), createUserKey()];
  const id = randomId();
  const fleet: FleetRecord = {
    listen,
    url: addresses.join(','),
    admin: { seed: admin.seed, public_key: admin.publicKey },
    members: [{ id, name, public_key: own.publicKey }],
  };
  // Before the fleet: without this file it would have a member that no one has the key of.
  saveHostIdentity(home, { id, name, seed: own.seed, ca });
  saveFleet(home, fleet);
  return fleet;
}

function refuseSecond(home: string): void {
  const directory = fleetDirectory(home);
  const own = readFleet(home) ?? readHostIdentity(home);
  if (own === null && !existsSync(configPath(home))) return;
  throw new MembershipError(
    'refused',
    `this home already belongs to a fleet and nothing was overwritten; invite a host with: loopwatch fleet invite NAME (to begin again, move ${directory} away)`,
  );
}

/** This machine reaches its own server by any of its usual names. */
function namesOf(addresses: readonly string[]): string[] {
  const given = addresses.map((address) => new URL(address).hostname.replaceAll(/^\[|\]$/g, ''));
  return [...new Set([...given, 'localhost', '127.0.0.1', '::1'])];
}
