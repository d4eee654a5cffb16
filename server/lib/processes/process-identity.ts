/**
 * Processes by identity (pid and start time), so that a reused pid is never mistaken for the old
 * process. Reads /proc on Linux, runs `ps` elsewhere.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { systemCode } from '../app-error.ts';
import { KEPT_READINGS, openFileLimit } from '../open-files.ts';

export interface ProcessIdentity {
  pid: number;
  /** Opaque: clock ticks since boot on Linux, a date elsewhere. Compared only for equality. */
  startedAt: string;
}

export interface ProcessState extends ProcessIdentity {
  /** The program's short name, as the kernel knows it. */
  name: string;
  group: number;
  /** The foreground process group of its terminal; -1 without a terminal. */
  foregroundGroup: number;
}

/** In /proc/PID/stat, counted after the name: when the process started. */
export const START_FIELD = 19;

export const HAS_PROC = existsSync('/proc/self/stat');

/**
 * Null when there is no living process (a zombie is not alive). Throws when the system cannot say:
 * running out of files proves no death.
 */
export function readProcess(pid: number): ProcessState | null {
  return HAS_PROC ? readFromProc(pid) : readFromPs(pid);
}

export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt;
}

export function isAlive(identity: ProcessIdentity): boolean {
  return readProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** The same, but true when the system cannot say: where nothing is known, nothing has ended. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  try {
    return isAlive(identity);
  } catch {
    return true;
  }
}

/**
 * Whether any process has this pid, also a zombie or one of another user: one system call, where
 * `isAlive` needs three. False: it has ended.
 */
export function isTaken(pid: number): boolean {
  try {
    // Checks only; no signal is sent.
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/**
 * Signals the whole process group that the process leads. False, with nothing sent, when that
 * process has ended or does not lead its group.
 */
export function signalGroup(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  const state = readProcess(identity.pid);
  if (state?.startedAt !== identity.startedAt || state.group !== identity.pid) return false;
  try {
    process.kill(-identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Its arguments as one opaque text; '' when there is none. */
export function commandLine(pid: number): string {
  try {
    return HAS_PROC
      ? readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Every probe of a terminal reads such a file: one shared buffer makes no garbage. */
const statBuffer = Buffer.alloc(1024);

/** Two for each of 500 sessions. */
const MAX_KEPT = Math.min(1024, Math.floor((openFileLimit() ?? 0) / KEPT_READINGS));

/**
 * The newest answers, each with its open file: asked again, that is one system call instead of
 * three, and the line of a process at rest stays the same. Such a file never leads to a later
 * process with that pid.
 */
const kept = new Map<number, KeptReading>();

interface KeptReading {
  file: number;
  line: Buffer;
  state: ProcessState | null;
  /** Which of all readings asked for it last. */
  askedAt: number;
}

/** Dropped once all others were asked for this many times since: most of those have ended. */
const UNASKED_ROUNDS = 10;
let asked = 0;

function readFromProc(pid: number): ProcessState | null {
  const known = kept.get(pid);
  asked += 1;
  if (known !== undefined) {
    known.askedAt = asked;
    const length = statLength(known.file);
    if (length > 0 && known.line.compare(statBuffer, 0, length) === 0) return known.state;
    kept.delete(pid);
    // It has ended; its pid may be taken.
    if (length === 0) closeSync(known.file);
    else return keep(pid, known.file, length);
  }
  const file = openStat(pid);
  if (file === null) return null;
  const length = statLength(file);
  if (length > 0) {
    dropUnasked();
    return keep(pid, file, length);
  }
  closeSync(file);
  return null;
}

/** Takes over the file, whose text is in the buffer. */
function keep(pid: number, file: number, length: number): ProcessState | null {
  const line = Buffer.from(statBuffer.subarray(0, length));
  const state = stateOf(pid, line.toString('latin1'));
  kept.set(pid, { file, line, state, askedAt: asked });
  return state;
}

/** Before another one is kept. */
function dropUnasked(): void {
  const before = asked - UNASKED_ROUNDS * (kept.size + 1);
  for (const [pid, { file, askedAt }] of kept) {
    if (askedAt >= before && kept.size < MAX_KEPT) continue;
    kept.delete(pid);
    closeSync(file);
  }
}

function stateOf(pid: number, text: string): ProcessState | null {
  // The name may hold spaces and parentheses; everything after the last one is plain.
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ', START_FIELD + 1);
  const state = fields[0];
  if (state === undefined || state === 'Z' || state === 'X') return null;
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    group: Number(fields[2]),
    foregroundGroup: Number(fields[5]),
    startedAt: fields[START_FIELD] ?? '',
  };
}

/** The text of /proc/PID/stat; null when there is no such process. Throws when out of files. */
export function readStat(pid: number): string | null {
  const file = openStat(pid);
  if (file === null) return null;
  try {
    const length = statLength(file);
    return length === 0 ? null : statBuffer.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}

/** Null when there is no such process. Throws when out of files. */
function openStat(pid: number): number | null {
  try {
    return openSync(`/proc/${pid}/stat`, 'r');
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '')) throw error;
    return null;
  }
}

/** Reads into the buffer; 0 when the process has ended since the file was opened. */
function statLength(file: number): number {
  try {
    return readSync(file, statBuffer, 0, statBuffer.length, 0);
  } catch {
    return 0;
  }
}

function readFromPs(pid: number): ProcessState | null {
  try {
    const columns = 'stat=,pgid=,tpgid=,lstart=,comm=';
    const line = execFileSync('ps', ['-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    const match = /^(\S+)\s+(\d+)\s+(-?\d+)\s+(\S+ \S+ +\d+ \S+ \d+)\s+(.*)$/.exec(line);
    if (match === null || match[1]?.startsWith('Z')) return null;
    return {
      pid,
      group: Number(match[2]),
      foregroundGroup: Number(match[3]),
      startedAt: match[4] ?? '',
      name: match[5] ?? '',
    };
  } catch {
    return null;
  }
}
