import type { Card } from '$lib/state/list-cards.ts';
import type { AttentionItem } from '$shared/schema/attention.ts';
import type { EventRecord } from '$shared/schema/events.ts';

/** All that the overview shows of one session, or of a loop whose session is gone. */
export interface Tile extends Card {
  /** Where a person is needed in it, oldest first. */
  readonly items: readonly AttentionItem[];
  /** What a person settled there last while this page was open. */
  readonly settled: AttentionItem | null;
  /** How its last loop ended, if that is among the last events and no other has begun. */
  readonly end: EventRecord | null;
}
