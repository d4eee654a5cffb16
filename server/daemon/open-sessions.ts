/**
 * Terminals and everything about the sessions in them: what they show, who watches them, what is
 * typed to them, and the state of their agents. Nothing is recovered or polled yet.
 */
import { AgentRecords } from '../agents/records/agent-records.ts';
import { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { TranscriptSteps } from '../agents/records/transcript-steps.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Scope } from '../lib/scope.ts';
import { adoptTerminals } from '../sessions/adopt-terminals.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { Sessions } from '../sessions/sessions.ts';
import { Attachments } from '../sessions/showing/attachments.ts';
import { Displays } from '../sessions/showing/displays.ts';
import { ScreenHistory } from '../sessions/showing/screen-history.ts';
import { ScreenStore } from '../sessions/showing/screen-store.ts';
import { InputStore } from '../sessions/typing/input-store.ts';
import { Outbox } from '../sessions/typing/outbox.ts';
import { MetaStore } from '../db/meta-store.ts';
import { ClientVersions } from '../sessions/watching/client-versions.ts';
import { SessionActivities } from '../sessions/watching/session-activity.ts';
import { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import { openTerminalHost } from '../terminals/open-terminal-host.ts';
import type { Store } from './open-store.ts';

/** `environment`: what programs in a terminal get. */
export async function openSessions(
  config: Readonly<Config>,
  { logger, database, log }: Store,
  { clock, environment }: { clock: Clock; environment: NodeJS.ProcessEnv },
  scope: Scope,
) {
  const terminals = await openTerminalHost(config, environment, clock);
  scope.own(() => terminals.host.dispose());
  const rows = new SessionStore(database);
  const sessions = new Sessions({
    log,
    store: rows,
    host: terminals.host,
    clock,
    roots: config.roots,
    sweepMs: config.signalPollMs,
    logger,
  });
  const screenHistory = new ScreenHistory({
    log,
    clock,
    logger,
    retentionDays: config.retentionDays,
    store: new ScreenStore(database),
    limit: config.screenHistory,
    isOpen: (session) => sessions.has(session),
    capture: async (session) => sessions.snapshot(session),
  });
  scope.own(() => screenHistory.dispose());
  scope.own(sessions.onSnapshot((session, snapshot) => screenHistory.offer(session, snapshot)));
  screenHistory.start();
  const records = new AgentRecords({ program: config.agentProgram, environment });
  const clientVersions = new ClientVersions({
    meta: new MetaStore(database),
    log,
    clock,
    trust: config.clientTrust,
  });
  const monitor = new AgentMonitor({
    log,
    sessions,
    records,
    versions: clientVersions,
    clock,
    logger,
    pollMs: config.signalPollMs,
  });
  const steps = new TranscriptSteps(new TranscriptFiles(environment));
  const activities = new SessionActivities({ monitor, sessions, steps });
  const displays = new Displays({ terminals: sessions, clock });
  scope.own(() => displays.dispose());
  const attachments = new Attachments({ displays, terminals: sessions, clock });
  const outbox = new Outbox({
    log,
    clock,
    logger,
    store: new InputStore(database),
    place: sessions,
    witness: monitor,
    sinceTyped: (session) => attachments.sinceTypedMs(session),
  });
  /** After a restore, once the sessions have recovered. */
  const adopt = async () => adoptTerminals({ log, store: rows, host: terminals.host, clock });
  return {
    terminals,
    sessions,
    screenHistory,
    monitor,
    activities,
    steps,
    clientVersions,
    displays,
    attachments,
    outbox,
    adopt,
  };
}
