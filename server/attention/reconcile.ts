import type { AttentionItem, AttentionOutcome } from '../../shared/schema/attention/attention.ts';
import type { Need } from './attention-for.ts';

export interface Situation {
  /** The open items of one session. */
  open: readonly AttentionItem[];
  /** Ids of items with a request that is still waiting. */
  live: ReadonlySet<string>;
  /** What else a person is needed for. */
  need: Need | null;
  /** The outcome of items that no longer hold. */
  outcome: AttentionOutcome;
}

export interface Change {
  clear: { item: AttentionItem; outcome: AttentionOutcome }[];
  raise: Need | null;
  /** An item that stays, with other lines. */
  restate: { item: AttentionItem; need: Need } | null;
}

/**
 * What must change so that the open items of a session are the live requests and at most one more:
 * the need.
 */
export function reconcile({ open, live, need, outcome }: Situation): Change {
  const kept = open.find(
    ({ request, reason, title }) =>
      request === null && reason === need?.reason && title === need.title,
  );
  const over = open.filter((item) => item !== kept && !live.has(item.id));
  const isUnchanged = kept !== undefined && kept.detail === need?.detail;
  return {
    clear: over.map((item) => ({ item, outcome })),
    raise: kept === undefined ? need : null,
    restate: kept === undefined || need === null || isUnchanged ? null : { item: kept, need },
  };
}
