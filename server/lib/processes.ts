/**
 * The system's processes behind a port, for code that ends some of them: read, list and signal. What
 * may block on a hung process (its environment, its command line) is asynchronous.
 */
import { readdir, readFile } from 'node:fs/promises';
import { systemCode } from './app-error.ts';
import { execFile } from './exec-file.ts';
import {
  HAS_PROC,
  isSameProcess,
  type ProcessIdentity,
  type ProcessState,
  readProcess,
} from './process-identity.ts';

export interface ListedProcess extends ProcessIdentity {
  name: string;
  parent: number;
  group: number;
  /** The POSIX session: the pid of its leader; -1 where the system does not say. */
  session: number;
}

export interface Processes {
  /** Null when there is no such process. Throws when the system cannot say. */
  read(pid: number): ProcessState | null;
  /** Every living process. Rejects when the system cannot say. */
  list(): Promise<ListedProcess[]>;
  /** `\0NAME=value\0…` as the process was started; '' when it cannot be read. */
  environment(pid: number): Promise<string>;
  /** `\0word\0…`; '' when it cannot be read. */
  words(pid: number): Promise<string>;
  /** Signals that process and no other that got its pid. */
  signal(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' | 'not_permitted';
}

const PS_TIMEOUT_MS = 5_000;
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ \S+ +\d+ \S+ \d+)\s+(.*)$/;

export const systemProcesses: Processes = {
  read: readProcess,
  list: async () => (HAS_PROC ? listFromProc() : listFromPs()),
  environment: async (pid) => readWords(pid, 'environ'),
  words: async (pid) => readWords(pid, 'cmdline'),
  signal(identity, signal) {
    const found = readProcess(identity.pid);
    if (found === null || !isSameProcess(found, identity)) return 'gone';
    try {
      process.kill(identity.pid, signal);
      return 'sent';
    } catch (error) {
      return systemCode(error) === 'EPERM' ? 'not_permitted' : 'gone';
    }
  },
};

async function listFromProc(): Promise<ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => listed(Number(pid), await read(`/proc/${pid}/stat`))),
  );
  return found.filter((each) => each !== null);
}

function listed(pid: number, stat: string): ListedProcess | null {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return null;
  return {
    pid,
    startedAt: fields[19] ?? '',
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

async function listFromPs(): Promise<ListedProcess[]> {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';
  const answer = await execFile('ps', ['-axo', columns], { timeoutMs: PS_TIMEOUT_MS });
  if (!answer.ok) throw new Error('ps did not list the processes');
  return answer.stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = 'Z', startedAt = '', name = ''] = PS_LINE.exec(line) ?? [];
    if (state.startsWith('Z')) return [];
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    return [{ ...numbers, session: -1, startedAt, name }];
  });
}

async function readWords(pid: number, file: 'environ' | 'cmdline'): Promise<string> {
  const text = await read(`/proc/${pid}/${file}`);
  return text === '' ? '' : `\0${text}\0`;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '')) throw error;
    return '';
  }
}
