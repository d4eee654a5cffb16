import { createContext } from 'svelte';

/** The time that ages are computed from; frozen while the shown data may be stale. */
export interface PageClock {
  /** Milliseconds; changes once a second. */
  readonly current: number;
}

export const [getPageClock, setPageClock] = createContext<PageClock>();
