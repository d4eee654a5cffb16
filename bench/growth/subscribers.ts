/** Connections that each get every event of a daemon. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Rig } from '../rig/rig.ts';
import type { Crowd } from './axis.ts';
import { reach, type Reached } from './reach.ts';

const PATIENCE_MS = 30_000;

export class Subscribers implements Crowd {
  readonly #rig: Rig;
  #size = 0;
  #created = 0;
  #heard = 0;
  #complete: () => void = () => undefined;

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  async grow(from: number, to: number): Promise<Reached> {
    const reached = await reach(from, to, async () => {
      await this.#rig.subscribe(null, (frame) => {
        if (frame.type !== 'event' || frame.event.type !== 'task.created') return;
        this.#heard += 1;
        if (this.#heard === this.#size) this.#complete();
      });
    });
    this.#size = reached.size;
    return reached;
  }

  /** Creates a task, which is one event of this type, and resolves when all have got it. */
  async answer(): Promise<void> {
    this.#heard = 0;
    const complete = new Promise<void>((resolve) => (this.#complete = resolve));
    const late = pause(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.#heard} of ${this.#size} subscribers got an event`);
    });
    const name = `event${this.#created}`;
    this.#created += 1;
    await Promise.all([this.#rig.createTask(name, false), Promise.race([complete, late])]);
  }
}
