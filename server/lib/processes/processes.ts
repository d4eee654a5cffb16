/**
 * A port to the system's processes for code that ends some of them: read, list and signal. What may
 * block on a hung process (its environment, its command line) is asynchronous.
 */
import { open, readdir } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { systemCode } from '../app-error.ts';
import { execFile } from './exec-file.ts';
import {
  HAS_PROC,
  isSameProcess,
  type ProcessIdentity,
  type ProcessState,
  readProcess,
  readStat,
  START_FIELD,
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
  /**
   * Every living process. Of `known`, an earlier list, those whose pid exists are not read again:
   * one of them may be a zombie by now, or another process. Rejects when the system cannot say.
   */
  list(known?: readonly ListedProcess[]): Promise<ListedProcess[]>;
  /** `\0NAME=value\0…` at the start of the process; '' when unreadable. */
  environment(pid: number): Promise<string>;
  /** `\0argument\0…`; '' when unreadable. */
  commandLine(pid: number): Promise<string>;
  /** Signals that process, never another one that got its pid. */
  signal(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' | 'not_permitted';
}

const PS_TIMEOUT_MS = 5_000;
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ \S+ +\d+ \S+ \d+)\s+(.*)$/;

/**
 * Files of /proc report no size, and Node allocates 64 KiB to read one. A search reads three for
 * each process of the machine: as garbage that left 190 of 200 MB of the heap free but fragmented.
 */
const READ_BYTES = 16 * 1024;
const KEPT_BUFFERS = 16;
const buffers: Buffer[] = [];
/** More than the kernel allows for a program's arguments or environment. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Processes listed per tick of the event loop, some milliseconds. */
const LISTED_AT_ONCE = 128;

export const systemProcesses: Processes = {
  read: readProcess,
  list: HAS_PROC ? listFromProc : listFromPs,
  environment: async (pid) => textArgument(pid, 'environ'),
  commandLine: async (pid) => textArgument(pid, 'cmdline'),
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

async function listFromProc(known: readonly ListedProcess[] = []): Promise<ListedProcess[]> {
  const before = new Map(known.map((each) => [each.pid, each]));
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: ListedProcess[] = [];
  for (const [index, pid] of pids.map(Number).entries()) {
    if (index % LISTED_AT_ONCE === 0) await yieldToEventLoop();
    const each = before.get(pid) ?? listed(pid, readStat(pid) ?? '');
    if (each !== null) found.push(each);
  }
  return found;
}

function listed(pid: number, stat: string): ListedProcess | null {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ', START_FIELD + 1);
  const [state, parent, group, session] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return null;
  return {
    pid,
    startedAt: fields[START_FIELD] ?? '',
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

async function listFromPs(): Promise<ListedProcess[]> {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';
  const answer = await execFile('ps', ['-axo', columns], { timeoutMs: PS_TIMEOUT_MS });
  if (!answer.ok) throw new Error('ps failed to list the processes');
  return answer.stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = 'Z', startedAt = '', name = ''] = PS_LINE.exec(line) ?? [];
    if (state.startsWith('Z')) return [];
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    return [{ ...numbers, session: -1, startedAt, name }];
  });
}

async function textArgument(pid: number, file: 'environ' | 'cmdline'): Promise<string> {
  const text = await read(`/proc/${pid}/${file}`);
  return text === '' ? '' : `\0${text}\0`;
}

async function read(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
    try {
      let text = '';
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
        text += buffer.toString('latin1', 0, bytesRead);
        if (bytesRead === 0 || text.length > MAX_BYTES) return text;
      }
    } finally {
      if (buffers.length < KEPT_BUFFERS) buffers.push(buffer);
      await file.close();
    }
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '')) throw error;
    return '';
  }
}
