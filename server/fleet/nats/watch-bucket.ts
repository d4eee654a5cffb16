/** Follows a bucket of keys and values: first all it holds, then each change. */
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { createInbox, type Msg, nanos } from '@nats-io/transport-node';
import { messageOf } from '../../lib/app-error.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Live } from './link.ts';

/** The server says this often that it still follows. */
const HEARTBEAT_MS = 5_000;
/**
 * Without a message for this long, the watch starts again: in a cluster, the server that follows may
 * end alone. Early enough that no host seems silent meanwhile.
 */
const SILENCE_MS = 15_000;
/** The server keeps what no one listens to for this long. */
const LEFT_MS = 30_000;
const RETRY_MS = 2_000;

export interface Entry {
  key: string;
  value: Uint8Array;
  revision: number;
  isDeleted: boolean;
  /** Since it was written, by the clock of the NATS server; 0 for what is written from now on. */
  agoMs: number;
}

export interface BucketWatch {
  bucket: string;
  inbox: string;
  live: Live;
  clock: Clock;
  log: Log;
  onEntry: (entry: Entry) => void;
  /** It is read from the beginning, the first time and after any trouble. */
  onBegin?: () => void;
  /** All that was there has been given. */
  onComplete?: () => void;
}

/** Starts again on its own after any trouble, with all entries; ends with the connection. */
export function watchBucket(watch: BucketWatch): () => void {
  const { bucket, live, clock, log } = watch;
  let timer: Timer | null = null;
  let stopCurrent: () => void = () => undefined;
  let isOver = false;
  const again = (delayMs: number) => {
    timer?.cancel();
    timer = isOver ? null : clock.after(delayMs, start);
  };
  const start = () => {
    stopCurrent();
    again(SILENCE_MS);
    follow(watch, {
      heard: () => again(SILENCE_MS),
      lost: (reason) => {
        log.warn({ bucket, reason }, 'a watch of the fleet starts again');
        again(RETRY_MS);
      },
      stop: (stop) => (stopCurrent = stop),
    });
  };
  const over = () => {
    isOver = true;
    timer?.cancel();
    stopCurrent();
  };
  void live.nc.closed().then(over);
  start();
  return over;
}

interface Following {
  heard: () => void;
  lost: (reason: string) => void;
  stop: (stop: () => void) => void;
}

function follow(watch: BucketWatch, { heard, lost, stop }: Following): void {
  const { nc, jsm } = watch.live;
  const inbox = createInbox(watch.inbox);
  // Entries may arrive before the answer that says when the watch began.
  const early: Msg[] = [];
  let createdMs: number | null = null;
  let expected = 1;
  // Of what was there when the watch began.
  let isComplete = false;
  const complete = (pending: number) => {
    if (isComplete || pending > 0) return;
    isComplete = true;
    watch.onComplete?.();
  };
  const take = (message: Msg) => {
    const place = placeOf(message.reply);
    if (place === null) return;
    if (place.delivery === expected) {
      expected += 1;
      watch.onEntry(entryOf(watch.bucket, message, place, createdMs ?? 0));
      complete(place.pending);
    } else lost('an entry was lost');
  };
  const subscription = nc.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) {
        lost(error.message);
        return;
      }
      heard();
      if (message.headers?.code === 409) lost(message.headers.description);
      else if (createdMs === null) early.push(message);
      else take(message);
    },
  });
  stop(() => subscription.unsubscribe());
  const config = {
    deliver_subject: inbox,
    deliver_policy: DeliverPolicy.LastPerSubject,
    filter_subject: `$KV.${watch.bucket}.>`,
    ack_policy: AckPolicy.None,
    idle_heartbeat: nanos(HEARTBEAT_MS),
    inactive_threshold: nanos(LEFT_MS),
    mem_storage: true,
  };
  jsm.consumers.add(`KV_${watch.bucket}`, config).then(
    ({ created, num_pending, delivered }) => {
      createdMs = Date.parse(created);
      watch.onBegin?.();
      if (delivered.consumer_seq === 0) complete(num_pending);
      for (const message of early.splice(0)) take(message);
    },
    (error: unknown) => {
      if (!nc.isClosed()) lost(messageOf(error));
    },
  );
}

interface Place {
  revision: number;
  delivery: number;
  atMs: number;
  /** What the watch has still to give. */
  pending: number;
}

/** `$JS.ACK.(domain.hash.)stream.consumer.tries.revision.delivery.nanoseconds.pending(.token)` */
function placeOf(reply: string | undefined): Place | null {
  const parts = reply?.split('.') ?? [];
  const from = parts.length > 9 ? 7 : 5;
  const [revision = NaN, delivery = NaN, nanoseconds = NaN, pending = NaN] = parts
    .slice(from, from + 4)
    .map(Number);
  if (parts[1] !== 'ACK' || Number.isNaN(nanoseconds)) return null;
  return { revision, delivery, atMs: nanoseconds / 1e6, pending };
}

function entryOf(bucket: string, message: Msg, place: Place, createdMs: number): Entry {
  return {
    key: message.subject.slice(`$KV.${bucket}.`.length),
    value: message.data,
    revision: place.revision,
    isDeleted: message.headers?.has('KV-Operation') ?? false,
    agoMs: Math.max(0, Math.round(createdMs - place.atMs)),
  };
}
