/**
 * What a conversation needs before its next message, so that its context is not full in the middle
 * of a turn. Pure; the same for every supervisor.
 */
import type { TurnContext, TurnError } from '../agents/headless/turn-outcome.ts';

/** In whole percent of the context; 0 is never. */
export interface ContextLimits {
  compactAt: number;
  /** A new conversation, with a hand-over. */
  freshAt: number;
}

/** How full a conversation is, as its supervisor keeps it between turns. */
export interface ContextUse {
  /** In whole percent; null while it is not known. */
  percent: number | null;
  /** That answered last; absent while it is not known. */
  model?: string;
  /** Compacted since it was last below the limit: another time would not help. */
  isCompactTried: boolean;
}

export const NEW_CONTEXT: ContextUse = { percent: null, isCompactTried: false };

/** What to do before the next message. What is not known needs nothing. */
export function contextStep(
  { percent, isCompactTried }: ContextUse,
  { compactAt, freshAt }: ContextLimits,
): 'none' | 'compact' | 'fresh' {
  if (percent === null) return 'none';
  if (freshAt > 0 && percent >= freshAt) return 'fresh';
  if (compactAt === 0 || percent < compactAt) return 'none';
  if (!isCompactTried) return 'compact';
  return freshAt > 0 ? 'fresh' : 'none';
}

/**
 * How full it is after one more turn. What a turn does not say stays as it was, unless the client
 * compacted. `isCompaction`: the turn was there for nothing else.
 */
export function contextAfter(
  before: ContextUse,
  turn: TurnContext | undefined,
  { compactAt }: ContextLimits,
  { isCompaction = false } = {},
): ContextUse {
  const kept = turn?.isCompacted === true ? null : before.percent;
  const percent = turn?.percent ?? kept;
  const isBelow = percent !== null && percent < compactAt;
  const model = turn?.model ?? before.model;
  const isCompactTried = !isBelow && (before.isCompactTried || isCompaction);
  return { percent, ...(model === undefined ? {} : { model }), isCompactTried };
}

/** Errors of a compaction that say nothing about the next turn: the work continues without it. */
const OF_COMPACTION: readonly (TurnError | 'lost')[] = [
  'crashed',
  'unreadable',
  'invalid_request',
  'max_turns',
];

export function isOfCompaction(error: TurnError | 'lost'): boolean {
  return OF_COMPACTION.includes(error);
}
