/** Whether a record is one of a session on this machine; whether its process lives is another question. */
import { readFileSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { StatusRecord } from '../agents/records/status-record.ts';

/** These run other sessions and show nothing themselves. */
const SUPERVISORS = ['daemon', 'daemon-worker'];

/** `pid`: by the name of its file; `domain`: that of this machine. */
export function isSession(
  { identity, kind, cwd, isParked, pidDomain }: StatusRecord,
  pid: number,
  domain: string,
): boolean {
  if (identity.pid !== pid || isParked || cwd === null || !isAbsolute(cwd)) return false;
  if (kind !== null && SUPERVISORS.includes(kind)) return false;
  // A home on the network holds the records of several machines, a volume those of a container.
  return pidDomain === null || pidDomain === domain;
}

/** As clients since 2.1.330 write it: the machine and the namespace of its pids. */
export function thisPidDomain(): string {
  if (process.platform !== 'linux') return 'linux';
  const machine = orNothing(() => readFileSync('/etc/machine-id', 'utf8').trim());
  return `linux:${machine}:${orNothing(() => readlinkSync('/proc/self/ns/pid'))}`;
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
