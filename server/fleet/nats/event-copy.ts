/**
 * The copies of all event logs, in one stream. A message is one batch; its headers say what is in
 * it, so that a reader finds a seq without unpacking what comes before.
 */
import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { z } from 'zod';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Log } from '../../lib/log.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { EventBatch, RelayPosition } from '../carrier.ts';
import { asking, hasMoved } from './fleet-error.ts';
import type { Live } from './link.ts';
import { pack, unpack } from './packed-text.ts';
import { EVENTS, eventsOf } from './subjects.ts';

const MAX_BATCH_EVENTS = 500;
/**
 * The text of a batch, packed: it must stay below what the server takes in one message. One event
 * above it is left out of the copy, which would end with it otherwise.
 */
const MAX_PACKED_BYTES = 512 * 1024;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** A quiet log is copied in batches of one event; asked for one by one, a page takes long. */
const SMALL_BYTES = 4 * 1024;
const SMALL_AHEAD = 16;

/** Written by another host: nothing in it is trusted. */
const BatchHead = z
  .object({
    epoch: z.string().max(40),
    instance: z.string().max(40),
    first: z.coerce.number().int().min(1),
    last: z.coerce.number().int(),
    /** The stream sequence after which this life of the log begins. */
    floor: z.coerce.number().int().min(0),
  })
  .refine(({ first, last }) => first <= last && last - first < MAX_BATCH_EVENTS);
type BatchHead = z.infer<typeof BatchHead>;

const FIELDS = ['epoch', 'instance', 'first', 'last', 'floor'] as const;

export class EventCopy {
  readonly #host: string;
  readonly #live: () => Live;
  readonly #log: Log;
  /** Of the last batch read or written here, to be repeated in the next one. */
  #floor: { revision: number; floor: number } | null = null;

  constructor(options: { host: string; live: () => Live; log: Log }) {
    this.#host = options.host;
    this.#live = options.live;
    this.#log = options.log;
  }

