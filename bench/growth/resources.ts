/** What grows, in which unit, and the value beyond which a daemon is not usable. */

export type Resource = 'CPU' | 'memory' | 'latency';

export const RESOURCES: Readonly<Record<Resource, { unit: string; limit: number; words: string }>> =
  {
    CPU: { unit: '% of a core', limit: 100, words: 'one whole core' },
    memory: { unit: 'MB', limit: 1_024, words: '1 GB of memory' },
    latency: { unit: 'ms', limit: 1_000, words: 'a latency of 1000 ms' },
  };
