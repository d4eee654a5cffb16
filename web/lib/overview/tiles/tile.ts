import type { Card } from '$lib/state/list-cards.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { LoopEvent } from '$shared/words/events/describe-loop-event.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';
import type { WorkTile } from '../work/work-tile.ts';

/** Everything the overview shows about one session, or about a loop whose session has ended. */
export interface Tile extends Card {
  readonly kind: 'session';
  /** Unique among everything on the overview; a session's is its name. */
  readonly key: string;
  /** Where it is; null: on the host of the page. */
  readonly host: string | null;
  /** Its open inbox items, oldest first. */
  readonly items: readonly AttentionItem[];
  /** The item last closed by a person while this page was open. */
  readonly settled: AttentionItem | null;
  /** How its last loop ended, if that is among the recent events and no other has started. */
  readonly end: LoopEvent | null;
  /** Its last loop, if it ended recently and no other has started. */
  readonly past: PastLoop | null;
}

/** One thing on the overview. */
export type Entry = Tile | WorkTile;