  async position(host: string): Promise<RelayPosition | null> {
    const newest = await this.#newest(host);
    if (newest === null) return null;
    const head = headOf(newest);
    // What cannot be read is followed all the same: it belongs to no life of a log.
    if (head === null) return { epoch: '', instance: '', last: 0, revision: newest.seq };
    const { epoch, instance, last, floor } = head;
    if (host === this.#host) this.#floor = { revision: newest.seq, floor };
    return { epoch, instance, last, revision: newest.seq };
  }

  async append(batch: EventBatch, after: RelayPosition | null): Promise<RelayPosition | 'moved'> {
    const { epoch, instance, first, last } = batch;
    const floor = await this.#floorOf(batch, after);
    if (floor === null) return 'moved';
    const head = headers();
    const fields = { epoch, instance, first, last, floor };
    for (const name of FIELDS) head.set(headerOf(name), String(fields[name]));
    // What a host says of itself is about its newest events; a copy holds older ones too.
    head.set(headerOf('schema'), String(EVENT_SCHEMA));
    const packed = await this.#packed(batch);
    try {
      const { seq } = await asking('copy events', () =>
        this.#live().js.publish(eventsOf(this.#host), packed, {
          headers: head,
          expect: { lastSubjectSequence: after?.revision ?? 0 },
        }),
      );
      this.#floor = { revision: seq, floor };
      return { epoch, instance, last, revision: seq };
    } catch (error) {
      if (hasMoved(error)) return 'moved';
      throw error;
    }
  }

  async #packed({ first, last, events }: EventBatch): Promise<Uint8Array> {
    const packed = await pack(Buffer.from(events.join('\n')));
    if (events.length <= MAX_BATCH_EVENTS && packed.length <= MAX_PACKED_BYTES) return packed;
    if (events.length > 1) {
      throw new AppError('payload_too_large', `events ${first} to ${last} are too large to copy`);
    }
    this.#log.warn(
      { seq: first, bytes: packed.length },
      'left an event out of the copy: too large',
    );
    return pack(Buffer.alloc(0));
  }

  /** Empty for an epoch that is not the newest one of that host. */
  async replay(host: string, epoch: string, after: number, limit: number): Promise<string[]> {
    const newest = await this.#newest(host);
    const end = newest && headOf(newest);
    if (newest === null || end?.epoch !== epoch || end.last <= after) return [];
    const found: string[] = [];
    let ahead = [end.first <= after + 1 ? newest : await this.#find(host, end, newest, after)];
    let seen = after;
    // A batch has an event at least; a hostile host may have sent any number without one.
    for (let read = 0; found.length < limit && read < limit; read += 1) {
      const message = ahead.shift();
      if (message === undefined) break;
      // A cluster may take a batch twice: what follows is not checked by all of its servers.
      const events = await this.#eventsIn(message, epoch, seen);
      found.push(...events.slice(0, limit - found.length));
      seen = events.length === 0 ? seen : seqOf(events.at(-1) ?? '');
      if (ahead.length === 0) ahead = await this.#following(host, message, newest.seq);
    }
    return found;
  }

  /** What follows a message, up to a sequence that is there. Small ones are asked for together. */
  async #following(host: string, { seq, data }: StoredMsg, end: number): Promise<StoredMsg[]> {
    const count = Math.min(end - seq, data.length < SMALL_BYTES ? SMALL_AHEAD : 1);
    const asked = Array.from({ length: count }, async (_, n) => this.#next(host, seq + 1 + n));
    const bySeq = new Map<number, StoredMsg>();
    for (const message of await Promise.all(asked)) {
      // In a stream of many hosts, neighbours have the same answer.
      if (message !== null && message.seq <= end) bySeq.set(message.seq, message);
    }
    return [...bySeq.values()].sort((one, other) => one.seq - other.seq);
  }

  /** The first message with something after `after`; halves the range of sequences. */
  async #find(
    host: string,
    { floor }: BatchHead,
    newest: StoredMsg,
    after: number,
  ): Promise<StoredMsg> {
    let [low, high, best] = [floor + 1, newest.seq - 1, newest];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const message = await this.#next(host, middle);
      if (message === null || message.seq >= best.seq) high = middle - 1;
      else if ((headOf(message)?.last ?? 0) > after) [high, best] = [middle - 1, message];
      else low = message.seq + 1;
    }
    return best;
  }

  /** Null when `after` is not what this host wrote last. */
  async #floorOf({ epoch }: EventBatch, after: RelayPosition | null): Promise<number | null> {
    if (after === null || after.epoch !== epoch) return after?.revision ?? 0;
    if (this.#floor?.revision !== after.revision) await this.position(this.#host);
    return this.#floor?.revision === after.revision ? this.#floor.floor : null;
  }

  async #eventsIn(message: StoredMsg, epoch: string, after: number): Promise<string[]> {
    const head = headOf(message);
    const text = await unpack(message.data, MAX_TEXT_BYTES);
    // Without an event: it was too large.
    if (text?.length === 0) return [];
    const lines = text?.toString('utf8').split('\n') ?? [];
    const seqs = lines.map(seqOf);
    const isSound =
      head?.epoch === epoch &&
      seqs.every((seq, n) => seq > (seqs[n - 1] ?? head.first - 1) && seq <= head.last);
    if (isSound) return lines.filter((_, n) => (seqs[n] ?? 0) > after);
    this.#log.warn({ subject: message.subject, seq: message.seq }, 'skipped a damaged batch');
    return [];
  }

  /**
   * Direct reads only: nats-server 2.9.10 crashes when the other kind meets a stream that is being
   * deleted.
   */
  async #newest(host: string): Promise<StoredMsg | null> {
    return asking('read copied events', () =>
      this.#live().jsm.direct.getMessage(EVENTS, { last_by_subj: eventsOf(host) }),
    );
  }

  /** The first message of a host at or after a sequence. */
  async #next(host: string, seq: number): Promise<StoredMsg | null> {
    return asking('read copied events', () =>
      this.#live().jsm.direct.getMessage(EVENTS, { seq, next_by_subj: eventsOf(host) }),
    );
  }
}

function headerOf(name: string): string {
  return `Loopwatch-${name}`;
}

function headOf({ header }: StoredMsg): BatchHead | null {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, header.get(headerOf(name))]));
  return BatchHead.safeParse(fields).data ?? null;
}

const Line = z.object({ seq: z.int() });

/** NaN, which is in no order, for what is not an event. */
function seqOf(line: string): number {
  return Line.safeParse(parseJson(line)).data?.seq ?? NaN;
}
