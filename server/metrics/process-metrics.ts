/** What the daemon's own process costs, and how its event loop keeps up. */
import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openFileCount, openFileLimit } from '../lib/open-files.ts';
import { by, counter, type Family, gauge } from './exposition-text.ts';
import type { MetricSources } from './metric-sources.ts';

/**
 * Takes where the figures come from and when the daemon started, by both clocks; gives those of the
 * process as they are now.
 */
export function processMetrics(
  { build, clock, lag, database }: MetricSources,
  started: { atMs: number; monotonicMs: number },
): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { active, idle } = performance.eventLoopUtilization();
  return [
    gauge('loopwatch_build_info', 'What runs here; always 1.', [
      { labels: { ...build, node: process.versions.node }, value: 1 },
    ]),
    gauge(
      'loopwatch_start_time_seconds',
      'When the daemon started, since 1970.',
      started.atMs / 1000,
    ),
    gauge(
      'loopwatch_uptime_seconds',
      'How long the daemon runs; a machine that sleeps is not counted.',
      (clock.monotonic() - started.monotonicMs) / 1000,
    ),
    counter(
      'loopwatch_process_cpu_seconds_total',
      'Processor time of the process, by where it was spent.',
      by('mode', { user: user / 1e6, system: system / 1e6 }),
    ),
    gauge('loopwatch_process_resident_memory_bytes', 'Memory the process holds.', rss),
    gauge(
      'loopwatch_process_heap_bytes',
      'Heap of the engine: in use, and taken from the system.',
      by('state', { used: heapUsed, total: heapTotal }),
    ),
    gauge('loopwatch_process_open_fds', 'Open files, sockets included.', openFileCount()),
    gauge('loopwatch_process_max_fds', 'Files the process may have open.', openFileLimit()),
    {
      name: 'loopwatch_event_loop_lag_seconds',
      type: 'histogram',
      help: 'How late the timers of the daemon ran. Only moments in which one fell due are seen.',
      samples: lag.samples(),
    },
    counter(
      'loopwatch_event_loop_seconds_total',
      'Time the event loop worked (active) and waited for something to do (idle).',
      by('state', { active: active / 1000, idle: idle / 1000 }),
    ),
    gauge(
      'loopwatch_database_bytes',
      'Size on disk of the database and of its write-ahead log.',
      by('file', { database: sizeOf(database), wal: sizeOf(`${database}-wal`) }),
    ),
  ];
}

/** A file that is not there has no size. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
