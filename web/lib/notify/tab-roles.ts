/**
 * Which of the open tabs notifies, and whether any of them is visible: known from locks that all
 * tabs of a browser share, so that a tab that ends or crashes needs no message.
 */
import { pageHost, storageKey } from '$lib/state/page-host.ts';

const SPEAKS_FOR_ALL = 'loopwatch.speaks';
const SPEAKS = storageKey(SPEAKS_FOR_ALL);
const SEEN = 'loopwatch.seen';

export class TabRoles {
  /** Without locks (no https) each tab notifies on its own. */
  #isSpeaker = !('locks' in navigator);

  /** Joins the tabs; call the result to leave. */
  start(): () => void {
    if (!('locks' in navigator)) return () => undefined;
    const speaking = hold(SPEAKS, 'exclusive', () => (this.#isSpeaker = true));
    let seen = noHold;
    const follow = (): void => {
      seen();
      seen = document.hidden ? noHold : hold(SEEN, 'shared');
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      seen();
      speaking();
      this.#isSpeaker = false;
    };
  }

  /** Of the page of one host: no other tab, which notifies for all hosts, does so for it. */
  async isSpeaker(): Promise<boolean> {
    if (pageHost === null || !('locks' in navigator)) return this.#isSpeaker;
    const { held = [] } = await navigator.locks.query();
    return this.#isSpeaker && !held.some(({ name }) => name === SPEAKS_FOR_ALL);
  }

  async isSeen(): Promise<boolean> {
    if (!document.hidden) return true;
    if (!('locks' in navigator)) return false;
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === SEEN);
  }
}

const noHold = (): void => undefined;

/** Requests a lock and holds it; call the result to release it or cancel the request. */
function hold(name: string, mode: LockMode, onHeld: () => void = noHold): () => void {
  const asking = new AbortController();
  let release: () => void = noHold;
  const held = navigator.locks.request(name, { mode, signal: asking.signal }, async () => {
    onHeld();
    await new Promise<void>((resolve) => (release = resolve));
  });
  held.catch(noHold);
  return () => {
    asking.abort();
    release();
  };
}
