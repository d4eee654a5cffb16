/** The client's own status record, the best witness there is of what it does. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readHostileFile } from '../lib/hostile-file.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';

const MAX_RECORD_BYTES = 64 * 1024;

const Record = z.object({
  pid: z.int(),
  /** Field 22 of /proc/<pid>/stat: the record of a process that had this pid before is not ours. */
  procStart: z.coerce.string(),
  status: z.enum(['idle', 'busy', 'waiting', 'shell']),
});

/** Takes a process and its environment; gives the status it recorded of itself, or null. */
export function readStatusRecord(
  identity: ProcessIdentity,
  environment: NodeJS.ProcessEnv,
): z.infer<typeof Record>['status'] | null {
  const directory =
    environment['CLAUDE_CONFIG_DIR'] ?? join(environment['HOME'] ?? homedir(), '.claude');
  const path = join(directory, 'sessions', `${identity.pid}.json`);
  const file = readHostileFile(path, MAX_RECORD_BYTES);
  if (file.kind !== 'text') return null;
  try {
    const record = Record.parse(JSON.parse(file.text));
    const same = record.pid === identity.pid && record.procStart === identity.startedAt;
    return same ? record.status : null;
  } catch {
    return null;
  }
}
