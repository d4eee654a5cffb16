/**
 * How the log is read backwards through an API that pages forwards: window by window below what is
 * known. The daemon reads a window as it is, so that a filter which selects little costs it no more
 * than one that selects all.
 */

/** How far a search has come. Everything above `low` was looked at. */
export interface Backfill {
  readonly low: number;
  /** Seq of the oldest event kept. */
  readonly oldest: number;
  readonly span: number;
  readonly windows: number;
  readonly found: number;
}

/** Events with a seq above `after` and up to `upTo`. */
export interface SeqWindow {
  after: number;
  upTo: number;
}

const FIRST_SPAN = 250;
/** As many as one answer holds. */
const MAX_SPAN = 1000;
/** Enough to fill any screen. */
const ENOUGH = 100;
/** After these a person says whether to go on: some megabytes. */
const MAX_WINDOWS = 12;

/** Takes where everything above is known and the oldest event kept; gives the search below. */
export function backfillFrom(low: number, oldest: number): Backfill {
  return { low, oldest, span: FIRST_SPAN, windows: 0, found: 0 };
}

/** Takes a search; gives what to read next, or why nothing: `enough`, the `end`, or `far` enough. */
export function nextWindow(search: Backfill): SeqWindow | 'enough' | 'end' | 'far' {
  const { low, oldest, span, windows, found } = search;
  if (low < oldest) return 'end';
  if (found >= ENOUGH) return 'enough';
  if (windows >= MAX_WINDOWS) return 'far';
  return { after: Math.max(oldest - 1, low - span), upTo: low };
}

/** Takes a search, the window it has read and how much was selected there; gives the search after it. */
export function tookWindow(search: Backfill, { after }: SeqWindow, found: number): Backfill {
  return {
    ...search,
    low: after,
    windows: search.windows + 1,
    found: search.found + found,
    // Where little is found more is read at once.
    span: Math.min(MAX_SPAN, 2 * search.span),
  };
}
