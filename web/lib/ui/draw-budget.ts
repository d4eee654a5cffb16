/**
 * What is drawn at once takes about this long, and the browser as long again to lay it out: less than
 * the 50 ms that a person feels. In milliseconds.
 */
const BUDGET_MS = 30;

/** The page, as far as it matters here; times in milliseconds of its own clock. */
export interface BudgetPage {
  now: () => number;
  /** Calls back once, in a task of its own after the next frame. */
  afterFrame: (work: () => void) => void;
}

/** Draws the parts of long lists: as many as the budget allows now, the others some after each frame. */
export class DrawBudget {
  readonly #page: BudgetPage;
  readonly #waiting = new Set<() => void>();
  /** When the current task began to draw; null before it draws. */
  #beganAt: number | null = null;
  #isFrameDue = false;

  constructor(page: BudgetPage) {
    this.#page = page;
  }

  /** Whether a part may be drawn now. Those that wait come first. */
  get allows(): boolean {
    if (this.#waiting.size > 0) return false;
    this.#beganAt ??= this.#page.now();
    this.#awaitFrame();
    return this.#page.now() - this.#beganAt < BUDGET_MS;
  }

  /** Calls `draw` once, when it is its turn. Call the result to give the turn up. */
  add(draw: () => void): () => void {
    this.#waiting.add(draw);
    this.#awaitFrame();
    return () => void this.#waiting.delete(draw);
  }

  #awaitFrame(): void {
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    this.#page.afterFrame(() => {
      this.#isFrameDue = false;
      this.#beganAt = null;
      this.#drawSome();
    });
  }

  #drawSome(): void {
    const began = this.#page.now();
    for (const draw of this.#waiting) {
      this.#waiting.delete(draw);
      draw();
      if (this.#page.now() - began >= BUDGET_MS) break;
    }
    if (this.#waiting.size > 0) this.#awaitFrame();
  }
}
