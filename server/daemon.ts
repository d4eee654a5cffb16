/**
 * The composition root: the only file that sees every part. Builds them bottom up, starts what was
 * interrupted again, listens, and lets go of all in reverse. Ending the daemon ends no session.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonStatus } from '../shared/model.ts';
import { CloseCode } from '../shared/protocol.ts';
import { AgentRecords } from './agents/agent-records.ts';
import { Agents } from './agents/agents.ts';
import { openHookCapabilities } from './agents/hooks/hook-capability.ts';
import { SupervisedRuns } from './agents/supervised-run.ts';
import { AlertDeliveryStore } from './alerts/alert-delivery-store.ts';
import { AlertRuleStore } from './alerts/alert-rule-store.ts';
import { AlertSender } from './alerts/alert-sender.ts';
import { Alerts } from './alerts/alerts.ts';
import { createApp } from './api/app.ts';
import { errorResponse } from './api/error-response.ts';
import { gate, gatePolicy } from './api/gate.ts';
import { alertRoutes } from './api/routes/alert-routes.ts';
import { attentionRoutes } from './api/routes/attention-routes.ts';
import { autoRoutes } from './api/routes/auto-routes.ts';
import { daemonRoutes } from './api/routes/daemon-routes.ts';
import { eventRoutes } from './api/routes/event-routes.ts';
import { hookRoutes } from './api/routes/hook-routes.ts';
import { peopleRoutes } from './api/routes/people-routes.ts';
import { recordingRoutes } from './api/routes/recording-routes.ts';
import { sessionRoutes } from './api/routes/session-routes.ts';
import { staticFiles } from './api/static-files.ts';
import { Attention } from './attention/attention.ts';
import { createHookReceiver } from './attention/hook-receiver.ts';
import { AttentionStore } from './attention/attention-store.ts';
import { AutoLoops } from './auto/auto-loops.ts';
import { AutoStore } from './auto/auto-store.ts';
import { Demo } from './auto/demo.ts';
import { DATABASE_FILE, openDatabase } from './db/database.ts';
import { lockHome } from './db/home-lock.ts';
import { MetaStore, type RestoreMark } from './db/meta-store.ts';
import { sweepRestores } from './db/restore-database.ts';
import { EventLog } from './events/event-log.ts';
import { keepPruned } from './events/keep-pruned.ts';
import { RunHistory } from './events/run-history.ts';
import { type Clock, systemClock, toIso } from './lib/clock.ts';
import { announceDaemon } from './lib/daemon-file.ts';
import type { Config } from './lib/config.ts';
import { openLog } from './lib/log.ts';
import { openHome } from './lib/open-home.ts';
import { packageRoot, packageVersion } from './lib/package-root.ts';
import { ProgramVersions } from './lib/program-versions.ts';
import { requireSafeBinding } from './lib/safe-binding.ts';
import { Scope } from './lib/scope.ts';
import { watchFileIdentity } from './lib/watch-file-identity.ts';
import { Access } from './people/access.ts';
import { keepAdminToken } from './people/admin-token.ts';
import { adoptTerminals } from './sessions/adopt-terminals.ts';
import { AgentMonitor } from './sessions/agent-monitor.ts';
import { InputStore } from './sessions/input-store.ts';
import { Outbox } from './sessions/outbox.ts';
import { PreflightBoard } from './preflight/preflight.ts';
import { cgroupOf, serviceCheck } from './preflight/service-check.ts';
import { Attachments } from './sessions/attachments.ts';
import { Displays } from './sessions/displays.ts';
import { Recordings } from './sessions/recordings.ts';
import { ScreenFeed } from './sessions/screen-feed.ts';
import { SessionStore } from './sessions/session-store.ts';
import { Sessions } from './sessions/sessions.ts';
import { openTerminalHost } from './terminals/open-terminal-host.ts';
import { terminalEnvironment } from './terminals/terminal-environment.ts';
import { wsTransport } from './transport/ws-transport.ts';
import { authorizeUpgrade } from './ws/upgrade.ts';
import { openConnection } from './ws/connection.ts';

export interface Daemon {
  readonly url: string;
  readonly token: string;
  /** A new one-time login link. */
  loginLink(): string;
  /** Resolves when the home was removed or replaced: nothing is kept any more, so end the daemon. */
  readonly homeGone: Promise<void>;
  /** Lets go of everything within 5 seconds; sessions and agents go on. */
  close(): Promise<void>;
}

export interface DaemonOverrides {
  clock?: Clock;
  environment?: NodeJS.ProcessEnv;
  /** Gives a number from 0 to 1. */
  random?: () => number;
}

