/**
 * Keeps the newest answers of this host's lists where other hosts find them when it cannot be
 * reached: after its log moved, at most every 15 s; nothing while it is idle.
 */
import { createHash } from 'node:crypto';
import type { EventLog } from '../events/event-log.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Carrier } from './carrier.ts';

const EVERY_MS = 15_000;

export class ListKeeper {
  readonly #carrier: Carrier;
  readonly #targets: readonly string[];
  readonly #answer: (target: string) => Promise<Uint8Array | null>;
  readonly #log: EventLog;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #saved = new Map<string, string>();
  readonly #stopListening: () => void;
  #timer: Timer | null = null;
  #savedAtMs = -Infinity;
  #savedHead = -1;
  #isSaving = false;
  #isOver = false;

  constructor(options: {
    carrier: Carrier;
    /** Paths with their queries. */
    targets: readonly string[];
    /** What a viewer is answered; null when the answer is no list. */
    answer: (target: string) => Promise<Uint8Array | null>;
    log: EventLog;
    clock: Clock;
    logger: Log;
  }) {
    this.#carrier = options.carrier;
    this.#targets = options.targets;
    this.#answer = options.answer;
    this.#log = options.log;
    this.#clock = options.clock;
    this.#logger = options.logger;
    const stopLog = this.#log.listen(() => this.#schedule());
    const stopConnection = this.#carrier.onConnection((isConnected) => {
      if (!isConnected) return;
      // The copies may have been lost meanwhile.
      this.#saved.clear();
      this.#savedHead = -1;
      this.#schedule();
    });
    this.#stopListening = () => {
      stopLog();
      stopConnection();
    };
    this.#schedule();
  }

  dispose(): void {
    this.#isOver = true;
    this.#stopListening();
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isSaving || this.#isOver) return;
    if (!this.#carrier.isConnected || this.#log.head === this.#savedHead) return;
    const inMs = Math.max(0, this.#savedAtMs + EVERY_MS - this.#clock.monotonic());
    this.#timer = this.#clock.after(inMs, () => {
      this.#timer = null;
      void this.#save();
    });
  }

  async #save(): Promise<void> {
    this.#isSaving = true;
    this.#savedAtMs = this.#clock.monotonic();
    const { head } = this.#log;
    try {
      for (const target of this.#targets) await this.#saveOne(target);
      this.#savedHead = head;
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'cannot keep the lists of this host');
      // Again with the next event or connection.
    }
    this.#isSaving = false;
    if (this.#log.head !== head) this.#schedule();
  }

  async #saveOne(target: string): Promise<void> {
    const answer = await this.#answer(target);
    if (answer === null || this.#isOver) return;
    const hash = createHash('sha256').update(answer).digest('hex');
    if (this.#saved.get(target) === hash) return;
    await this.#carrier.saveCopy(target, answer);
    this.#saved.set(target, hash);
  }
}
