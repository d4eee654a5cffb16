/** The status of the daemon, with the checks of its machine. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonStatus } from '../../shared/schema/model.ts';
import { CheckIn } from '../alerts/check-in.ts';
import { DATABASE_FILE } from '../db/database.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { CachedChecks } from '../preflight/preflight.ts';
import { cgroupOf, serviceCheck } from '../preflight/service-check.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

export async function openStatus(
  config: Readonly<Config>,
  { logger, log, meta }: Store,
  {
    agents,
    attention,
    launchFiles,
    screenHistory,
    clientVersions,
    shellEnvironment,
    terminals,
    versions,
  }: Services,
  { clock, version }: { clock: Clock; version: string },
  scope: Scope,
): Promise<{ checks: CachedChecks; status: () => Promise<DaemonStatus> }> {
  const startedAt = toIso(clock.now());
  const service = async () =>
    terminals.host.kind === 'pty' ? null : serviceCheck(cgroupOf(process.pid), shellEnvironment);
  const unit = await service();
  if (unit?.ok === false) logger.warn({ fix: unit.fix }, unit.detail);
  const checkIn = new CheckIn({
    url: config.checkInUrl,
    everyMs: config.checkInMs,
    clock,
    logger,
    version,
    trouble: () => {
      meta.saveCheckIn(toIso(clock.now()));
      const unreached = attention
        .openOfKind('alert')
        .find(({ reason }) => reason === 'alert_undelivered');
      return unreached?.title ?? null;
    },
  });
  scope.own(() => checkIn.dispose());
  const checks = new CachedChecks(
    {
      home: config.home,
      program: config.agentProgram,
      loop: config.loop,
      isLoopChosen: config.isLoopChosen,
      template: config.autoCommand,
      agents,
      versions,
      isTrusted: (number) => clientVersions.careful(number) === null,
      environment: shellEnvironment,
      projects: config.roots,
      terminal: terminals.preflight,
      service,
    },
    clock,
    () => checkIn.check(),
  );
  const status = async (): Promise<DaemonStatus> => ({
    version,
    pid: process.pid,
    started_at: startedAt,
    epoch: log.epoch,
    head: log.head,
    ...ownCost(),
    home: config.home,
    roots: [...config.roots],
    terminal: terminals.host.kind,
    transport: config.transport,
    start_command: agents.shellLine(
      'claude',
      '{taskDir}',
      await launchFiles.preview('claude', 'RUN'),
    ),
    loop_permissions:
      agents.takesFlags && (await launchFiles.takesPermissions('claude'))
        ? config.loopPermissions
        : null,
    retention: {
      days: config.retentionDays,
      max_events: config.retentionEvents,
      events: log.head - log.oldest + 1,
      oldest: log.oldest,
      disk_bytes: statSync(join(config.home, DATABASE_FILE)).size,
    },
    screens: screenHistory.status(),
    preflight: await checks.checks(),
  });
  return { checks, status };
}

/** Of the daemon's own process. */
function ownCost(): Pick<DaemonStatus, 'memory_bytes' | 'cpu_seconds'> {
  const { user, system } = process.cpuUsage();
  return { memory_bytes: process.memoryUsage.rss(), cpu_seconds: (user + system) / 1e6 };
}
