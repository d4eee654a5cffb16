/** Which hosts are there, by what each says of itself every few seconds. */
import { HostFacts } from '../../../shared/schema/fleet.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { UNREACHABLE_AFTER_MS } from '../carrier.ts';
import { asking } from './fleet-error.ts';
import type { Live } from './link.ts';
import { BUCKETS } from './subjects.ts';
import type { Entry } from './watch-bucket.ts';

export const MAX_FACTS_BYTES = 16 * 1024;
/** More than any fleet has; what a hostile host adds beyond is ignored. */
const MAX_HOSTS = 1_000;

interface Known {
  facts: HostFacts;
  agoMs: number;
  /** On the monotonic clock of this host. */
  heardAtMs: number;
  silence: Timer;
}

export class Presence {
  readonly #clock: Clock;
  readonly #silent: (host: string) => void;
  readonly #known = new Map<string, Known>();
  readonly #listeners = new Set<(facts: HostFacts, agoMs: number) => void>();
  readonly #removals = new Set<(host: string) => void>();

  /** `silent` is called when a host was not heard of for 30 s. */
  constructor(options: { clock: Clock; silent: (host: string) => void }) {
    this.#clock = options.clock;
    this.#silent = options.silent;
  }

  async present({ js }: Live, facts: HostFacts): Promise<void> {
    const value = JSON.stringify(HostFacts.parse(facts));
    await asking('report to the fleet', () =>
      js.publish(`$KV.${BUCKETS.hosts}.${facts.id}`, value),
    );
  }

  listen(
    listener: (facts: HostFacts, agoMs: number) => void,
    removed: (host: string) => void = () => undefined,
  ): () => void {
    const now = this.#clock.monotonic();
    for (const { facts, agoMs, heardAtMs } of this.#known.values()) {
      listener(facts, agoMs + now - heardAtMs);
    }
    this.#listeners.add(listener);
    this.#removals.add(removed);
    return () => {
      this.#listeners.delete(listener);
      this.#removals.delete(removed);
    };
  }

  heard({ key, value, isDeleted, agoMs }: Entry): void {
    this.#known.get(key)?.silence.cancel();
    if (isDeleted) {
      this.#known.delete(key);
      for (const removed of [...this.#removals]) removed(key);
      return;
    }
    if (value.length > MAX_FACTS_BYTES) return;
    const facts = HostFacts.safeParse(parseJson(Buffer.from(value).toString('utf8'))).data;
    // A host speaks only for itself.
    if (facts?.id !== key) return;
    if (!this.#known.has(key) && this.#known.size >= MAX_HOSTS) return;
    const leftMs = Math.max(0, UNREACHABLE_AFTER_MS - agoMs);
    const silence = this.#clock.after(leftMs, () => this.#silent(key));
    this.#known.set(key, { facts, agoMs, heardAtMs: this.#clock.monotonic(), silence });
    for (const listener of [...this.#listeners]) listener(facts, agoMs);
  }

  /** While nothing can be heard, silence means nothing. */
  pause(): void {
    for (const { silence } of this.#known.values()) silence.cancel();
  }
}
