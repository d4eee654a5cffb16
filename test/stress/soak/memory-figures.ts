/** The memory of a soaked daemon by part, in bytes. */
export interface MemoryFigures {
  rss: number;
  heapUsed: number;
  heapTotal: number;
  external: number;
  arrayBuffers: number;
  /** Taken from the system's allocator by the engine itself. */
  malloced: number;
  /** In use right after the last full collection: what cannot be collected. 0 before the first. */
  live: number;
  majorCollections: number;
}

/** Names the directory in which the probe of a daemon writes. */
export const PROBE_VARIABLE = 'LOOPWATCH_SOAK_PROBE';
export const PROBE_FILE = 'memory.json';
