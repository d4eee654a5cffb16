/**
 * Returns a function that marks a key as touched. Touches within the delay cause one read; a read
 * overtaken by another touch is discarded and repeated.
 */
export function coalesceReads<Value>(
  delayMs: number,
  read: (key: string) => Promise<Value>,
  use: (key: string, value: Value) => void,
): (key: string) => void {
  const generations = new Map<string, number>();
  return (key) => {
    const generation = (generations.get(key) ?? 0) + 1;
    generations.set(key, generation);
    setTimeout(() => {
      if (generations.get(key) !== generation) return;
      void read(key).then(
        (value) => {
          if (generations.get(key) === generation) use(key, value);
        },
        // After a failed read, the next event or the next full read catches up.
        () => undefined,
      );
    }, delayMs);
  };
}
