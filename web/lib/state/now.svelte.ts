/** The page's time: one tick per second for everything that shows an age; stopped while hidden. */
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;
const COARSE_MS = 10_000;

class Now {
  readonly #subscribe = createSubscriber((update) => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const follow = (): void => {
      clearInterval(timer);
      if (document.hidden) return;
      update();
      timer = setInterval(update, TICK_MS);
    };
    document.addEventListener('visibilitychange', follow);
    timer = setInterval(update, TICK_MS);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  });

  /** Up to ten seconds behind; changes that often. */
  readonly coarse = $derived(Math.floor(this.current / COARSE_MS) * COARSE_MS);

  get current(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const now = new Now();
