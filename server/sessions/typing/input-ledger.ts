/** The delivery of each input: its row and its event in one transaction. */
import type { Delivery, DeliveryReason } from '../../../shared/schema/attention/delivery.ts';
import type { Input } from '../../../shared/schema/model.ts';
import type { EventLog } from '../../events/event-log.ts';
import { AppError } from '../../lib/app-error.ts';
import { type Clock, toIso } from '../../lib/clock.ts';
import type { InputStore, NewInput } from './input-store.ts';

export class InputLedger {
  readonly #log: EventLog;
  readonly #store: InputStore;
  readonly #clock: Clock;
  readonly #withdrawn = new Set<number>();
  /** Outcomes since the daemon started. */
  readonly settled = { delivered: 0, typed: 0, failed: 0, unknown: 0 };

  constructor({ log, store, clock }: { log: EventLog; store: InputStore; clock: Clock }) {
    this.#log = log;
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns its id. */
  insert(input: Omit<NewInput, 'at'>): number {
    return this.#log.write(() => this.#store.insert({ ...input, at: this.#now() }));
  }

  /** Always true: settled, continue. */
  settle(session: string, id: number, delivery: Delivery, reason: DeliveryReason | null): true {
    if (delivery !== 'delivering') this.#withdrawn.delete(id);
    this.#log.write((append) => {
      const { source, author } = this.require(session, id);
      this.#store.patch(id, delivery, reason, this.#now());
      if (delivery === 'delivering') return;
      this.#store.prune(session);
      const who = author === null ? {} : { author };
      append({ type: 'session.input', session, data: { id, delivery, source, reason, ...who } });
    });
    if (delivery !== 'held' && delivery !== 'delivering') this.settled[delivery] += 1;
    return true;
  }

  /**
   * Nothing more of it is sent: one that is held has failed, and one that is being typed gets no Enter
   * from now on. Throws `input_unknown`.
   */
  withdraw(session: string, id: number): void {
    const { delivery } = this.require(session, id);
    if (delivery === 'held') this.settle(session, id, 'failed', 'cancelled');
    if (delivery === 'delivering') this.#withdrawn.add(id);
  }

  isWithdrawn(id: number): boolean {
    return this.#withdrawn.has(id);
  }

  /** Throws `input_unknown`. */
  require(session: string, id: number): Input {
    const input = this.#store.get(session, id);
    if (input !== null) return input;
    const next = `list them with: loopwatch session input ${session} --list`;
    throw new AppError('input_unknown', `no input ${id} in ${session}; ${next}`);
  }

  #now(): string {
    return toIso(this.#clock.now());
  }
}
