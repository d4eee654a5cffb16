/**
 * Reads the log backwards through an API that pages forwards: window by window below what is known.
 * The daemon reads a window unfiltered, so that a filter which selects little costs no more than
 * one that selects everything.
 */

/** The progress of a search. Everything above `low` was read. */
export interface Backfill {
  readonly low: number;
  /** Seq of the oldest stored event. */
  readonly oldest: number;
  readonly span: number;
  readonly windows: number;
  readonly found: number;
}

/** Events with `after` < seq <= `upTo`. */
export interface SeqWindow {
  after: number;
  upTo: number;
}

const FIRST_SPAN = 250;
/** The most one answer holds. */
const MAX_SPAN = 1000;
/** Enough to fill any screen. */
const ENOUGH = 100;
/** After these, a few megabytes, a person decides whether to continue. */
const MAX_WINDOWS = 12;

/** A search below `low`, above which everything is known. */
export function backfillFrom(low: number, oldest: number): Backfill {
  return { low, oldest, span: FIRST_SPAN, windows: 0, found: 0 };
}

/** The next window, or why there is none: `enough` found, the `end` of the log, or `far` enough. */
export function nextWindow(search: Backfill): SeqWindow | 'enough' | 'end' | 'far' {
  const { low, oldest, span, windows, found } = search;
  if (low < oldest) return 'end';
  if (found >= ENOUGH) return 'enough';
  if (windows >= MAX_WINDOWS) return 'far';
  return { after: Math.max(oldest - 1, low - span), upTo: low };
}

/** The search after a window in which `found` events were selected. */
export function withWindow(search: Backfill, { after }: SeqWindow, found: number): Backfill {
  return {
    ...search,
    low: after,
    windows: search.windows + 1,
    found: search.found + found,
    // The less is found, the larger the next window.
    span: Math.min(MAX_SPAN, 2 * search.span),
  };
}
