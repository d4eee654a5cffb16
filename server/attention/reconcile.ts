import type { AttentionItem, AttentionOutcome } from '../../shared/schema/attention.ts';
import type { Need } from './attention-for.ts';

export interface Situation {
  /** The open items of one session. */
  open: readonly AttentionItem[];
  /** Ids of items with a request that somebody still waits for. */
  live: ReadonlySet<string>;
  /** What a person is needed for besides those. */
  need: Need | null;
  /** How that ends which does not hold any more. */
  outcome: AttentionOutcome;
}

export interface Change {
  clear: { item: AttentionItem; outcome: AttentionOutcome }[];
  raise: Need | null;
  /** An item that stays, with other lines. */
  restate: { item: AttentionItem; need: Need } | null;
}

/**
 * Takes how a session stands; gives what must change so that its open items are the live requests
 * and at most one more: the need.
 */
export function reconcile({ open, live, need, outcome }: Situation): Change {
  const kept = open.find(
    ({ request, reason, title }) =>
      request === null && reason === need?.reason && title === need.title,
  );
  const over = open.filter((item) => item !== kept && !live.has(item.id));
  const isSaid = kept !== undefined && kept.detail === need?.detail;
  return {
    clear: over.map((item) => ({ item, outcome })),
    raise: kept === undefined ? need : null,
    restate: kept === undefined || need === null || isSaid ? null : { item: kept, need },
  };
}
