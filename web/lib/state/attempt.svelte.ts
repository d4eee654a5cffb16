import { untrack } from 'svelte';
import { asRequestError, type RequestError } from '$lib/client/request-error.ts';

/** One action of a person: whether it runs, and why the last attempt failed. */
export class Attempt {
  isBusy = $state(false);
  error = $state.raw<RequestError | null>(null);

  /**
   * Runs the work unless it is already running; returns whether it succeeded. An effect that calls
   * this does not depend on the attempt: it would start the next one when this one ends.
   */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (untrack(() => this.isBusy)) return false;
    this.isBusy = true;
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asRequestError(thrown);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