/** Takes the settings; gives the running daemon. Throws a ConfigError, HomeLockedError, DatabaseError. */
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
  config: Readonly<Config>,
  overrides: DaemonOverrides,
  scope: Scope,
): Promise<Daemon> {
  const { clock = systemClock, environment = process.env, random = Math.random } = overrides;
  requireSafeBinding(config);
  openHome(config.home);
  scope.own(lockHome(config.home));
  sweepRestores(config.home);
  const { log: logger, close: closeLog } = openLog(config, clock);
  scope.own(closeLog);
  const database = openDatabase(config.home);
  scope.own(() => database.close());
  const homeGone = new Promise<void>((resolve) => {
    scope.own(watchFileIdentity(join(config.home, DATABASE_FILE), clock, resolve));
  });
  const retention = { days: config.retentionDays, maxEvents: config.retentionEvents };
  const log = new EventLog({ database, clock, retention });
  const meta = new MetaStore(database);
  const restored = meta.restored();
  const alertDeliveries = new AlertDeliveryStore(database);
  scope.own(keepPruned(log, clock, logger, () => alertDeliveries.prune(log.oldest)));

  const capabilities = openHookCapabilities(config.home);

  const shellEnvironment = terminalEnvironment(environment, config.passEnvironment);
  const terminals = await openTerminalHost(config, shellEnvironment, clock);
  scope.own(() => terminals.host.dispose());
  const sessionStore = new SessionStore(database);
  const sessions = new Sessions({
    log,
    store: sessionStore,
    host: terminals.host,
    clock,
    roots: config.roots,
    sweepMs: config.signalPollMs,
    logger,
  });
  const agents = new Agents({
    program: config.agentProgram,
    template: config.autoCommand,
    environment: shellEnvironment,
  });
  const records = new AgentRecords({ program: config.agentProgram, environment: shellEnvironment });
  const monitor = new AgentMonitor({
    ...{ log, sessions, records, clock, logger },
    pollMs: config.signalPollMs,
  });
  const displays = new Displays({ terminals: sessions, clock });
  scope.own(() => displays.dispose());
  const attachments = new Attachments({ displays, terminals: sessions, clock });
  const outbox = new Outbox({
    ...{ log, clock, logger },
    store: new InputStore(database),
    place: sessions,
    witness: monitor,
    sinceTyped: (session) => attachments.sinceTypedMs(session),
  });
  const versions = new ProgramVersions(shellEnvironment);
  const runs = new SupervisedRuns({
    ...{ home: config.home, program: config.agentProgram },
    ...{ versions, capabilities, clock, environment: shellEnvironment },
  });
  scope.own(() => runs.dispose());
  const attention = new Attention({
    ...{ log, clock, logger },
    store: new AttentionStore(database),
  });
  const loops = new AutoLoops({
    ...{ log, sessions, monitor, agents, attention, outbox, runs, clock, logger },
    recovery: config.recovery,
    store: new AutoStore(database),
    roots: config.roots,
    policy: config,
    signalPollMs: config.signalPollMs,
    heartbeatMs: config.heartbeatMs,
    startTimeoutMs: config.startTimeoutMs,
  });
  monitor.onChange((session, agent) => {
    if (agent === null) {
      outbox.closeSession(session);
      attention.closeSession(session);
      attachments.forget(session);
    } else {
      attention.observe(session, agent);
      void outbox.pump(session);
    }
    loops.agentChanged(session);
  });
  attention.recover();
  const demo = new Demo({ loops, sessions, home: config.home });
  await sessions.recover();
  scope.own(() => sessions.dispose());
  const adopted =
    restored === null
      ? []
      : await adoptTerminals({ log, store: sessionStore, host: terminals.host, clock });
  await loops.recover((run) => mayHaveEnded(restored, adopted, run));
  scope.own(() => loops.dispose());
  await sessions.watch();
  scope.own(() => monitor.dispose());
  await monitor.start();
  scope.own(() => outbox.dispose());
  outbox.recover(restored !== null);

  const receiver = createHookReceiver({
    attention,
    heard: (session, event) => monitor.heard(session, event),
    hasSession: (session) => sessions.has(session),
  });
  const token = config.token ?? keepAdminToken(config.home);
  const access = new Access({ token, clock });
  const version = packageVersion();
  const alerts = new Alerts({
    ...{ log, clock, random, logger },
    rules: new AlertRuleStore(database),
    deliveries: alertDeliveries,
    sender: new AlertSender({ clock, environment: shellEnvironment, version }),
  });
  scope.own(() => alerts.dispose());
  alerts.start();
  const startedAt = toIso(clock.now());
  const stopping = new AbortController();
  let url = '';
  const loginLink = (code: string) => `${url}/#k=${code}`;
  const service = async () =>
    terminals.host.kind === 'pty' ? null : serviceCheck(cgroupOf(process.pid), shellEnvironment);
  const unit = await service();
  if (unit?.ok === false) logger.warn({ fix: unit.fix }, unit.detail);
  const board = new PreflightBoard(
    {
      ...{ home: config.home, program: config.agentProgram, template: config.autoCommand },
      ...{ agents, versions, environment: shellEnvironment, projects: config.roots },
      terminal: terminals.preflight,
      service,
    },
    clock,
  );
  const status = async (): Promise<DaemonStatus> => ({
    ...{ version, pid: process.pid, started_at: startedAt, epoch: log.epoch, head: log.head },
    ...{ home: config.home, roots: [...config.roots], terminal: terminals.host.kind },
    retention: {
      ...{ days: config.retentionDays, max_events: config.retentionEvents },
      ...{ events: log.head - log.oldest + 1, oldest: log.oldest },
      disk_bytes: statSync(join(config.home, DATABASE_FILE)).size,
    },
    preflight: await board.checks(),
  });
  const recordings = new Recordings({
    directory: join(config.home, 'recordings'),
    hasSession: (name) => sessions.has(name),
    ...{ displays, clock },
  });
  scope.own(() => recordings.dispose());
  const app = createApp({
    handlers: {
      ...daemonRoutes({ version, status }),
      ...peopleRoutes({ access, loginLink }),
      ...sessionRoutes({ sessions, monitor, outbox }),
      ...recordingRoutes({ recordings }),
      ...autoRoutes({ loops, demo, history: new RunHistory(log, clock) }),
      ...attentionRoutes({ attention }),
      ...alertRoutes({ alerts }),
      ...eventRoutes({ log, clock, stopped: stopping.signal }),
      ...hookRoutes({ receiver, stopped: stopping.signal }),
    },
    access,
    capabilities,
    logger,
    page: staticFiles(join(packageRoot(), 'dist/web')),
  });
  const screens = new ScreenFeed({
    tap: async (name, listener) => sessions.tap(name, listener),
    capture: async (name) => sessions.screen(name),
    clock,
  });
  const connection = {
    log,
    clock,
    screens,
    attachments,
    version,
    hasSession: (name: string) => sessions.has(name),
  };
  let policy = gatePolicy(config.port, config.allowedHosts, config.behindProxy);
  const server = await wsTransport.listen(config, {
    gate(head) {
      const refusal = gate(head, policy);
      return refusal === null ? null : errorResponse(refusal, logger);
    },
    fetch: app,
    upgrade(head) {
      try {
        const role = authorizeUpgrade(head, access);
        return { accept: true, open: (peer) => openConnection(peer, { ...connection, role }) };
      } catch (error) {
        return { accept: false, response: errorResponse(error, logger) };
      }
    },
  });
  scope.own(() => server.close(CloseCode.restart, 'restart'));
  scope.own(() => {
    // First the inbox, or who waits for an answer would seem to have gone away. Then, in the same
    // turn, the requests: each hook is told to ask the next daemon.
    try {
      attention.dispose();
    } finally {
      stopping.abort();
    }
  });
  // With port 0 the real one is known only now; nobody can have asked before.
  policy = gatePolicy(server.port, config.allowedHosts, config.behindProxy);
  url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`;
  scope.own(announceDaemon(config.home, url));
  log.write((append) => {
    const more = restored === null ? {} : { restored: true };
    append({ type: 'daemon.started', data: { version, pid: process.pid, ...more } });
    meta.clearRestored();
  });
  scope.own(() => {
    try {
      log.write((append) => append({ type: 'daemon.stopping', data: {} }));
    } catch (error) {
      logger.error({ err: error }, 'the end of the daemon could not be told');
    }
  });
  return {
    url,
    token,
    homeGone,
    loginLink: () => loginLink(access.createLoginCode().secret),
    close: async () => scope.dispose(),
  };
}

/**
 * Tells whether a loop of a restored database may have ended since the backup: the database before
 * it knew, or, when that could not be asked, a terminal that was opened since speaks for it.
 */
function mayHaveEnded(mark: RestoreMark | null, adopted: readonly string[], run: string): boolean {
  if (mark === null) return false;
  return mark.ended_runs?.includes(run) ?? adopted.length > 0;
}
