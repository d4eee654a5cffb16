/**
 * One signal that aborts with the first of several, until it is released. `AbortSignal.any` leaves
 * an entry in each of its sources as long as the source lives, which for the signals of the daemon
 * and of identities is the daemon's whole life: one more per request.
 */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Removes the listeners from the sources; the signal no longer follows them. */
  release(): void;
}

export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const linked = new AbortController();
  const aborted = sources.find((source) => source.aborted);
  if (aborted !== undefined) linked.abort(aborted.reason);
  const followed = aborted === undefined ? sources : [];
  const listeners = followed.map((source) => {
    const listener = () => linked.abort(source.reason);
    source.addEventListener('abort', listener, { once: true });
    return { source, listener };
  });
  const release = () => {
    for (const { source, listener } of listeners) source.removeEventListener('abort', listener);
  };
  return { signal: linked.signal, release, [Symbol.dispose]: release };
}
