/**
 * The fleet as the home that made it knows it: `<home>/fleet/fleet.json`. The configuration of the
 * NATS server is written from it, never read back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HostName } from '../../../shared/schema/fleet.ts';
import { NatsAddresses } from '../../lib/config/setting-types.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { fleetDirectory } from '../host-identity.ts';
import { serverConfig } from '../nats/server-config.ts';
import { MembershipError } from './membership-error.ts';

const PublicKey = z.string().regex(/^U[A-Z2-7]{55}$/);

const FleetRecord = z.strictObject({
  /** Where the server listens: `127.0.0.1:4222`. */
  listen: z.string(),
  /** How hosts reach it: one address, or several with commas between them. */
  url: NatsAddresses,
  /** Creates the streams; no host has it. A secret. */
  admin: z.strictObject({ seed: z.string(), public_key: PublicKey }),
  members: z.array(z.strictObject({ id: z.string(), name: HostName, public_key: PublicKey })),
});
export type FleetRecord = z.infer<typeof FleetRecord>;

const FILE = 'fleet.json';
const CONFIG = 'nats.conf';

/** Null when this home made no fleet. Throws for a file that was damaged. */
export function readFleet(home: string): FleetRecord | null {
  const path = join(home, 'fleet', FILE);
  return existsSync(path) ? FleetRecord.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** Throws a MembershipError (missing) on any home but the one that made the fleet. */
export function requireFleet(home: string): FleetRecord {
  const fleet = readFleet(home);
  if (fleet !== null) return fleet;
  throw new MembershipError(
    'missing',
    'this home made no fleet; run this on the host where the fleet was made with: loopwatch fleet init',
  );
}

/**
 * Writes the record and the configuration of the server. A crash between the two leaves an older
 * configuration; the next change writes it again.
 */
export function saveFleet(home: string, fleet: FleetRecord): void {
  const directory = fleetDirectory(home);
  writeFileAtomic(directory, FILE, `${JSON.stringify(fleet, null, 2)}\n`);
  writeFileAtomic(directory, CONFIG, serverConfig(fleet, directory));
}

/** Path of the server's configuration. */
export function configPath(home: string): string {
  return join(home, 'fleet', CONFIG);
}
