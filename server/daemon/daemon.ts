/**
 * The composition root: only this folder sees every part. Builds them bottom up, restarts what was
 * interrupted, listens, and releases everything in reverse. Ending the daemon ends no session.
 */
import { openControl } from '../control/open-control.ts';
import type { DatabaseError } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import { packageVersion } from '../lib/package-root.ts';
import { Scope } from '../lib/scope.ts';
import { ProgramVersions } from '../lib/processes/program-versions.ts';
import { withLoop } from '../preflight/loop-check.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import { LagClock } from '../metrics/lag-clock.ts';
import { openSocketDirectory } from '../terminals/socket-directory.ts';
import { chooseTransport } from '../transport/choose-transport.ts';
import type { DaemonOverrides } from './daemon-overrides.ts';
import { openEdge } from './open-edge.ts';
import { SharedWork } from '../fleet/shared-work.ts';
import { fleetIdentity, openFleet } from './open-fleet.ts';
import { openServices } from './open-services.ts';
import { openStore } from './open-store.ts';

export interface Daemon {
  readonly url: string;
  readonly token: string;
  /** A new one-time login link. */
  loginLink(): string;
  /**
   * Resolves when the home was removed or replaced: nothing is stored any more, so end the daemon.
   */
  readonly homeRemoved: Promise<void>;
  /** Resolves when stored events turn out to be damaged: end the daemon. */
  readonly eventsDamaged: Promise<DatabaseError>;
  /** Resolves when the control socket received `Shutdown`: end the daemon as on SIGTERM. */
  readonly shutdownRequested: Promise<void>;
  /** Releases everything within 5 seconds; sessions and agents keep running. */
  close(): Promise<void>;
}

/** Throws a ConfigError, HomeLockedError, DatabaseError. */
export async function createDaemon(
  config: Readonly<Config>,
  overrides: DaemonOverrides = {},
): Promise<Daemon> {
  const scope = new Scope();
  try {
    return await build(config, overrides, scope);
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

async function build(
  settings: Readonly<Config>,
  overrides: DaemonOverrides,
  scope: Scope,
): Promise<Daemon> {
  const { environment = process.env, random = Math.random, demoPace = 1 } = overrides;
  const shell = terminalEnvironment(environment, settings.passEnvironment);
  const config = await withLoop(settings, new ProgramVersions(shell), shell);
  const clock = new LagClock(overrides.clock ?? systemClock);
  const given = { clock, environment, random, demoPace };
  // Before anything is opened or recovered.
  const identity = fleetIdentity(config, overrides);
  const transport = await chooseTransport(config.transport);
  const store = openStore(config, clock, scope);
  const work = identity && new SharedWork(identity.id);
  const services = await openServices(config, store, { ...given, claims: work }, scope);
  const { carrier } = overrides;
  const fleet =
    identity &&
    work &&
    (await openFleet(identity, config, store, services, { clock, carrier, work }, scope));
  const { url, token, loginLink } = await openEdge(
    config,
    { ...store, transport },
    services,
    { clock, fleet },
    scope,
  );
  // Last: hundreds of sessions take a while, and what needs to know one at once probes it.
  services.monitor.start();
  const { logger, log, meta, restored, lost, ends } = store;
  const { home, runtimeRoot } = config;
  const directory = () => openSocketDirectory(runtimeRoot, home);
  const control = await openControl({ home, directory, clock, log, logger }, scope);
  const version = packageVersion();
  log.write((append) => {
    const more = {
      ...(restored === null ? {} : { restored: true }),
      ...(lost === null ? {} : { lost_events: lost }),
    };
    append({ type: 'daemon.started', data: { version, pid: process.pid, ...more } });
    meta.clearRestored();
  });
  scope.own(() => {
    try {
      log.write((append) => append({ type: 'daemon.stopping', data: {} }));
    } catch (error) {
      logger.error({ err: error }, 'cannot record the shutdown of the daemon');
    }
  });
  const { shutdownRequested } = control;
  const close = async () => scope.dispose();
  return { url, token, loginLink, ...ends, shutdownRequested, close };
}
