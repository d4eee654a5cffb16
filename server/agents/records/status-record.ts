/** The client's own status record, the best witness of what it does. */
import { join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import { configDirectory } from './config-directories.ts';
import { parseJson } from '../../lib/parse-json.ts';

const MAX_RECORD_BYTES = 64 * 1024;

/**
 * `shell`: the turn is over while a command it started continues. `starting`: a client names no
 * status yet, for seconds when it continues a conversation. `running`: the same in print mode, in which
 * older ones never do.
 */
export type RecordedStatus = 'starting' | 'running' | 'idle' | 'busy' | 'waiting' | 'shell';

export interface RecordReading {
  status: RecordedStatus;
  /** Such as `permission prompt`, `input needed`, `dialog open`. */
  waitingFor: string | null;
  sessionId: string | null;
  version: string | null;
  /** When the status last changed, in milliseconds since 1970. */
  changedAtMs: number;
}

/** What a process says of itself besides its status; nothing of it is proven. */
export interface StatusRecord {
  /** Of the process that wrote it, by its own account. */
  identity: ProcessIdentity;
  reading: RecordReading;
  cwd: string | null;
  name: string | null;
  /** Such as `interactive`, `bg`, `daemon`. */
  kind: string | null;
  /** Such as `cli`, `sdk-cli`, `claude-vscode`. */
  entrypoint: string | null;
  /** The machine and the pid namespace it runs in. */
  pidDomain: string | null;
  startedAtMs: number | null;
  /** Names it among the client's background sessions; safe to type. */
  jobId: string | null;
  /** The conversation moved to a background process: the rest describes nothing that is shown. */
  isParked: boolean;
}

/** As the client names its background sessions; inert in any shell, and no option. */
export const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;
/** A time a date can hold. */
const MAX_INSTANT = 8.64e15;

const ShortText = z
  .string()
  .transform((text) => text.slice(0, 200))
  .nullish()
  .catch(null);
const JobId = z.string().regex(JOB_ID).nullish().catch(null);
/** The longest the system allows. */
const Path = z.string().max(4096).nullish().catch(null);
const Instant = z
  .union([z.number(), z.string().max(40).transform(Date.parse)])
  .pipe(z.number().nonnegative().max(MAX_INSTANT))
  .nullish()
  .catch(null);

const Record = z.object({
  pid: z.int(),
  /** Field 22 of /proc/<pid>/stat: the record of a process that had this pid before is not ours. */
  procStart: z.coerce.string(),
  status: z.enum(['idle', 'busy', 'waiting', 'shell']).nullish(),
  waitingFor: ShortText,
  sessionId: ShortText,
  version: ShortText,
  /** Set once the conversation moved there. */
  parkedJobId: ShortText,
  statusUpdatedAt: Instant,
  updatedAt: Instant,
  cwd: Path,
  name: ShortText,
  kind: ShortText,
  jobId: JobId,
  entrypoint: ShortText,
  pidDomain: ShortText,
  startedAt: Instant,
});

/**
 * What the process recorded of itself. Null when it keeps no record, or one with an unknown status or
 * none, or no longer runs the conversation.
 */
export function readStatusRecord(
  identity: ProcessIdentity,
  environment: NodeJS.ProcessEnv,
): RecordReading | null {
  const path = join(configDirectory(environment), 'sessions', `${identity.pid}.json`);
  const record = readRecordFile(path);
  if (record === null || record.isParked) return null;
  // Until then its screen knows more.
  const { status } = record.reading;
  if (status === 'starting' || status === 'running') return null;
  return isSameProcess(record.identity, identity) ? record.reading : null;
}

/** The record in a file; null when there is none, or no valid one. */
export function readRecordFile(path: string): StatusRecord | null {
  const file = readHostileFile(path, MAX_RECORD_BYTES);
  return file.kind === 'text' ? parseStatusRecord(file.text, file.modifiedMs) : null;
}

/** Null for anything else, and for an unknown status. */
export function parseStatusRecord(text: string, modifiedMs: number): StatusRecord | null {
  const { success, data: record } = Record.safeParse(parseJson(text));
  if (!success) return null;
  return {
    identity: { pid: record.pid, startedAt: record.procStart },
    reading: {
      status: record.status ?? (record.entrypoint?.startsWith('sdk-') ? 'running' : 'starting'),
      waitingFor: record.waitingFor ?? null,
      sessionId: record.sessionId ?? null,
      version: record.version ?? null,
      changedAtMs: record.statusUpdatedAt ?? record.updatedAt ?? modifiedMs,
    },
    cwd: record.cwd ?? null,
    name: record.name ?? null,
    kind: record.kind ?? null,
    jobId: record.jobId ?? null,
    entrypoint: record.entrypoint ?? null,
    pidDomain: record.pidDomain ?? null,
    startedAtMs: record.startedAt ?? null,
    isParked: typeof record.parkedJobId === 'string',
  };
}
