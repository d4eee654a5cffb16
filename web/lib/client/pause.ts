/** A delay that can be cut short; one at a time. */
export class Pause {
  #finish: (() => void) | null = null;

  async wait(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#finish = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#finish = null;
  }

  cut(): void {
    this.#finish?.();
  }
}
