/** The usage ledger, connected to what the daemon sees of its sessions. */
import type { AutoLoops } from '../auto/auto-loops.ts';
import type { Clock } from '../lib/clock.ts';
import type { Scope } from '../lib/scope.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import { SessionAuthors } from '../usage/session-authors.ts';
import type { Work } from '../usage/usage-entry.ts';
import { UsageLedger } from '../usage/usage-ledger.ts';
import { UsageReports } from '../usage/usage-report.ts';
import { type UsageWatchOptions, UsageWatch } from '../usage/usage-watch.ts';
import type { Store } from './open-store.ts';

interface Watched {
  sessions: Sessions;
  loops: AutoLoops;
  monitor: AgentMonitor;
  clock: Clock;
  environment: NodeJS.ProcessEnv;
}

export function openUsage(
  { database, log, logger, restored }: Store,
  { sessions, loops, monitor, clock, environment }: Watched,
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
  monitor.onProbe((session, agent) => watch.seen(session, agent));
  monitor.onChange((session, agent) => {
    if (agent !== null) return watch.changed(session);
    watch.ended(session);
    authors.forget(session);
  });
  return { ledger, reports: new UsageReports(database) };
}
