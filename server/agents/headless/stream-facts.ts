/**
 * What a turn's stream contained so far. Pure. A turn has one or more rounds: while commands run in
 * the background the client prints a result, waits, and starts another round when they are done.
 */
import type { StreamEvent } from './stream-event.ts';
import type { Denial, ModelUsage, StreamResult, Usage } from './stream-result.ts';

export interface StreamFacts {
  events: number;
  unreadableLines: number;
  conversationId: string | null;
  /** The last limit reached and not lifted. */
  limit: { resetsAt: number | null } | null;
  /** Commands and agents running in the background. */
  background: number;
  /** A round has started that has no result yet. */
  isOpen: boolean;
  /** Of the last finished round. */
  result: StreamResult | null;
  /** Of all rounds; null without a result. */
  usage: Usage | null;
  costUsd: number | null;
  /** The same by model; empty without a result. */
  spent: readonly ModelUsage[];
  durationMs: number | null;
  denials: Denial[];
  /** What the conversation held when the model was asked last; null when that is not known. */
  context: { model: string; tokens: number } | null;
  /** The conversation was compacted. */
  isCompacted: boolean;
}

export const NO_FACTS: StreamFacts = {
  events: 0,
  unreadableLines: 0,
  conversationId: null,
  limit: null,
  background: 0,
  isOpen: false,
  result: null,
  usage: null,
  costUsd: null,
  spent: [],
  durationMs: null,
  denials: [],
  context: null,
  isCompacted: false,
};

/** `events` of the next line; null for a line that is not JSON. */
export function foldLine(facts: StreamFacts, events: readonly StreamEvent[] | null): StreamFacts {
  if (events === null) return { ...facts, unreadableLines: facts.unreadableLines + 1 };
  return events.reduce(foldEvent, facts);
}

function foldEvent(before: StreamFacts, event: StreamEvent): StreamFacts {
  const facts = { ...before, events: before.events + 1 };
  switch (event.kind) {
    case 'init':
      return { ...facts, isOpen: true, conversationId: event.conversationId };
    case 'limit':
      return { ...facts, limit: event.status === 'rejected' ? event : null };
    case 'background':
      return { ...facts, background: event.tasks };
    case 'context':
      return { ...facts, context: event };
    case 'compacted': {
      const { tokens } = event;
      const context = tokens === null ? null : { model: facts.context?.model ?? '', tokens };
      return { ...facts, context, isCompacted: true };
    }
    case 'result':
      return foldResult(facts, event.result);
    case 'text':
    case 'tool_use':
    case 'tool_result':
    case 'retry':
    case 'denied':
      return facts;
  }
}

function foldResult(facts: StreamFacts, result: StreamResult): StreamFacts {
  const usage = sumOf(facts.usage, result.usage);
  const costUsd =
    result.costUsd === null ? result.totalCostUsd : (facts.costUsd ?? 0) + result.costUsd;
  return {
    ...facts,
    isOpen: false,
    result,
    conversationId: result.conversationId ?? facts.conversationId,
    usage,
    costUsd,
    spent: spentWith(facts.spent, result, { usage, costUsd }),
    durationMs: (facts.durationMs ?? 0) + result.durationMs,
    denials: [...facts.denials, ...result.denials.filter((denial) => isNew(denial, facts))],
  };
}

/**
 * How much of its context the conversation fills, in whole percent; null where the client does not
 * say how large that is, or how full.
 */
export function contextPercent({ context, spent }: StreamFacts): number | null {
  if (context === null) return null;
  const windows = spent.filter(({ contextWindow }) => contextWindow !== undefined);
  const own = windows.find(({ model }) => model === context.model);
  // A model may be named differently where its use is summed up.
  const window = own ?? (windows.length === 1 ? windows[0] : undefined);
  if (window?.contextWindow === undefined) return null;
  return Math.floor((100 * context.tokens) / window.contextWindow);
}

/** A round may repeat those of the previous one. */
function isNew({ id }: Denial, { denials }: StreamFacts): boolean {
  return id === '' || !denials.some((denial) => denial.id === id);
}

/** Older clients report the sums of their process, or no model at all. */
function spentWith(
  before: readonly ModelUsage[],
  { models, processModels }: StreamResult,
  total: Omit<ModelUsage, 'model'>,
): readonly ModelUsage[] {
  if (models === null) return processModels ?? [{ model: 'unknown', ...total }];
  const added = models.map((used) => {
    const known = before.find(({ model }) => model === used.model);
    if (known === undefined) return used;
    const costUsd = used.costUsd === null ? known.costUsd : (known.costUsd ?? 0) + used.costUsd;
    return { ...used, usage: sumOf(known.usage, used.usage), costUsd };
  });
  return [...before.filter(({ model }) => !added.some((used) => used.model === model)), ...added];
}

function sumOf(one: Usage | null, other: Usage): Usage {
  if (one === null) return other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  };
}
