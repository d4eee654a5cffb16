/** Whether the page is visible: false while its tab is behind others. */
import { createSubscriber } from 'svelte/reactivity';

class PageVisibility {
  readonly #subscribe = createSubscriber((update) => {
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  });

  get isVisible(): boolean {
    this.#subscribe();
    return !document.hidden;
  }
}

export const pageVisibility = new PageVisibility();
