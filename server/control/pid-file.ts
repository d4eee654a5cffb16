/**
 * Pid files: the pid in decimal on the first line. Ours has a second line with the start time of the
 * process, so that another process with the same pid is not mistaken for the daemon.
 */
import { systemCode } from '../lib/app-error.ts';
import { readRegular } from '../lib/files/hostile-file.ts';
import { writeOwnFile } from '../lib/files/own-file.ts';
import { isAlive, readProcess } from '../lib/processes/process-identity.ts';

/** In the home. Left behind only by a daemon that was killed. */
export const PID_FILE = 'loopwatch.pid';

const MAX_BYTES = 256;
const PATTERN = /^\s*([1-9]\d{0,9})\s*(?:\nstart=(\S{1,200})\s*)?$/;

interface Named {
  pid: number;
  /** As `ProcessIdentity` has it; null in a file that names only a pid. */
  startedAt: string | null;
}

/** Names this process. Returns the function that removes the file. Throws the system's error. */
export function writePidFile(home: string): () => void {
  const startedAt = readProcess(process.pid)?.startedAt ?? '';
  // Elsewhere than on Linux it is a date with spaces.
  const content = `${process.pid}\nstart=${encodeURIComponent(startedAt)}\n`;
  return writeOwnFile(home, PID_FILE, content);
}

/**
 * The process named by the file if it is alive, else null: also for a missing file and for one that
 * is no pid file. A file with only a pid does not distinguish a process from a later one with its pid.
 */
export function livingProcess(path: string): Named | null {
  const named = readPidFile(path);
  if (named === null) return null;
  const { pid, startedAt } = named;
  const lives = startedAt === null ? answersSignals(pid) : isAlive({ pid, startedAt });
  return lives ? named : null;
}

function readPidFile(path: string): Named | null {
  const [, digits, start] = PATTERN.exec(readRegular(path, MAX_BYTES) ?? '') ?? [];
  const pid = Number(digits);
  if (digits === undefined) return null;
  if (start === undefined) return { pid, startedAt: null };
  try {
    return { pid, startedAt: decodeURIComponent(start) };
  } catch {
    return null;
  }
}

/** A process of another user refuses the signal, and so it is there. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
