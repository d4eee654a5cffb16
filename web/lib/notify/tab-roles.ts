/**
 * Which of the open tabs speaks, and whether any of them is in sight: told by locks that all tabs of
 * a browser share, so that a tab that ends or crashes needs no word.
 */

const SPEAKS = 'loopwatch.speaks';
const SEEN = 'loopwatch.seen';

export class TabRoles {
  /** Without locks (a page without https) each tab speaks for itself. */
  #isSpeaker = !('locks' in navigator);

  get isSpeaker(): boolean {
    return this.#isSpeaker;
  }

  /** Takes part; the result ends it. */
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

  async isSeen(): Promise<boolean> {
    if (!document.hidden) return true;
    if (!('locks' in navigator)) return false;
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === SEEN);
  }
}

const noHold = (): void => undefined;

/** Asks for a lock and keeps it; the result gives it back, or asks no more. */
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
