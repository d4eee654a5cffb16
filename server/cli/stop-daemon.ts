/** `loopwatch stop`: asks the daemon of the home to stop and waits until its process has ended. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../control/control-client.ts';
import { livingProcess, PID_FILE } from '../control/pid-file.ts';
import { CONTROL_SOCKET } from '../control/socket-place.ts';
import { readConfig } from '../lib/config/config.ts';
import { DAEMON_FILE } from '../lib/files/daemon-file.ts';
import { isAlive, type ProcessIdentity, readProcess } from '../lib/processes/process-identity.ts';
import { systemProcesses } from '../lib/processes/processes.ts';
import { request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { print } from './print/print.ts';
import { Progress } from './print/progress.ts';

/** Without any step towards the end; a daemon ends itself after 5 s. */
const QUIET_LIMIT_MS = 10_000;
const POLL_EVERY_MS = 50;
const STATUS_LIMIT_MS = 2_000;

export async function stopDaemon(): Promise<void> {
  const { home } = readConfig();
  const daemon = await findProcess(home);
  const terminal = await terminalKind();
  using progress = new Progress();
  progress.show(`waiting for the daemon (pid ${daemon.pid}) to stop`);
  const asked = await send(home, 'Shutdown');
  // Its socket was removed, or it is of a version without one.
  if (!asked.ok || asked.reply !== 'Ok') signal(daemon);
  await ended(home, daemon);
  progress.end();
  print(
    terminal === 'pty'
      ? 'daemon stopped, and its sessions with it; turns of tasks and runs keep running'
      : 'daemon stopped; sessions and agents keep running',
  );
}

/** Null for a daemon that does not say: it may hang, or not accept this token. */
async function terminalKind(): Promise<'tmux' | 'pty' | null> {
  const status = request('status', {}, AbortSignal.timeout(STATUS_LIMIT_MS));
  return status.then(
    ({ terminal }) => terminal,
    () => null,
  );
}

/** Throws a CliError when no daemon runs. */
async function findProcess(home: string): Promise<ProcessIdentity> {
  const named = livingProcess(join(home, PID_FILE));
  if (named !== null && named.startedAt !== null) {
    return { pid: named.pid, startedAt: named.startedAt };
  }
  // Of a version without a pid file: only the process that answers is ended.
  const { pid } = await request('status', {});
  return { pid, startedAt: readProcess(pid)?.startedAt ?? '' };
}

function signal(daemon: ProcessIdentity): void {
  if (systemProcesses.signal(daemon, 'SIGTERM') !== 'not_permitted') return;
  const message = `the daemon (pid ${daemon.pid}) belongs to another user; stop it as that user`;
  throw new CliError(ExitCode.failed, message);
}

/** Resolves once the process is gone; throws when nothing about it changes for long. */
async function ended(home: string, daemon: ProcessIdentity): Promise<void> {
  const left = () =>
    [CONTROL_SOCKET, DAEMON_FILE, PID_FILE].filter((name) => existsSync(join(home, name))).length;
  let seen = left();
  for (let quietMs = 0; isAlive(daemon); quietMs += POLL_EVERY_MS) {
    const now = left();
    if (now !== seen) [seen, quietMs] = [now, 0];
    if (quietMs >= QUIET_LIMIT_MS) {
      throw new CliError(
        ExitCode.failed,
        `the daemon (pid ${daemon.pid}) did not stop: nothing changed for 10 s; check its log, then try again`,
      );
    }
    await sleep(POLL_EVERY_MS);
  }
}
