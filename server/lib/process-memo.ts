/**
 * What is known of processes, for as long as they live: pids are used again, and a process that was
 * killed tells nobody. What is known of those that have ended goes when something new is learned.
 */
import { isAlive, type ProcessIdentity } from './process-identity.ts';

export class ProcessMemo<Value> {
  readonly #known = new Map<number, { startedAt: string; value: Value }>();

  /** Entries held now. */
  get size(): number {
    return this.#known.size;
  }

  get({ pid, startedAt }: ProcessIdentity): Value | undefined {
    const known = this.#known.get(pid);
    return known?.startedAt === startedAt ? known.value : undefined;
  }

  set({ pid, startedAt }: ProcessIdentity, value: Value): void {
    if (this.get({ pid, startedAt }) === undefined) this.#forgetEnded();
    this.#known.set(pid, { startedAt, value });
  }

  delete(pid: number): void {
    this.#known.delete(pid);
  }

  #forgetEnded(): void {
    try {
      for (const [pid, { startedAt }] of this.#known) {
        if (!isAlive({ pid, startedAt })) this.#known.delete(pid);
      }
    } catch {
      // The system cannot say now who lives; it is asked again for the next process.
    }
  }
}
