/**
 * Takes a delay and a reader; gives a function that marks a key as touched. Touches within the
 * delay are one read; a read overtaken by another touch is thrown away and made again.
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
        // A read that fails is made good by the next event or by the next full read.
        () => undefined,
      );
    }, delayMs);
  };
}
