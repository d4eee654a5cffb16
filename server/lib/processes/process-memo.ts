/**
 * A value per process for as long as it lives. Pids are reused, and a killed process sends no
 * notice: entries of ended processes are dropped when a new one is added.
 */
import { isAlive, type ProcessIdentity } from './process-identity.ts';

export class ProcessMemo<Value> {
  readonly #known = new Map<number, { startedAt: string; value: Value }>();

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
      // The system cannot say now which are alive; the next new process checks again.
    }
  }
}
