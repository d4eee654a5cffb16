/** The units of work of the log. Read once, it continues with what was appended. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { UNIT_EVENTS } from '../../shared/rules/events/unit-events.ts';
import type { EventRecord, EventType } from '../../shared/schema/events/events.ts';
import { encodeEvent } from '../events/encode-event.ts';
import type { EventLog } from '../events/event-log.ts';
import { Units } from './units.ts';

/** Rows of the log searched at once: some milliseconds. */
const PAGE_EVENTS = 5_000;
const READ: readonly EventType[] = [...UNIT_EVENTS, 'daemon.started', 'daemon.stopping'];

export class UnitLog {
  readonly units = new Units();
  /** Starts of a daemon after one that did not say that it stops. */
  readonly crashes: EventRecord[] = [];
  /** Where the log began at the first reading: what was removed since is still in the units. */
  readonly oldest: number;
  readonly #log: Pick<EventLog, 'head' | 'oldest' | 'readTypes'>;
  readonly #untilMs: number;
  #cursor: number;
  #isStopped = true;

  /** Events at or after `untilMs` are left out. */
  constructor(log: Pick<EventLog, 'head' | 'oldest' | 'readTypes'>, untilMs = Infinity) {
    this.#log = log;
    this.#untilMs = untilMs;
    this.oldest = log.oldest;
    this.#cursor = log.oldest - 1;
  }

  /** Reads up to the newest event. Not to be called again before it resolved. */
  async advance(): Promise<void> {
    const last = this.#log.head;
    while (this.#cursor < last) {
      const upTo = Math.min(last, this.#cursor + PAGE_EVENTS);
      for (const stored of this.#log.readTypes(READ, this.#cursor, upTo)) {
        if (Date.parse(stored.at) >= this.#untilMs) continue;
        this.#add(JSON.parse(encodeEvent(stored).json) as EventRecord);
      }
      this.#cursor = upTo;
      await yieldToEventLoop();
    }
  }

  #add(event: EventRecord): void {
    if (event.type === 'daemon.started' && !this.#isStopped) this.crashes.push(event);
    if (event.type.startsWith('daemon.')) this.#isStopped = event.type === 'daemon.stopping';
    this.units.add(event);
  }
}
