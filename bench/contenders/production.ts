/**
 * Makes events as fast as the subscribers take them, or at a fixed pace. The rule is the same for
 * every contender: a tick makes a fixed number of events, the next follows at once, and none is
 * made while the slowest subscriber is a whole window behind. So nothing piles up, and the slower
 * side, contender or generator, sets the pace; the time spent waiting shows which.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { coreWaitMs } from '../rig/core-wait.ts';
import { benchEvent } from './bench-event.ts';
import type { Contender } from './contender.ts';
import type { Receipts } from './receipts.ts';

/** How far the slowest subscriber may be behind: in ticks, with a minimum in events. */
const WINDOW_TURNS = 8;
const WINDOW_EVENTS = 32;
/** How much longer a run may take on a busy machine. */
const PATIENCE = 4;
/** Asking the system for the processor time has its own cost. */
const POLL_EVERY_MS = 20;

export interface Produced {
  events: number;
  ms: number;
  cpuMs: number;
  /** Spent waiting for the slowest subscriber. */
  waitedMs: number;
  /** When paced, for each event: how long this process and the generator waited for their cores. */
  waitedForCoreMs: number[];
}

export class Production {
  readonly #contender: Contender;
  readonly #receipts: Receipts;
  #made = 0;

  constructor(contender: Contender, receipts: Receipts) {
    this.#contender = contender;
    this.#receipts = receipts;
  }

  /**
   * Runs for `forMs` of processor time, so that a busy machine measures as much as a quiet one, and
   * until the last event has arrived.
   */
  async saturate(eventsATurn: number, forMs: number): Promise<Produced> {
    const window = Math.max(WINDOW_EVENTS, WINDOW_TURNS * eventsATurn);
    return this.#measure(async (began) => {
      const until = performance.now() + PATIENCE * forMs;
      let waitedMs = 0;
      let pollAt = 0;
      for (let now = performance.now(); now < until; now = performance.now()) {
        if (now >= pollAt) {
          if (cpuMsSince(began) >= forMs) break;
          pollAt = now + POLL_EVERY_MS;
        }
        await nextTurn();
        this.#make(eventsATurn);
        if (this.#made - this.#receipts.seen < window) continue;
        const stopped = performance.now();
        while (this.#made - this.#receipts.seen >= window) await this.#receipts.change();
        waitedMs += performance.now() - stopped;
      }
      return waitedMs;
    });
  }

  /** Makes one event at a time. `generator` is the generator's pid. */
  async pace(perSecond: number, count: number, generator: number): Promise<Produced> {
    const waitedForCoreMs: number[] = [];
    const waited = () => coreWaitMs(process.pid) + coreWaitMs(generator);
    const produced = await this.#measure(async () => {
      const began = performance.now();
      let before = waited();
      for (let n = 1; n <= count; n += 1) {
        this.#make(1);
        await pause(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
        const now = waited();
        waitedForCoreMs.push(now - before);
        before = now;
      }
      return 0;
    });
    return { ...produced, waitedForCoreMs };
  }

  async #measure(make: (cpu: NodeJS.CpuUsage) => Promise<number>): Promise<Produced> {
    const [before, began, cpu] = [this.#made, performance.now(), process.cpuUsage()];
    const waitedMs = await make(cpu);
    await this.#receipts.reach(this.#made);
    const ms = performance.now() - began;
    const cpuMs = cpuMsSince(cpu);
    return { events: this.#made - before, ms, cpuMs, waitedMs, waitedForCoreMs: [] };
  }

  #make(count: number): void {
    const events = Array.from({ length: count }, (_, n) => benchEvent(this.#made + n));
    this.#made += count;
    this.#contender.publish(events);
  }
}

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
