/**
 * What the kernel knows of a terminal, without its host: its device (Linux; else null), its
 * processes.
 */
import { readFileSync, statSync } from 'node:fs';
import { execFile } from '../lib/processes/exec-file.ts';
import {
  commandLine,
  isAlive,
  type ProcessIdentity,
  readProcess,
} from '../lib/processes/process-identity.ts';
import { ProcessMemo } from '../lib/processes/process-memo.ts';
import type { Foreground, TerminalIdentity } from './terminal.ts';

/** The major numbers of pseudo-terminals (Linux, admin-guide/devices.txt), 256 of them each. */
const PTS_MAJORS = [136, 143] as const;
const STTY_TIMEOUT_MS = 2_000;

/** Keyed by the shell. */
const devices = new ProcessMemo<{ path: string | null }>();

/** When its program last wrote, in ms since 1970, or null when the terminal has ended. */
export function terminalChangedAt(identity: TerminalIdentity): number | null {
  const path = devicePath(identity);
  if (path === null) return null;
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

/**
 * True when its program reads whole lines (canonical mode), of which the kernel keeps 4,095 bytes,
 * and when that cannot be determined.
 */
export async function readsLines(
  identity: TerminalIdentity,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const path = devicePath(identity);
  if (path === null) return true;
  const options = { env: environment, timeoutMs: STTY_TIMEOUT_MS };
  const answer = await execFile('stty', ['-a', '-F', path], options);
  return !answer.ok || !/(^|\s)-icanon\b/.test(answer.stdout);
}

/** From the processes, without its host. */
export function probeShell(identity: TerminalIdentity): Foreground {
  const shell = readProcess(identity.shellPid);
  if (shell?.startedAt !== identity.shellStartedAt) {
    const host = { pid: identity.hostPid, startedAt: identity.hostStartedAt };
    return { kind: isAlive(host) ? 'closed' : 'lost' };
  }
  const atShell: Foreground = { kind: 'shell', name: shell.name, process: identityOf(shell) };
  if (shell.foregroundGroup === shell.group) return atShell;
  const program = readProcess(shell.foregroundGroup);
  if (program === null) return atShell;
  return {
    kind: 'program',
    program,
    forked: program.name === shell.name && isCopy(program, shell),
  };
}

function devicePath(identity: TerminalIdentity): string | null {
  const shell = { pid: identity.shellPid, startedAt: identity.shellStartedAt };
  if (!isAlive(shell)) {
    devices.delete(shell.pid);
    return null;
  }
  const known = devices.get(shell);
  if (known !== undefined) return known.path;
  const path = controllingTerminal(shell.pid);
  devices.set(shell, { path });
  return path;
}

function controllingTerminal(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 7; the name before it may hold spaces.
    const number = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
    const major = (number >> 8) & 0xfff;
    const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
    if (major < PTS_MAJORS[0] || major > PTS_MAJORS[1]) return null;
    return `/dev/pts/${(major - PTS_MAJORS[0]) * 256 + minor}`;
  } catch {
    return null;
  }
}

function identityOf({ pid, startedAt }: ProcessIdentity): ProcessIdentity {
  return { pid, startedAt };
}

/**
 * With an empty command line it is in between: about to become a program, or ended since it was
 * read.
 */
function isCopy(program: ProcessIdentity, shell: ProcessIdentity): boolean {
  const own = commandLine(program.pid);
  return own === '' || own === commandLine(shell.pid);
}
