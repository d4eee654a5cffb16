import { configDirectories } from '../agents/records/config-directories.ts';
import { readRecordFile } from '../agents/records/status-record.ts';
import { isAlive, type ProcessIdentity } from '../lib/processes/process-identity.ts';
import { RecordFiles } from './record-files.ts';

export interface LiveClient {
  identity: ProcessIdentity;
  conversation: string | null;
}

/** Every live client with a record, found or Loopwatch's own. `environment`: of the terminals. */
export async function liveClients(environment: NodeJS.ProcessEnv): Promise<LiveClient[]> {
  const files = configDirectories(environment).map((path) => new RecordFiles(path));
  const paths = (await Promise.all(files.map(async (each) => each.list()))).flat();
  return paths.flatMap((path) => {
    const record = readRecordFile(path);
    if (record === null || record.isParked || !isAlive(record.identity)) return [];
    return [{ identity: record.identity, conversation: record.reading.sessionId }];
  });
}
