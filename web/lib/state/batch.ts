/** Two batches are this far apart at least: faster than anybody reads, slow enough to draw them. */
const APART_MS = 100;

/**
 * Takes who is told; gives a function that collects values. They are told together in the next frame
 * of the screen, in a burst ten times a second, and also where no frames are drawn.
 */
export function collectBatches<Value>(notify: (values: readonly Value[]) => void): {
  add: (value: Value) => void;
  end: () => void;
} {
  let collected: Value[] = [];
  let toldAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  function flush(): void {
    end();
    const values = collected;
    collected = [];
    toldAt = performance.now();
    notify(values);
  }

  function end(): void {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    timer = undefined;
  }

  function add(value: Value): void {
    collected.push(value);
    if (timer !== undefined) return;
    const waitMs = Math.max(0, toldAt + APART_MS - performance.now());
    // A hidden page has no frames: the timer alone tells then.
    timer = setTimeout(flush, waitMs === 0 ? APART_MS : waitMs);
    if (waitMs === 0) frame = requestAnimationFrame(flush);
  }

  return { add, end };
}
