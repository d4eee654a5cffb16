/** A stack of resources to release. Everything acquired gets an owner at once. */
export class Scope {
  readonly #releases: (() => void | Promise<void>)[] = [];

  /** Registers a release; releases run in reverse order. */
  own(release: () => void | Promise<void>): void {
    this.#releases.push(release);
  }

  /** Runs every release even if some fail; throws an AggregateError of what failed. */
  async dispose(): Promise<void> {
    const failures: unknown[] = [];
    for (
      let release = this.#releases.pop();
      release !== undefined;
      release = this.#releases.pop()
    ) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'cannot release a resource');
  }
}
