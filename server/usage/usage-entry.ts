/** One entry of the ledger: what was used, for which work, and where that was read. */
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { UsageSource } from '../../shared/schema/usage/usage.ts';
import type { Usage } from '../agents/headless/stream-result.ts';

/** What the usage is for. '' where project or person is not known. */
export interface Work {
  subject: Subject;
  /** A directory. */
  project: string;
  /** The name of who started it. */
  person: string;
}

export interface Counts extends Usage {
  /** Millionths of a US dollar; null where the client reports no cost. */
  costMicros: number | null;
}

export interface UsageEntry {
  /** Entries with the same key are the same usage, seen again; null for what is seen once. */
  key: string | null;
  source: UsageSource;
  model: string;
  counts: Counts;
  work: Work;
  /** Wall time in milliseconds. */
  atMs: number;
}

export const NO_TOKENS: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};

const MODEL = /^[\w.:@/[\]-]{1,100}$/;

/** Models are named by files and streams that an agent could write. */
export function modelName(name: string | null): string {
  return name !== null && MODEL.test(name) ? name : 'unknown';
}

export function toMicros(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1_000_000);
}
