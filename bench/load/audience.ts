/** One contender with its subscribers, each in its own process and on its own core. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileLimit } from '../../server/lib/open-files.ts';
import type { ContenderAsk } from '../contenders/contender-process.ts';
import type { ContenderName } from '../contenders/contender.ts';
import { RECEIPTS } from '../contenders/receipts.ts';
import type { Produced } from '../contenders/production.ts';
import { BenchChild } from '../rig/bench-child.ts';
import type { GeneratorAsk, Load } from './generator-process.ts';
import type { SubscriberTarget } from './subscriber-sockets.ts';

/** In memory: files there cost no disk access. */
const MEMORY_DIRECTORY = '/dev/shm';
const CONTENDER_CORE = 0;
const GENERATOR_CORE = 1;
/** Files a process of the bench has open besides its sockets, rounded up. */
const OTHER_FILES = 100;

export class Audience {
  readonly #directory: string;
  readonly #contender: BenchChild<ContenderAsk>;
  readonly #generator: BenchChild<GeneratorAsk>;
  #subscribers = 0;
  #made = 0;

  /** `flags` are Node's, for the contender's process. */
  constructor(name: ContenderName, flags: readonly string[] = []) {
    const parent = existsSync(MEMORY_DIRECTORY) ? MEMORY_DIRECTORY : tmpdir();
    this.#directory = mkdtempSync(join(parent, 'lwb-'));
    const words = [name, this.#directory];
    this.#contender = new BenchChild(
      'contenders/contender-process.js',
      words,
      CONTENDER_CORE,
      flags,
    );
    this.#generator = new BenchChild('load/generator-process.js', [], GENERATOR_CORE);
  }

  /** Adds this many subscribers. Throws when a process may not open so many files. */
  async admit(count: number): Promise<void> {
    requireFiles(this.#subscribers + count);
    const { wireBytes, ...target } = await this.#contender.ask<
      SubscriberTarget & { wireBytes: number }
    >({ ask: 'open' });
    const receipts = join(this.#directory, RECEIPTS);
    await this.#generator.ask({ ask: 'connect', target, wireBytes, count, receipts });
    this.#subscribers += count;
  }

  /** Sends to all as fast as possible. */
  async saturate(eventsATurn: number, forMs: number): Promise<Produced & Load> {
    return this.#run({ ask: 'saturate', eventsATurn, forMs }, false);
  }

  /** One event at a time, at a fixed pace, with the time each was under way. */
  async pace(perSecond: number, count: number): Promise<Produced & Load> {
    const generator = this.#generator.pid;
    return this.#run({ ask: 'pace', perSecond, count, generator }, true);
  }

  /** Bytes the contender's process holds after a garbage collection. */
  async memory(): Promise<number> {
    return this.#contender.ask({ ask: 'memory' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#generator[Symbol.asyncDispose]();
    await this.#contender[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true });
  }

  async #run(ask: ContenderAsk, times: boolean): Promise<Produced & Load> {
    await this.#generator.ask({ ask: 'mark', times });
    const produced = await this.#contender.ask<Produced>(ask);
    this.#made += produced.events;
    const load = await this.#generator.ask<Load>({
      ask: 'count',
      events: this.#made,
      waitedMs: produced.waitedForCoreMs,
    });
    return { ...produced, ...load };
  }
}

function requireFiles(subscribers: number): void {
  const [limit, needed] = [openFileLimit(), subscribers + OTHER_FILES];
  if (limit === null || limit >= needed) return;
  throw new Error(
    `${subscribers} subscribers need ${needed} open files, ${limit} are allowed: run "ulimit -n ${needed}" first`,
  );
}
