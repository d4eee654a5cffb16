/** `.auto-stop`: the loop of this directory is to end after its current step. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { STOP_FILE, type StopFileReason } from '../../shared/schema/loops/auto-signal.ts';
import { systemCode } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { markOf, readHostileFile } from '../lib/files/hostile-file.ts';

const MAX_STOP_BYTES = 64 * 1024;

const StopRequest = z.object({
  reason: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .catch('unknown'),
  timestamp: z.string().max(100).nullable().catch(null),
});
export type StopRequest = z.infer<typeof StopRequest>;

/** Anything of that name is a request: a stop that cannot be read is still a stop. */
export function readStopRequest(directory: string): StopRequest | null {
  const path = join(directory, STOP_FILE);
  if (markOf(path) === null) return null;
  const file = readHostileFile(path, MAX_STOP_BYTES);
  if (file.kind === 'absent') return null;
  try {
    return StopRequest.parse(file.kind === 'text' ? JSON.parse(file.text) : {});
  } catch {
    return { reason: 'unknown', timestamp: null };
  }
}

/** `at` is ISO 8601. Throws the system's error. */
export function writeStopRequest(directory: string, reason: StopFileReason, at: string): void {
  const content = JSON.stringify({ reason, timestamp: at });
  writeFileAtomic(directory, STOP_FILE, `${content}\n`, 0o644);
}

/** Throws the system's error when it stays. */
export function clearStopRequest(directory: string): void {
  try {
    unlinkSync(join(directory, STOP_FILE));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
