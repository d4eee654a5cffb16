/** The usage ledger, connected to what the daemon sees of its sessions. */
import type { UsageNow } from '../../shared/schema/usage/usage.ts';
import type { AutoLoops } from '../auto/auto-loops.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Scope } from '../lib/scope.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionRecord } from '../sessions/session-store.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import type { TaskCosts } from '../usage/open-work.ts';
import type { PlanWindows } from '../usage/plan-windows.ts';
import { SessionAuthors } from '../usage/session-authors.ts';
import { SessionUsages } from '../usage/session-usage.ts';
import type { Work } from '../usage/usage-entry.ts';
import { UsageLedger } from '../usage/usage-ledger.ts';
import { UsageReports } from '../usage/usage-report.ts';
import { WindowSamples } from '../usage/window-samples.ts';
import { type UsageWatchOptions, UsageWatch } from '../usage/usage-watch.ts';
import type { Store } from './open-store.ts';

interface Watched {
  sessions: Sessions;
  loops: AutoLoops;
  monitor: AgentMonitor;
  windows: PlanWindows;
  clock: Clock;
  environment: NodeJS.ProcessEnv;
}

export function openUsage(
  { database, log, logger, restored }: Store,
  { sessions, loops, monitor, windows, clock, environment }: Watched,
  scope: Scope,
) {
  const ledger = new UsageLedger({ database, clock, logger, environment });
  scope.own(async () => ledger.dispose());
  ledger.recover({ isRestored: restored !== null, hasSession: (name) => sessions.has(name) });
  const authors = new SessionAuthors(log);
  const workOf: UsageWatchOptions['workOf'] = (name) => {
    if (!sessions.has(name)) return null;
    const session = sessions.get(name);
    const loop = loops.get(name);
    const project = session.cwd;
    const isLoop = loop.status !== 'stopped';
    const person = isLoop ? (loop.started_by ?? '') : authors.of(session);
    const work: Work = {
      subject: { kind: isLoop ? 'loop' : 'session', id: name },
      project,
      person,
    };
    return { work, sinceMs: Date.parse(session.created_at) };
  };
  const watch = new UsageWatch({ ledger, clock, logger, workOf });
  const reports = new UsageReports(database);
  const samples = new WindowSamples(database, windows);
  const perSession = new SessionUsages(reports);
  monitor.onProbe((session, agent) => {
    watch.seen(session, agent);
    if (agent.statusLine === null) return;
    perSession.seen(session, agent.statusLine);
    windows.seen(session, agent.statusLine, clock.now());
  });
  monitor.onChange((session, agent) => {
    if (agent !== null) return watch.changed(session);
    watch.ended(session);
    perSession.ended(session);
    authors.forget(session);
  });
  /** Before a loop decides about its next step: its agent has just written what the last one used. */
  const readNow = (session: string) => {
    const statusLine = monitor.statusLine(session);
    const known = monitor.program(session)?.program.conversation ?? null;
    const conversation = known ?? statusLine?.sessionId ?? null;
    const about = conversation === null ? null : workOf(session);
    const named = conversation === null || about === null ? null : { id: conversation, ...about };
    ledger.readNow(session, named);
    if (statusLine !== null) windows.seen(session, statusLine, clock.now());
  };
  const ofSession = ({ name, created_at: createdAt }: SessionRecord) => {
    const { status, started_at: startedAt } = loops.get(name);
    const isLoop = status !== 'stopped';
    const sinceMs = Date.parse((isLoop ? startedAt : null) ?? createdAt);
    return perSession.of({ session: name, subject: isLoop ? 'loop' : 'session', sinceMs });
  };
  const costOf = (sinceMs: number, untilMs: number) =>
    reports.between(null, sinceMs, untilMs).cost?.micro_usd ?? 0;
  const now = (tasks: TaskCosts): UsageNow => ({
    as_of: toIso(clock.now()),
    ...windows.now(),
    forecast: {
      five_hour: samples.forecast('five_hour', clock.now(), tasks, costOf),
      weekly: samples.forecast('weekly', clock.now(), tasks, costOf),
    },
    sessions: sessions.list().map(ofSession),
  });
  return { ledger, reports, now, ofSession, readNow };
}
