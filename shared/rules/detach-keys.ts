/** Finds the detach keys in what a person types. Its only state is a key held back. */

/** Ctrl-], as in telnet; then `d`. Pressed twice, it is typed once. */
const PREFIX = 0x1d;
const DETACH = 'd'.charCodeAt(0);

export const DETACH_KEYS = 'Ctrl-] then d';

export class DetachKeys {
  #afterPrefix = false;

  /** `detach` applies after the keys in `pass`. */
  push(keys: Uint8Array): { pass: Uint8Array; detach: boolean } {
    const pass: number[] = [];
    for (const key of keys) {
      if (this.#afterPrefix) {
        this.#afterPrefix = false;
        if (key === DETACH) return { pass: Uint8Array.from(pass), detach: true };
        pass.push(PREFIX);
        if (key !== PREFIX) pass.push(key);
      } else if (key === PREFIX) this.#afterPrefix = true;
      else pass.push(key);
    }
    return { pass: Uint8Array.from(pass), detach: false };
  }
}
