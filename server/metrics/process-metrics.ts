/** What the daemon's own process costs, and how its event loop keeps up. */
import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openFileCount, openFileLimit } from '../lib/open-files.ts';
import { by, counter, type Family, gauge } from './exposition-text.ts';
import type { MetricSources } from './metric-sources.ts';

/** Current figures of the process. The start is given by both clocks. */
export function processMetrics(
  { build, clock, lag, database }: MetricSources,
  started: { atMs: number; monotonicMs: number },
): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  const { active, idle } = performance.eventLoopUtilization();
  return [
    gauge('loopwatch_build_info', 'Build information; always 1.', [
      { labels: { ...build, node: process.versions.node }, value: 1 },
    ]),
    gauge(
      'loopwatch_start_time_seconds',
      'Start time of the daemon since the Unix epoch.',
      started.atMs / 1000,
    ),
    gauge(
      'loopwatch_uptime_seconds',
      'Uptime of the daemon, excluding system sleep.',
      (clock.monotonic() - started.monotonicMs) / 1000,
    ),
    counter(
      'loopwatch_process_cpu_seconds_total',
      'CPU time of the process, by mode.',
      by('mode', { user: user / 1e6, system: system / 1e6 }),
    ),
    gauge('loopwatch_process_resident_memory_bytes', 'Resident memory of the process.', rss),
    gauge(
      'loopwatch_process_heap_bytes',
      'JavaScript heap: used, and reserved from the system.',
      by('state', { used: heapUsed, total: heapTotal }),
    ),
    gauge(
      'loopwatch_process_open_fds',
      'Open file descriptors, including sockets.',
      openFileCount(),
    ),
    gauge('loopwatch_process_max_fds', 'Maximum number of open file descriptors.', openFileLimit()),
    {
      name: 'loopwatch_event_loop_lag_seconds',
      type: 'histogram',
      help: 'Delay of the daemon’s timers. Measured only when a timer is due.',
      samples: lag.samples(),
    },
    counter(
      'loopwatch_event_loop_seconds_total',
      'Time the event loop was active and idle.',
      by('state', { active: active / 1000, idle: idle / 1000 }),
    ),
    gauge(
      'loopwatch_database_bytes',
      'Size on disk of the database and its write-ahead log.',
      by('file', { database: sizeOf(database), wal: sizeOf(`${database}-wal`) }),
    ),
  ];
}

/** A missing file has no size. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
