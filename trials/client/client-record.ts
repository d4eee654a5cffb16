/** The status record that the one running client of a home keeps of itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ClientRecord {
  pid: number;
  sessionId: string;
}

/** Throws unless exactly one client runs. */
export function readClientRecord(home: string): ClientRecord {
  const directory = join(home, '.claude', 'sessions');
  const live = readdirSync(directory).filter(
    (name) => name.endsWith('.json') && existsSync(`/proc/${Number.parseInt(name)}`),
  );
  const [name] = live;
  if (name === undefined || live.length > 1) throw new Error(`${live.length} clients run`);
  return JSON.parse(readFileSync(join(directory, name), 'utf8')) as ClientRecord;
}
