/** Minimum time between two batches: faster than anyone reads, slow enough to draw them. */
const APART_MS = 100;

/**
 * Collects values and delivers them together in the next animation frame, in a burst ten times a
 * second, and also when no frames are drawn.
 */
export function collectBatches<Value>(notify: (values: readonly Value[]) => void): {
  add: (value: Value) => void;
  end: () => void;
} {
  let collected: Value[] = [];
  let flushedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  function flush(): void {
    end();
    const values = collected;
    collected = [];
    flushedAt = performance.now();
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
    const waitMs = Math.max(0, flushedAt + APART_MS - performance.now());
    // A hidden page has no frames, so only the timer delivers then.
    timer = setTimeout(flush, waitMs === 0 ? APART_MS : waitMs);
    if (waitMs === 0) frame = requestAnimationFrame(flush);
  }

  return { add, end };
}
