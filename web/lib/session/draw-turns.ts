/** Of a slow machine: laying out one screen takes it some milliseconds. */
const PER_FRAME = 3;
/** After the last step of a wheel or a finger. */
const STILL_MS = 120;

/** The page, as far as it matters here; times in milliseconds of its own clock. */
export interface DrawnPage {
  now: () => number;
  nextFrame: (draw: (at: number) => void) => void;
  onScroll: (listener: () => void) => void;
}

/**
 * When small screens are drawn: a few in each frame, so that no frame takes long, and none while a
 * person scrolls. The one that waits longest comes first.
 */
export class DrawTurns {
  readonly #page: DrawnPage;
  readonly #waiting = new Set<() => void>();
  #isFrameDue = false;
  #scrolledAt: number | null = null;

  constructor(page: DrawnPage) {
    this.#page = page;
  }

  /** Calls `draw` once, in a frame to come. Call the result to give the turn up. */
  add(draw: () => void): () => void {
    if (this.#scrolledAt === null) {
      this.#scrolledAt = -Infinity;
      this.#page.onScroll(() => (this.#scrolledAt = this.#page.now()));
    }
    this.#waiting.add(draw);
    this.#awaitFrame();
    return () => void this.#waiting.delete(draw);
  }

  #awaitFrame(): void {
    if (this.#isFrameDue || this.#waiting.size === 0) return;
    this.#isFrameDue = true;
    this.#page.nextFrame((at) => {
      this.#isFrameDue = false;
      if (at - (this.#scrolledAt ?? -Infinity) > STILL_MS) this.#drawSome();
      this.#awaitFrame();
    });
  }

  #drawSome(): void {
    for (const draw of [...this.#waiting].slice(0, PER_FRAME)) {
      this.#waiting.delete(draw);
      draw();
    }
  }
}
