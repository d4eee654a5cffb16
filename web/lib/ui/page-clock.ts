import { createContext } from 'svelte';

/** The time that ages are told by: it stands still while what is shown is not known to be true. */
export interface PageClock {
  /** Milliseconds; changes once a second. */
  readonly current: number;
}

export const [getPageClock, setPageClock] = createContext<PageClock>();
