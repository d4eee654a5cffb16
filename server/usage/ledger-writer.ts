/** What each source enters into the ledger. Each call is part of the caller's transaction. */
import type { ModelUsage } from '../agents/headless/stream-result.ts';
import type { MessageUsage } from '../agents/records/usage-line.ts';
import type { Clock } from '../lib/clock.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import { costGrowth } from './count-once.ts';
import { modelName, NO_TOKENS, toMicros, type Work } from './usage-entry.ts';
import type { UsageStore } from './usage-store.ts';

/** The total of a status line. */
export interface CostReading {
  conversation: string;
  process: ProcessIdentity;
  model: string | null;
  totalUsd: number;
}

export class LedgerWriter {
  readonly #store: UsageStore;
  readonly #clock: Clock;

  constructor(store: UsageStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  addMessage({ key, model, usage, costUsd, atMs }: MessageUsage, work: Work): void {
    const nowMs = this.#clock.now();
    this.#store.add({
      key: `message ${key}`,
      source: 'transcript',
      model: modelName(model),
      counts: { ...usage, costMicros: toMicros(costUsd) },
      work,
      atMs: Math.min(atMs ?? nowMs, nowMs),
    });
  }

  claimMessage({ key }: MessageUsage, { subject }: Work): void {
    this.#store.claim(`message ${key}`, subject);
  }

  /** `id` is unique among all turns ever: entered twice, it counts once. */
  addResult(id: string, spent: readonly ModelUsage[], work: Work): void {
    for (const { model, usage, costUsd } of spent) {
      this.#store.add({
        key: `result ${id} ${model}`,
        source: 'result',
        model: modelName(model),
        counts: { ...usage, costMicros: toMicros(costUsd) },
        work,
        atMs: this.#clock.now(),
      });
    }
  }

  addCost({ conversation, process, model, totalUsd }: CostReading, work: Work): void {
    const total = toMicros(totalUsd) ?? 0;
    const meters = [`conversation ${conversation}`, `process ${process.pid} ${process.startedAt}`];
    const costMicros = costGrowth(this.#store.lastTotals(meters), total);
    for (const meter of meters) this.#store.setTotal(meter, total);
    if (costMicros === 0) return;
    this.#store.add({
      key: null,
      source: 'status_line',
      model: modelName(model),
      counts: { ...NO_TOKENS, costMicros },
      work,
      atMs: this.#clock.now(),
    });
  }
}
