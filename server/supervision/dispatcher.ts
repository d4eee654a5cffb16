/**
 * Begins queued work in order, as much at once as there are slots. Tasks and runs share one: a slot
 * is a slot, for a task or a run.
 */
import type { Clock, Timer } from '../lib/clock.ts';
import {
  type QueuePosition,
  type QueuedWork,
  type QueueView,
  scheduleQueue,
} from './schedule-queue.ts';

/** The same distance as between tries for one quota. */
const TRY_INTERVAL_MS = 5_000;

/** One kind of work. Ids are unique over all kinds. */
export interface WorkSource {
  inLine: () => QueuedWork[];
  /** Begins it. False when that could not be stored. */
  grant: (id: string) => boolean;
  /** It ran into the shared limit, and the gate lets another one try first. */
  awaitsQuota: (id: string) => boolean;
  /** Some of it is queued and may have to let others try first. */
  isLimited: () => boolean;
}

export class Dispatcher {
  readonly #slots: number;
  readonly #clock: Clock;
  readonly #sources: WorkSource[] = [];
  /** Null when something has changed since. */
  #known: QueueView | null = null;
  #later: Timer | null = null;
  #isScheduled = false;
  #isOpen = true;

  /** `slots`: the most that work at the same time. */
  constructor({ slots, clock }: { slots: number; clock: Clock }) {
    this.#slots = slots;
    this.#clock = clock;
  }

  add(source: WorkSource): void {
    this.#sources.push(source);
  }

  /** The place of what waits in the queue; null for anything else. */
  place(id: string): QueuePosition | null {
    return this.#queue().waiting.get(id) ?? null;
  }

  /** Whether queued work would begin now. */
  hasSlot(id: string): boolean {
    this.#known = null;
    return this.#queue().begin.includes(id);
  }

  /** How much more could begin now. */
  freeSlots(): number {
    const atWork = this.#sources.flatMap((source) => source.inLine());
    return Math.max(0, this.#slots - atWork.filter(({ isAtWork }) => isAtWork).length);
  }

  /** How much waits for a slot. */
  queueLength(): number {
    const inLine = this.#sources.flatMap((source) => source.inLine());
    return inLine.filter(({ queuedAtMs, isAtWork }) => queuedAtMs !== null && !isAtWork).length;
  }

  /**
   * Something changed: what may begin begins. Once per tick of the event loop, so that changes
   * within one tick are seen together.
   */
  schedule(): void {
    this.#known = null;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isOpen) this.#beginNext();
    });
  }

  dispose(): void {
    this.#isOpen = false;
    this.#later?.cancel();
  }

  #queue(): QueueView {
    const inLine = () => this.#sources.flatMap((source) => source.inLine());
    this.#known ??= scheduleQueue(inLine(), this.#slots);
    return this.#known;
  }

  #beginNext(): void {
    this.#known = null;
    let isKept = true;
    for (const id of this.#queue().begin) {
      for (const source of this.#sources) {
        // One that began a moment ago may have taken this one's try.
        if (!source.awaitsQuota(id)) isKept &&= source.grant(id);
      }
    }
    this.#scheduleLater(isKept);
  }

  /** What lets others try first, or could not be stored, is evaluated again later. */
  #scheduleLater(isKept: boolean): void {
    this.#later?.cancel();
    const waits = !isKept || this.#sources.some((source) => source.isLimited());
    this.#later = waits ? this.#clock.after(TRY_INTERVAL_MS, () => this.schedule()) : null;
  }
}
