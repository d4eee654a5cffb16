import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { commandLine, readProcess } from '../../lib/processes/process-identity.ts';
import { systemProcesses } from '../../lib/processes/processes.ts';
import { fleetDirectory } from '../host-identity.ts';
import { SERVER_FILES } from '../nats/server-config.ts';
import { configPath } from './fleet-record.ts';

/** `unknown_process`: the pid file names a process that is not a NATS server with this configuration. */
export type Reload = 'asked' | 'not_running' | 'unknown_process';

/**
 * Asks the running NATS server of this fleet to read its configuration again: a host that was
 * removed then loses its connection. The pid file may be old, so the process must prove itself.
 */
export function reloadServer(home: string): Reload {
  const pid = pidOf(join(fleetDirectory(home), SERVER_FILES.pid));
  const state = pid === null ? null : readProcess(pid);
  if (pid === null || state === null) return 'not_running';
  if (basename(state.name) !== 'nats-server' || !hasConfig(pid, configPath(home))) {
    return 'unknown_process';
  }
  return systemProcesses.signal(state, 'SIGHUP') === 'sent' ? 'asked' : 'not_running';
}

function pidOf(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

/** Whether one of its arguments leads to that file. */
function hasConfig(pid: number, config: string): boolean {
  const wanted = realOf(config);
  const directory = directoryOf(pid);
  const text = commandLine(pid);
  return text
    .split(text.includes('\0') ? '\0' : ' ')
    .map((word) => word.replace(/^--?c(?:onfig)?=/, ''))
    .some((word) => word.endsWith('.conf') && realOf(resolve(directory, word)) === wanted);
}

/** Where a process runs; the root where the system does not say, so that only whole paths count. */
function directoryOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '/';
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
