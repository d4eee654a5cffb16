/** A subscriber that connects, reads for a while and disconnects in varying ways, and misses nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { type OpenConsumer, seqOf } from '../../support/events/event-consumer.ts';
import { openPollConsumer } from '../../support/events/open-poll-consumer.ts';
import { openSseConsumer } from '../../support/events/open-sse-consumer.ts';
import { openWsConsumer } from '../../support/events/open-ws-consumer.ts';
import type { Random } from '../../support/house/random.ts';

const WAYS: readonly OpenConsumer[] = [openWsConsumer, openSseConsumer, openPollConsumer];
const STAYS_MS = [200, 8_000] as const;
const AWAY_MS = [50, 2_000] as const;

export class SoakReader {
  events = 0;
  visits = 0;
  /** Events that did not follow the one before. */
  gaps = 0;
  readonly failures: string[] = [];
  readonly #api: ApiClient;
  readonly #random: Random;
  readonly #reading: Promise<void>;
  #isOver = false;
  #leave: () => void = () => undefined;

  constructor(api: ApiClient, random: Random) {
    this.#api = api;
    this.#random = random;
    this.#reading = this.#read();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#leave();
    await this.#reading;
  }

  async #read(): Promise<void> {
    let cursor: string | null = null;
    // Null until the first event: a stream without a cursor begins some time after its head was read.
    let last: number | null = null;
    while (!this.#isOver) {
      await pause(this.#random.int(...AWAY_MS));
      this.visits += 1;
      try {
        await using consumer = await this.#random.pick(WAYS)(this.#api, { after: cursor });
        this.#leave = () => consumer.end('enough');
        const leaving = setTimeout(this.#leave, this.#random.int(...STAYS_MS));
        try {
          for (;;) {
            const seq = seqOf(await consumer.event());
            if (last !== null && seq !== last + 1) this.gaps += 1;
            last = seq;
            this.events += 1;
          }
        } catch (error) {
          if (!String(error).includes('enough')) this.failures.push(String(error));
        }
        clearTimeout(leaving);
        cursor = consumer.cursor;
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}
