/** The control socket of a running daemon: its status for programs of this user, and its end. */
import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Scope } from '../lib/scope.ts';
import { CompletedJobs } from './completed-jobs.ts';
import type { ControlCommand } from './control-messages.ts';
import { listenForControl } from './control-server.ts';
import { freeSocketPath, linkSocket } from './socket-place.ts';

export interface ControlDependencies {
  home: string;
  /** Opens the private directory of the daemon's sockets. */
  directory: () => string;
  clock: Clock;
  log: EventLog;
  logger: Log;
}

/**
 * Resolves with the promise of a `Shutdown`. A socket that cannot be opened is logged and missing:
 * the daemon runs without it.
 */
export async function openControl(
  { home, directory, clock, log, logger }: ControlDependencies,
  scope: Scope,
): Promise<{ shutdownRequested: Promise<void> }> {
  const startedMs = clock.monotonic();
  const jobs = new CompletedJobs(log);
  scope.own(jobs.dispose);
  const { promise: shutdownRequested, resolve: requestShutdown } = pending();
  const status = () => ({
    running: true,
    uptime_secs: Math.floor((clock.monotonic() - startedMs) / 1000),
    provider_active: false,
    host_active: false,
    jobs_completed: jobs.count,
    earnings_msats: 0,
  });
  const handle = (command: ControlCommand) => {
    switch (command) {
      case 'Ping':
        return { reply: 'Pong' } as const;
      case 'Shutdown':
        logger.info('stopping: the control socket received Shutdown');
        return { reply: 'Ok', then: requestShutdown } as const;
      case 'Status':
        return { reply: { Status: status() } };
    }
  };
  try {
    const path = await freeSocketPath(directory());
    const failed = (error: Error) =>
      logger.warn({ err: error }, 'a control client was not accepted');
    scope.own(await listenForControl({ path, clock, handle, failed }));
    scope.own(linkSocket(home, path));
  } catch (error) {
    logger.error(
      { err: error },
      'the control socket could not be opened; the daemon runs without it',
    );
  }
  return { shutdownRequested };
}

function pending(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
