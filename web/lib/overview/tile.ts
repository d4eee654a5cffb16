import type { Card } from '$lib/state/list-cards.ts';
import type { AttentionItem } from '$shared/schema/attention.ts';
import type { EventRecord } from '$shared/schema/events.ts';

/** Everything the overview shows about one session, or about a loop whose session has ended. */
export interface Tile extends Card {
  /** Its open inbox items, oldest first. */
  readonly items: readonly AttentionItem[];
  /** The item last closed by a person while this page was open. */
  readonly settled: AttentionItem | null;
  /** How its last loop ended, if that is among the recent events and no other has started. */
  readonly end: EventRecord | null;
}
