/** A subscriber that outlives its daemons: reconnects with its cursor, in varying ways. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../daemon/api-client.ts';
import { type EventConsumer, type OpenConsumer, seqOf } from './event-consumer.ts';
import { openPollConsumer } from './open-poll-consumer.ts';
import { openSseConsumer } from './open-sse-consumer.ts';
import { openWsConsumer } from './open-ws-consumer.ts';
import type { Random } from '../house/random.ts';

const WAYS: readonly OpenConsumer[] = [openWsConsumer, openSseConsumer, openPollConsumer];
const COME_BACK_AFTER_MS = 10;

export class EventFollower {
  /** Every received record, as it was sent. */
  readonly records: string[] = [];
  /** Received resets; a log that keeps everything has no reason for one. */
  readonly resets: string[] = [];
  readonly #api: () => ApiClient | null;
  readonly #random: Random;
  readonly #following: Promise<void>;
  #consumer: EventConsumer | null = null;
  #stopped = false;

  /** `api` returns the current daemon, or null while there is none. */
  constructor(api: () => ApiClient | null, random: Random) {
    this.#api = api;
    this.#random = random;
    this.#following = this.#follow();
  }

  get lastSeq(): number {
    return seqOf(this.records.at(-1) ?? '{"seq":0}');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#consumer?.end('the test is over');
    await this.#following;
  }

  async #follow(): Promise<void> {
    let cursor = '0';
    while (!this.#stopped) {
      const api = this.#api();
      try {
        if (api === null) throw new Error('no daemon');
        await using consumer = await this.#random.pick(WAYS)(api, { after: cursor });
        this.#consumer = consumer;
        for (;;) {
          const delivered = await consumer.next();
          if (delivered.kind === 'event') this.records.push(delivered.json);
          else this.resets.push(JSON.stringify(delivered.reset));
          cursor = delivered.cursor;
        }
      } catch {
        await pause(COME_BACK_AFTER_MS);
      }
    }
  }
}
