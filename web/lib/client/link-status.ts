/** How fresh the page is. `resuming`: connected before, coming back without a gap. */
export type LinkState = 'connecting' | 'live' | 'resuming' | 'polling' | 'offline';

export interface LinkStatus {
  state: LinkState;
  /** When this state began, in milliseconds of the page's clock. */
  since: number;
  /** Set when the daemon refused the live connection for good: its close code. */
  refusedCode: number | null;
  /** Events that are still to come before the page is up to date; null while it is not known. */
  toCome: number | null;
  /** When the daemon is tried next, in milliseconds; null while it is being tried, or answers. */
  nextTryAt: number | null;
}

/** Takes a connection state; tells whether what the page shows is kept up to date. */
export function isCurrent(state: LinkState): boolean {
  return state === 'live' || state === 'polling';
}
