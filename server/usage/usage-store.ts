/**
 * Rows of the ledger: entries, and their sums by day. An entry and its sums change in the same
 * transaction, which is the caller's.
 */
import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { growthOf } from './count-once.ts';
import type { Counts, UsageEntry } from './usage-entry.ts';

const COUNTS = 'input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micros';
/** The columns in the order of `valuesOf`. */
const AS_COUNTS =
  'input_tokens inputTokens, output_tokens outputTokens, cache_read_tokens cacheReadTokens, ' +
  'cache_write_tokens cacheCreationTokens, cost_micros costMicros';
/** `by` stands for the added values; a cost stays null until one is known. */
const added = (by: (column: string) => string) =>
  COUNTS.split(', ')
    .map((column) =>
      column === 'cost_micros'
        ? `cost_micros = CASE WHEN ${by(column)} IS NULL THEN cost_micros ELSE coalesce(cost_micros, 0) + ${by(column)} END`
        : `${column} = ${column} + ${by(column)}`,
    )
    .join(', ');

type StoredEntry = Counts & { id: number; sums: number };

export class UsageStore {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepareUsage(database);
  }

  /** Counts it, or what it adds to an entry with its key. False when that is nothing. */
  add(entry: UsageEntry): boolean {
    const { find, isClaimed, grow, growSums } = this.#statements;
    const { key, counts } = entry;
    if (key !== null && isClaimed.get(key) !== undefined) return false;
    const known = key === null ? undefined : (find.get(key) as StoredEntry | undefined);
    const growth = growthOf(known ?? null, counts);
    if (growth === null) return false;
    if (known === undefined) this.#insert(entry, growth);
    else {
      grow.run({ ...growth, id: known.id });
      growSums.run({ ...growth, id: known.sums });
    }
    return true;
  }

  /**
   * A result of `subject` includes this message: it counts no more. A copy of it in a fork may have
   * been counted for another subject; one counted for the same was of a turn without a result.
   */
  claim(key: string, subject: Subject): void {
    const { claim, find, remove, growSums, subjectOf } = this.#statements;
    const known = find.get(key) as StoredEntry | undefined;
    const counted = known === undefined ? undefined : subjectOf.get(known.sums);
    if (counted === subjectRef(subject)) return;
    claim.run(key);
    if (known === undefined) return;
    remove.run(known.id);
    const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, costMicros } = known;
    growSums.run({
      id: known.sums,
      inputTokens: -inputTokens,
      outputTokens: -outputTokens,
      cacheReadTokens: -cacheReadTokens,
      cacheCreationTokens: -cacheCreationTokens,
      costMicros: costMicros === null ? null : -costMicros,
    });
  }

  /** The last totals of these meters, without those that were never read. */
  lastTotals(meters: readonly string[]): number[] {
    return meters.flatMap(
      (meter) => (this.#statements.total.get(meter) as number | undefined) ?? [],
    );
  }

  setTotal(meter: string, costMicros: number): void {
    this.#statements.setTotal.run(meter, costMicros);
  }

  #insert({ key, source, model, work, atMs }: UsageEntry, counts: Counts): void {
    const { addSums, insert } = this.#statements;
    const day = new Date(atMs).toISOString().slice(0, 10);
    const { kind, id } = work.subject;
    const { project, person } = work;
    const about = { day, source, model, kind, id, project, person };
    const sums = addSums.get({ ...about, ...counts, atMs }) as number;
    insert.run({ ...counts, key, sums, atMs });
  }
}

function prepareUsage({ raw }: Database) {
  const values = ':inputTokens, :outputTokens, :cacheReadTokens, :cacheCreationTokens, :costMicros';
  const names = values.split(', ');
  const columns = COUNTS.split(', ');
  const given = (column: string) => names[columns.indexOf(column)] ?? '';
  return {
    find: raw.prepare(`SELECT id, sums, ${AS_COUNTS} FROM usage_entries WHERE key = ?`),
    isClaimed: raw.prepare('SELECT 1 FROM usage_claims WHERE key = ?'),
    claim: raw.prepare('INSERT INTO usage_claims (key) VALUES (?) ON CONFLICT DO NOTHING'),
    insert: raw.prepare(
      `INSERT INTO usage_entries (key, sums, ${COUNTS}, at_ms) VALUES (:key, :sums, ${values}, :atMs)`,
    ),
    grow: raw.prepare(`UPDATE usage_entries SET ${added(given)} WHERE id = :id`),
    subjectOf: raw
      .prepare("SELECT subject_kind || ':' || subject_id FROM usage_days WHERE id = ?")
      .pluck(),
    remove: raw.prepare('DELETE FROM usage_entries WHERE id = ?'),
    addSums: raw
      .prepare(
        `INSERT INTO usage_days (day, source, model, subject_kind, subject_id, project, person, ${COUNTS}, latest_ms)
         VALUES (:day, :source, :model, :kind, :id, :project, :person, ${values}, :atMs)
         ON CONFLICT (day, source, model, subject_kind, subject_id, project, person)
         DO UPDATE SET ${added((column) => `excluded.${column}`)}, latest_ms = max(latest_ms, excluded.latest_ms)
         RETURNING id`,
      )
      .pluck(),
    growSums: raw.prepare(`UPDATE usage_days SET ${added(given)} WHERE id = :id`),
    total: raw.prepare('SELECT cost_micros FROM usage_meters WHERE key = ?').pluck(),
    setTotal: raw.prepare(
      `INSERT INTO usage_meters (key, cost_micros) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET cost_micros = excluded.cost_micros`,
    ),
  };
}
