/** The client's own status record, the best witness of what it does. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../../lib/hostile-file.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';

const MAX_RECORD_BYTES = 64 * 1024;

/** `shell`: the turn is over while a command it started continues. */
export type RecordedStatus = 'idle' | 'busy' | 'waiting' | 'shell';

export interface RecordReading {
  status: RecordedStatus;
  /** Such as `permission prompt`, `input needed`, `dialog open`. */
  waitingFor: string | null;
  sessionId: string | null;
  version: string | null;
  /** When the status last changed, in milliseconds since 1970. */
  changedAtMs: number;
}

const ShortText = z
  .string()
  .transform((text) => text.slice(0, 200))
  .nullish()
  .catch(null);
const Instant = z
  .union([z.number(), z.string().max(40).transform(Date.parse)])
  .pipe(z.number().nonnegative())
  .nullish()
  .catch(null);

const Record = z.object({
  pid: z.int(),
  /** Field 22 of /proc/<pid>/stat: the record of a process that had this pid before is not ours. */
  procStart: z.coerce.string(),
  status: z.enum(['idle', 'busy', 'waiting', 'shell']),
  waitingFor: ShortText,
  sessionId: ShortText,
  version: ShortText,
  /** The conversation moved to a background process; the rest describes nothing that is shown. */
  parkedJobId: ShortText,
  statusUpdatedAt: Instant,
  updatedAt: Instant,
});

/**
 * What the process recorded of itself. Null when it keeps no record, or one with an unknown status,
 * or no longer runs the conversation.
 */
export function readStatusRecord(
  identity: ProcessIdentity,
  environment: NodeJS.ProcessEnv,
): RecordReading | null {
  const directory =
    environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? homedir(), '.claude');
  const path = join(directory, 'sessions', `${identity.pid}.json`);
  const file = readHostileFile(path, MAX_RECORD_BYTES);
  return file.kind === 'text' ? parseRecord(file.text, file.modifiedMs, identity) : null;
}

function parseRecord(
  text: string,
  modifiedMs: number,
  identity: ProcessIdentity,
): RecordReading | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const { success, data: record } = Record.safeParse(json);
  if (!success) return null;
  if (record.parkedJobId !== null && record.parkedJobId !== undefined) return null;
  if (record.pid !== identity.pid || record.procStart !== identity.startedAt) return null;
  return {
    status: record.status,
    waitingFor: record.waitingFor ?? null,
    sessionId: record.sessionId ?? null,
    version: record.version ?? null,
    changedAtMs: record.statusUpdatedAt ?? record.updatedAt ?? modifiedMs,
  };
}
