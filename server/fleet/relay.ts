/**
 * Copies the event log of this host to its fleet. Where the copy ends is read from the copy itself,
 * so that nothing here has to be stored, and nothing is sent twice or left out.
 */
import type { EventLog } from '../events/event-log.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Carrier, ChannelHead, EventBatch, RelayPosition } from './carrier.ts';

/** Events of one burst go in one batch. */
const GATHER_MS = 20;
/** After a failure, while there is a connection. */
const RETRY_MS = 2_000;
/**
 * A server that lost a copy, or was given an older one, does not say so: without an event, a relay
 * reads this often where its copy ends. The other hosts are to agree 5 s after what was lost is back.
 */
const VERIFY_MS = 4_000;
const MAX_BATCH_EVENTS = 500;
const MAX_BATCH_BYTES = 256 * 1024;
/** Asks for as little as a daemon can answer. */
const PROBE: ChannelHead = {
  kind: 'request',
  method: 'GET',
  target: '/healthz',
  headers: [],
  bodyBytes: 0,
};

export type RelayStep =
  /** Another daemon wrote: is it still there? */
  { kind: 'check'; revision: number } | { kind: 'send'; after: number } | { kind: 'rest' };

/**
 * The next step of a daemon, by its own log and where the copy ends. `absent`: the batch of another
 * daemon that did not answer when it was asked; its place may be taken. When it writes once more, it
 * is asked once more.
 */
export function nextRelayStep(
  own: { epoch: string; instance: string; oldest: number; head: number },
  position: RelayPosition | null,
  absent: number | null,
): RelayStep {
  if (position !== null && position.instance !== own.instance && position.revision !== absent) {
    return { kind: 'check', revision: position.revision };
  }
  const copied = position?.epoch === own.epoch ? position.last : 0;
  const after = Math.max(copied, own.oldest - 1);
  return after < own.head ? { kind: 'send', after } : { kind: 'rest' };
}

export interface RelayOptions {
  carrier: Carrier;
  events: Pick<EventLog, 'epoch' | 'oldest' | 'head' | 'read' | 'listen'>;
  clock: Clock;
  log: Log;
  /** Id of this host. */
  host: string;
  instance: string;
  /** Called once, when no other daemon serves under this host id: this one may serve. */
  alone: () => void;
  /** Called once, when another one does. Nothing is copied any more. */
  duplicate: () => void;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #stops: (() => void)[];
  /** Null: it must be read again. */
  #position: { at: RelayPosition | null } | null = null;
  #isAlone = false;
  #absent: number | null = null;
  #connections = 0;
  #isRunning = false;
  #isClosed = false;
  #hasFailed = false;
  #timer: Timer | null = null;
  /** Of the timer, by the monotonic clock. */
  #dueMs = 0;

  /** Starts at once. */
  constructor(options: RelayOptions) {
    this.#options = options;
    const { carrier, events } = options;
    this.#stops = [
      events.listen(() => this.#wake(GATHER_MS)),
      carrier.onConnection((isConnected) => {
        this.#connections += 1;
        this.#position = null;
        if (isConnected) this.#wake(0);
      }),
    ];
    this.#wake(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const stop of this.#stops) stop();
  }

  #wake(delayMs: number): void {
    if (this.#isClosed || this.#isRunning || !this.#options.carrier.isConnected) return;
    const { clock } = this.#options;
    const dueMs = clock.monotonic() + delayMs;
    if (this.#timer !== null && this.#dueMs <= dueMs) return;
    this.#timer?.cancel();
    this.#dueMs = dueMs;
    this.#timer = clock.after(delayMs, () => {
      this.#timer = null;
      // What was known of the copy is to be read again.
      if (delayMs === VERIFY_MS) this.#position = null;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const { carrier, log } = this.#options;
    if (this.#isRunning) return;
    this.#isRunning = true;
    let retry = false;
    try {
      while (!this.#isClosed && carrier.isConnected && (await this.#step()));
      this.#hasFailed = false;
    } catch (error) {
      this.#position = null;
      retry = true;
      if (!this.#hasFailed) log.warn({ error: messageOf(error) }, 'events are not copied for now');
      this.#hasFailed = true;
    } finally {
      this.#isRunning = false;
    }
    // A wake-up during the last step was left to this run.
    if (retry) this.#wake(RETRY_MS);
    else if (this.#position === null || this.#planned(this.#position.at).kind !== 'rest') {
      this.#wake(GATHER_MS);
    } else this.#wake(VERIFY_MS);
  }

  /** False when there is nothing to do. */
  async #step(): Promise<boolean> {
    const { carrier, host, alone } = this.#options;
    const connections = this.#connections;
    if (!this.#isAlone) {
      // Who writes serves before. When none serves, all writers until now are gone, and need not be
      // asked for later: our own subscription would take that question, and it is never answered.
      const reading = carrier.position(host).then(
        (at) => ({ at }),
        () => null,
      );
      if (await this.#isServedElsewhere()) return this.#stop();
      this.#isAlone = true;
      // The copy may be slow, or not be there: that keeps no one from asking this host.
      alone();
      const position = await reading;
      this.#absent = position?.at?.revision ?? null;
      if (connections === this.#connections) this.#position = position;
      return true;
    }
    const position = this.#position ?? { at: await carrier.position(host) };
    if (connections !== this.#connections) return true;
    this.#position = position;
    const step = this.#planned(position.at);
    if (step.kind === 'rest') return false;
    if (step.kind === 'check') {
      if (await this.#isServedElsewhere()) return this.#stop();
      this.#absent = step.revision;
      return true;
    }
    const batch = this.#batchAfter(step.after);
    if (batch === null) return false;
    this.#position = null;
    const result = await carrier.append(batch, position.at);
    if (result !== 'moved' && connections === this.#connections) this.#position = { at: result };
    return true;
  }

  #planned(position: RelayPosition | null): RelayStep {
    const { events, instance } = this.#options;
    const { epoch, oldest, head } = events;
    return nextRelayStep({ epoch, instance, oldest, head }, position, this.#absent);
  }

  #batchAfter(after: number): EventBatch | null {
    const { events, instance } = this.#options;
    const found = events.read(after, MAX_BATCH_EVENTS);
    let [count, bytes] = [0, 0];
    for (const { seq, json } of found) {
      bytes += Buffer.byteLength(json) + 1;
      const follows = seq === (found[0]?.seq ?? 0) + count;
      // One that is too large for a batch makes one of its own.
      if (count > 0 && (!follows || bytes > MAX_BATCH_BYTES)) break;
      count += 1;
    }
    const [first] = found;
    if (first === undefined) return null;
    return {
      epoch: events.epoch,
      instance,
      first: first.seq,
      last: first.seq + count - 1,
      events: found.slice(0, count).map(({ json }) => json),
    };
  }

  /** Whether another daemon answers under our host id. Throws when that cannot be known. */
  async #isServedElsewhere(): Promise<boolean> {
    const { carrier, host } = this.#options;
    const connections = this.#connections;
    try {
      const channel = await carrier.request(host, PROBE);
      channel.close(1000, '');
      return true;
    } catch (error) {
      const isUnreachable = error instanceof AppError && error.code === 'host_unreachable';
      if (isUnreachable && carrier.isConnected && connections === this.#connections) return false;
      throw error;
    }
  }

  #stop(): false {
    const { log, host, duplicate } = this.#options;
    log.error(
      { host },
      'another daemon has the id of this host: this one takes no part in the fleet',
    );
    this.close();
    duplicate();
    return false;
  }
}
