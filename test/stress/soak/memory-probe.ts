/**
 * Loaded into the daemon of a soak with `node --import`: writes its memory figures to a file, and a
 * heap snapshot into the same directory on SIGUSR2. It neither keeps the process alive nor collects
 * garbage, so that the daemon's memory is what it would be without it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, writeHeapSnapshot } from 'node:v8';
import { type MemoryFigures, PROBE_FILE, PROBE_VARIABLE } from './memory-figures.ts';

const WRITE_EVERY_MS = 2_000;

interface GcEntry {
  detail: { kind: number };
}

const directory = process.env[PROBE_VARIABLE];
if (directory !== undefined) {
  // Not for the children of the daemon.
  Reflect.deleteProperty(process.env, PROBE_VARIABLE);
  delete process.env['NODE_OPTIONS'];
  observe(directory);
}

function observe(directory: string): void {
  let live = 0;
  let majorCollections = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & GcEntry)[]) {
      if (entry.detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
      majorCollections += 1;
      live = process.memoryUsage().heapUsed;
    }
  }).observe({ entryTypes: ['gc'] });
  const write = () => {
    const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    const { malloced_memory: malloced } = getHeapStatistics();
    const figures: MemoryFigures = {
      rss,
      heapUsed,
      heapTotal,
      external,
      arrayBuffers,
      malloced,
      live,
      majorCollections,
    };
    const file = join(directory, PROBE_FILE);
    writeFileSync(`${file}.new`, JSON.stringify(figures));
    renameSync(`${file}.new`, file);
  };
  write();
  setInterval(write, WRITE_EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    writeHeapSnapshot(join(directory, `heap-${Date.now()}.heapsnapshot`));
  });
}
