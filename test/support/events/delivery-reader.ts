/** One reader, the frames it received, and whether they are the right ones. */
import type { EncodedEvent, EventLog } from '../../../server/events/event-log.ts';
import { type EventFilter, eventSelector } from '../../../server/events/event-stream.ts';
import { type ServerFrame } from '../../../shared/schema/events/protocol.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import type { Line, Wire } from '../transport/wire.ts';

const EVENT_FRAME = '{"type":"event","event":';
/** A cursor this far ahead of the log is in the future. */
const FUTURE_EVENTS = 1_000;

export type Start = 'cursor' | 'live' | 'oldest' | 'future';

/** Received without a gap: everything after `after` up to `upTo` that passes the filter. */
interface Stretch {
  epoch: string;
  filter: EventFilter;
  after: number;
  upTo: number;
  jsons: string[];
  /** Its cursor cannot be honoured: nothing may come before the reset. */
  awaitsReset: boolean;
}

/** A requested subscription; `oldest` and `head` of the log at that time. */
interface Asked {
  id: number;
  filter: EventFilter;
  after: number | null;
  epoch: string;
  oldest: number;
  head: number;
}

export class DeliveryReader {
  readonly #wire: Wire;
  readonly #log: () => EventLog;
  readonly #wrong: string[] = [];
  readonly #stretches: Stretch[] = [];
  #line: Line | null = null;
  /** Those whose first frame is still under way, and the current one. */
  #pending: Asked[] = [];
  #asked: Asked | null = null;
  /** Of the connection. */
  #epoch = '';
  /** It stalled or acknowledged: only then can it be behind. */
  #mayBeBehind = false;
  #ids = 0;
  #frames = 0;

  constructor(wire: Wire, log: () => EventLog) {
    this.#wire = wire;
    this.#log = log;
  }

  /** Frames it has received so far. */
  get frames(): number {
    return this.#frames;
  }

  get isSubscribed(): boolean {
    return this.#line !== null && (this.#asked !== null || this.#pending.length > 0);
  }

  get #last(): Stretch | undefined {
    return this.#stretches.at(-1);
  }

  /** Connects if it is not, and subscribes. */
  subscribe(filter: EventFilter, start: Start): void {
    const { epoch, head, oldest } = this.#log();
    this.#line ??= this.#connect();
    this.#ids += 1;
    const place = {
      cursor: { after: this.#last?.upTo ?? 0, epoch: this.#last?.epoch ?? epoch },
      live: { after: null, epoch },
      oldest: { after: 0, epoch },
      future: { after: head + FUTURE_EVENTS, epoch },
    }[start];
    this.#pending.push({ id: this.#ids, filter, ...place, oldest, head });
    const { types, sessions } = filter;
    const narrowed = sessions === null ? {} : { sessions };
    this.#line.send({ type: 'subscribe', id: this.#ids, types, ...narrowed, ...place });
  }

  stall(): void {
    this.#mayBeBehind = true;
    this.#line?.stall();
  }

  /** Null: all frames arrive, from now on. */
  flow(frames: number | null): void {
    this.#line?.flow(frames ?? undefined);
  }

  ack(): void {
    if (!this.isSubscribed) return;
    this.#mayBeBehind = true;
    this.#line?.send({ type: 'ack', seq: this.#last?.upTo ?? 0 });
  }

  cut(): void {
    this.#line?.cut();
    this.#closed();
  }

  /**
   * Compares with everything ever committed, by epoch, once nothing is under way; returns what was
   * wrong.
   */
  judge(written: ReadonlyMap<string, readonly EncodedEvent[]>): string[] {
    if (this.#last !== undefined) this.#last.upTo = this.#log().head;
    for (const { epoch, filter, after, upTo, jsons } of this.#stretches) {
      const selects = eventSelector(filter);
      const due = (written.get(epoch) ?? [])
        .filter((event) => event.seq > after && event.seq <= upTo && selects(event))
        .map(({ json }) => json);
      for (let at = 0; at < Math.max(due.length, jsons.length); at += 1) {
        if (due[at] === jsons[at]) continue;
        const [got, wanted] = [jsons[at] ?? 'nothing', due[at] ?? 'nothing'];
        this.#wrong.push(`after ${after} up to ${upTo}: received ${got} in place of ${wanted}`);
        break;
      }
    }
    return this.#wrong;
  }

  #connect(): Line {
    this.#mayBeBehind = false;
    const line = this.#wire.connect({
      received: (frame, text) => {
        if (this.#line === line) this.#receive(frame, text);
      },
      closed: (code) => {
        if (this.#line !== line) return;
        const isFair = code === CloseCode.slowConsumer && this.#mayBeBehind;
        if (code !== CloseCode.restart && !isFair) this.#wrong.push(`closed with ${code}`);
        this.#closed();
      },
    });
    return line;
  }

  #closed(): void {
    this.#line = null;
    this.#pending = [];
    this.#asked = null;
  }

  #receive(frame: ServerFrame, text: string): void {
    this.#frames += 1;
    switch (frame.type) {
      case 'welcome':
        this.#epoch = frame.epoch;
        return;
      case 'subscribed':
        return this.#begin(frame);
      case 'reset':
        return this.#reset(frame);
      case 'event':
        return this.#see(frame.event.seq, text.slice(EVENT_FRAME.length, -1));
      case 'cursor':
        return this.#see(frame.seq, null);
      default:
        if (frame.type !== 'pong') this.#wrong.push(`received ${text}`);
    }
  }

  #begin({ id, head }: Extract<ServerFrame, { type: 'subscribed' }>): void {
    const asked = this.#pending.shift();
    if (asked?.id !== id) {
      this.#wrong.push(`subscribed ${id} in place of ${asked?.id ?? 'none'}`);
      return;
    }
    this.#asked = asked;
    const isPlace = asked.after !== null && asked.after > 0;
    const after = asked.after === null ? head : asked.after === 0 ? asked.oldest - 1 : asked.after;
    const awaitsReset =
      isPlace && (asked.epoch !== this.#epoch || after > head || after < asked.oldest - 1);
    this.#open(asked.filter, after, awaitsReset);
  }

  #reset({ reason, head }: Extract<ServerFrame, { type: 'reset' }>): void {
    const [last, asked] = [this.#last, this.#asked];
    if (last === undefined || asked === null) return;
    const isDue = {
      epoch: last.awaitsReset && asked.epoch !== this.#epoch,
      future: last.awaitsReset && (asked.after ?? 0) > asked.head,
      expired: last.upTo < this.#log().oldest - 1,
    }[reason];
    if (!isDue)
      this.#wrong.push(`reset ${reason} at ${last.upTo}, kept from ${this.#log().oldest}`);
    // Of what it received nothing is missing; the part in between was reported as removed.
    if (last.awaitsReset) last.upTo = last.after;
    this.#open(last.filter, head, false);
  }

  #open(filter: EventFilter, after: number, awaitsReset: boolean): void {
    const epoch = this.#epoch;
    this.#stretches.push({ epoch, filter, after, upTo: after, jsons: [], awaitsReset });
  }

  #see(seq: number, json: string | null): void {
    const last = this.#last;
    if (last === undefined || last.awaitsReset) {
      this.#wrong.push(`received ${seq} of a cursor that cannot be honoured`);
      return;
    }
    if (seq <= last.upTo) this.#wrong.push(`received ${seq} after ${last.upTo}`);
    last.upTo = seq;
    if (json !== null) last.jsons.push(json);
  }
}
