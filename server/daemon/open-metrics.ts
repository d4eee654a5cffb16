/**
 * Where each figure of `/metrics` comes from. All are read at the moment of a request; nothing is
 * kept or counted here.
 */
import { join } from 'node:path';
import { DATABASE_FILE } from '../db/database.ts';
import type { Config } from '../lib/config/config.ts';
import { packageVersion } from '../lib/package-root.ts';
import { expositionText } from '../metrics/exposition-text.ts';
import type { LagClock } from '../metrics/lag-clock.ts';
import type { MetricSources, ReachSources } from '../metrics/metric-sources.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import { workMetrics } from '../metrics/work-metrics.ts';
import type { Services } from './open-services.ts';
import type { Store } from './open-store.ts';

/** The result renders the current figures. */
export function openMetrics(
  config: Readonly<Config>,
  { log }: Store,
  services: Services,
  clock: LagClock,
  reach: ReachSources,
): () => string {
  const { terminals, sessions, loops, respawns, attention, outbox, alerts, tasks, phased } =
    services;
  const { usage } = services;
  const sources: MetricSources = {
    build: { version: packageVersion(), engine: config.transport, terminal: terminals.host.kind },
    database: join(config.home, DATABASE_FILE),
    clock,
    lag: clock.lag,
    log,
    sessions,
    loops: { statuses: () => loops.states().map(({ status }) => status) },
    respawns,
    attention,
    alerts,
    reach,
    inputs: outbox,
    terminals: sessions,
    tasks: tasks.scheduler,
    runs: phased.board,
    usage: usage.reports,
  };
  const started = { atMs: clock.now(), monotonicMs: clock.monotonic() };
  return () => expositionText([...processMetrics(sources, started), ...workMetrics(sources)]);
}
