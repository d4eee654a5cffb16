/** How current the page is. `resuming`: connected before, reconnecting without a gap. */
export type LinkState = 'connecting' | 'live' | 'resuming' | 'polling' | 'offline';

export interface LinkStatus {
  state: LinkState;
  /** When this state began, in milliseconds of the page's clock. */
  since: number;
  /** The close code, if the daemon refused the live connection permanently. */
  refusedCode: number | null;
  /** Events still missing before the page is up to date; null while unknown. */
  toCome: number | null;
  /** When the next attempt is made, in milliseconds; null during one, or while the daemon answers. */
  nextTryAt: number | null;
}

/** Whether the page is kept up to date. */
export function isCurrent(state: LinkState): boolean {
  return state === 'live' || state === 'polling';
}
