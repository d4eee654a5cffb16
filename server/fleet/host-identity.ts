/** Who this host is in its fleet: written when it joins, read when the daemon starts. */
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HostName } from '../../shared/schema/fleet.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';

export const HostIdentity = z.strictObject({
  /** Given when the host was invited; what it may publish hangs on it. */
  id: z.string().regex(/^[0-9A-Za-z]{16,40}$/),
  name: HostName,
  /** The seed of its nkey: a secret. */
  seed: z.string().regex(/^SU[A-Z2-7]{56}$/),
  /** The certificate that the server's must be signed by, as PEM. Null: the server uses no TLS. */
  ca: z.string().max(8192).nullable(),
});
export type HostIdentity = z.infer<typeof HostIdentity>;

const FILE = 'host.json';

/** Null when this home never joined a fleet. Throws for a file that was damaged. */
export function readHostIdentity(home: string): HostIdentity | null {
  const path = join(fleetDirectory(home), FILE);
  return existsSync(path) ? HostIdentity.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

export function saveHostIdentity(home: string, identity: HostIdentity): void {
  writeFileAtomic(fleetDirectory(home), FILE, `${JSON.stringify(identity, null, 2)}\n`);
}

/** Created when it is missing; only this user may read it. */
export function fleetDirectory(home: string): string {
  const directory = join(home, 'fleet');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  return directory;
}
