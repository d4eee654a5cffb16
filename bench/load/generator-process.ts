/** The process that acts as all subscribers of one contender. */
import { connect } from 'node:net';
import { answerAsks } from '../rig/bench-child.ts';
import { type Undisturbed, undisturbed } from '../latency/undisturbed.ts';
import { percentile } from '../report/statistics.ts';
import { isExact } from './frame-size.ts';
import { receiptsOf } from './stamps.ts';
import { SubscriberSockets, type SubscriberTarget } from './subscriber-sockets.ts';

/** The requests the bench sends to the load generator. */
export type GeneratorAsk =
  | { ask: 'connect'; target: SubscriberTarget; wireBytes: number; count: number; receipts: string }
  | { ask: 'mark'; times: boolean }
  /** `waitedMs`: for each event since the mark, how long both processes waited for their cores. */
  | { ask: 'count'; events: number; waitedMs: readonly number[] };

/** Since the last mark. */
export interface Load {
  cpuShare: number;
  /** Milliseconds under way; null unless measured. */
  latency: { count: number; p50: number; p99: number; undisturbed: Undisturbed } | null;
}

/** An engine pings each subscriber at most every 20 s. */
const PING_INTERVAL_MS = 20_000;

const sockets = new SubscriberSockets(arrived);
let receipts: ReturnType<typeof connect> | null = null;
let wireBytes = 1;
let reported = 0;
let isReporting = false;
/** By the time their event was sent. */
let ages: Map<number, number[]> | null = null;
let mark = { at: performance.now(), cpu: process.cpuUsage() };
let connectedAt = 0;
let isAwake = false;

function arrived(bytes: Buffer): void {
  if (ages !== null) note(ages, bytes);
  if (isReporting) return;
  isReporting = true;
  setImmediate(report);
}

function note(known: Map<number, number[]>, bytes: Buffer): void {
  for (const { sent, ageMs } of receiptsOf(bytes)) {
    const event = known.get(sent);
    if (event === undefined) known.set(sent, [ageMs]);
    else event.push(ageMs);
  }
}

/** Once per tick, no matter how much arrived in it. */
function report(): void {
  isReporting = false;
  let fewest = Infinity;
  for (const bytes of sockets.bytes) if (bytes < fewest) fewest = bytes;
  const events = Math.floor(fewest / wireBytes);
  if (events <= reported) return;
  reported = events;
  receipts?.write(`${events}\n`);
}

/**
 * Never sleeps under load: waking a reader is part of a write and costs as much as the write. A
 * slower contender would pay for it more often and become slower still.
 */
function stayAwake(): void {
  if (isAwake) setImmediate(stayAwake);
}

/** Every subscriber must have received each event once and nothing else. */
function requireExact(events: number): void {
  const pings = 1 + Math.floor((performance.now() - connectedAt) / PING_INTERVAL_MS);
  const wrong = sockets.bytes.find((bytes) => !isExact(bytes, events, wireBytes, pings));
  if (wrong === undefined) return;
  throw new Error(`a subscriber got ${wrong} bytes instead of ${events} times ${wireBytes}`);
}

function load(waitedMs: readonly number[]): Load {
  const { user, system } = process.cpuUsage(mark.cpu);
  const cpuShare = (user + system) / 1_000 / (performance.now() - mark.at);
  if (ages === null) return { cpuShare, latency: null };
  const events = [...ages].sort(([one], [other]) => one - other).map(([, ofEvent]) => ofEvent);
  const all = events.flat();
  const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)];
  const latency = { count: all.length, p50, p99, undisturbed: undisturbed(events, waitedMs) };
  return { cpuShare, latency };
}

answerAsks(async (asked) => {
  const ask = asked as GeneratorAsk;
  switch (ask.ask) {
    case 'connect':
      wireBytes = ask.wireBytes;
      connectedAt = performance.now();
      receipts ??= connect(ask.receipts);
      return sockets.open(ask.target, ask.count);
    case 'mark':
      mark = { at: performance.now(), cpu: process.cpuUsage() };
      ages = ask.times ? new Map() : null;
      isAwake = !ask.times;
      stayAwake();
      return Promise.resolve();
    case 'count':
      isAwake = false;
      requireExact(ask.events);
      return Promise.resolve(load(ask.waitedMs));
  }
});
