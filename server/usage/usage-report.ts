/** Sums of the ledger for a range of days, grouped; from the sums by day, never from entries. */
import {
  type UsageExportQuery,
  type UsageFigures,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
  USAGE_SOURCES,
  type UsageSource,
} from '../../shared/schema/usage/usage.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { toIso } from '../lib/clock.ts';
import { usageLines } from './usage-export.ts';

const MAX_ROWS = 1_000;

/** Where a group is empty, its figures belong to nothing that is known. */
const GROUP_SQL: Record<UsageGroup, string> = {
  day: 'day',
  project: "nullif(project, '')",
  person: "nullif(person, '')",
  subject: "subject_kind || ':' || subject_id",
  model: "nullif(model, 'unknown')",
};

interface Sums {
  key: string | null;
  source: UsageSource;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number | null;
  latestMs: number;
}

type Selection = Pick<UsageQuery, 'since' | 'until' | 'project' | 'person' | 'subject'> & {
  kind?: Subject['kind'];
};

/** Of one source, since the ledger began. */
export interface SourceTotals {
  source: UsageSource;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  costMicros: number;
}

export class UsageReports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Every entry as text, a page at a time. */
  lines(query: UsageExportQuery): Generator<string, void> {
    return usageLines(this.#database, query);
  }

  /** `nowMs` is the wall time. */
  report(query: UsageQuery, nowMs: number): UsageReport {
    const { since = null, until = null, by } = query;
    const sums = this.#sums(GROUP_SQL[by], query);
    const groups = [...byKey(sums)].map(([key, parts]) => rankedGroup(key, parts));
    groups.sort(by === 'day' ? newestFirst : mostExpensiveFirst);
    const shown = groups.slice(0, MAX_ROWS);
    return {
      as_of: toIso(nowMs),
      since,
      until,
      by,
      totals: figuresOf(sums),
      rows: shown.map(({ key, parts }) => ({ key, ...figuresOf(parts) })),
      more: groups.length > shown.length,
    };
  }

  /** Every source, also those without an entry. */
  totals(): SourceTotals[] {
    const sums = this.#sums('NULL', {});
    return USAGE_SOURCES.map((source) => {
      const found = sums.find((each) => each.source === source);
      const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost = 0 } = found ?? {};
      return { source, input, output, cacheRead, cacheWrite, costMicros: cost ?? 0 };
    });
  }

  /**
   * What a subject, or everything, used from `sinceMs` until before `untilMs`, wall times in
   * milliseconds.
   */
  between(subject: Subject | null, sinceMs: number, untilMs: number): UsageFigures {
    const only = subject === null ? '' : 'AND d.subject_kind = :kind AND d.subject_id = :id';
    const sums = this.#database.raw
      .prepare(
        `SELECT d.source, sum(e.input_tokens) AS input, sum(e.output_tokens) AS output,
           sum(e.cache_read_tokens) AS cacheRead, sum(e.cache_write_tokens) AS cacheWrite,
           sum(e.cost_micros) AS cost, max(e.at_ms) AS latestMs
         FROM usage_entries e JOIN usage_days d ON d.id = e.sums
         WHERE e.at_ms >= :sinceMs AND e.at_ms < :untilMs ${only} GROUP BY d.source`,
      )
      .all({ ...subject, sinceMs, untilMs }) as Sums[];
    return figuresOf(sums);
  }

  /** What a subject used since `sinceMs`, a wall time. */
  since(subject: Subject, sinceMs: number): UsageFigures {
    return this.between(subject, sinceMs, Number.MAX_SAFE_INTEGER);
  }

  /** What each subject cost in each project, where a client reported it. */
  costs(): (Subject & { project: string; costMicros: number })[] {
    return this.#database.raw
      .prepare(
        `SELECT subject_kind AS kind, subject_id AS id, project, sum(cost_micros) AS costMicros
         FROM usage_days WHERE cost_micros IS NOT NULL GROUP BY 1, 2, 3`,
      )
      .all() as (Subject & { project: string; costMicros: number })[];
  }

  /** Of every subject of a kind, by its id. */
  ofKind(kind: Subject['kind']): Map<string, UsageFigures> {
    const groups = byKey(this.#sums('subject_id', { kind }));
    return new Map([...groups].map(([id, parts]) => [id ?? '', figuresOf(parts)]));
  }

  /** By group and source, of the sums that the query selects. */
  #sums(group: string, query: Selection): Sums[] {
    const { since = '', until = '9999', project, person, subject, kind } = query;
    const only = [
      ...(project === undefined ? [] : ['project = :project']),
      ...(person === undefined ? [] : ['person = :person']),
      ...(kind === undefined ? [] : ['subject_kind = :kind']),
      ...(subject === undefined ? [] : [`${GROUP_SQL.subject} = :subject`]),
    ];
    return this.#database.raw
      .prepare(
        `SELECT ${group} AS key, source, sum(input_tokens) AS input, sum(output_tokens) AS output,
           sum(cache_read_tokens) AS cacheRead, sum(cache_write_tokens) AS cacheWrite,
           sum(cost_micros) AS cost, max(latest_ms) AS latestMs
         FROM usage_days WHERE ${['day >= :since', 'day <= :until', ...only].join(' AND ')}
         GROUP BY 1, 2`,
      )
      .all({ since, until, project, person, subject, kind }) as Sums[];
  }
}

function figuresOf(parts: readonly Sums[]): UsageFigures {
  const sum = (of: (each: Sums) => number) => parts.reduce((total, each) => total + of(each), 0);
  const counted = parts.filter(
    ({ input, output, cacheRead, cacheWrite }) => input + output + cacheRead + cacheWrite > 0,
  );
  const priced = parts.filter(({ cost }) => cost !== null);
  return {
    tokens:
      counted.length === 0
        ? null
        : {
            input: sum(({ input }) => input),
            output: sum(({ output }) => output),
            cache_read: sum(({ cacheRead }) => cacheRead),
            cache_write: sum(({ cacheWrite }) => cacheWrite),
            ...witnessOf(counted),
          },
    cost:
      priced.length === 0
        ? null
        : { micro_usd: sum(({ cost }) => cost ?? 0), ...witnessOf(priced) },
  };
}

function witnessOf(parts: readonly Sums[]): { sources: UsageSource[]; latest_at: string } {
  const sources = USAGE_SOURCES.filter((source) => parts.some((each) => each.source === source));
  return { sources, latest_at: toIso(Math.max(...parts.map(({ latestMs }) => latestMs))) };
}

function byKey(sums: readonly Sums[]): Map<string | null, Sums[]> {
  const groups = new Map<string | null, Sums[]>();
  for (const part of sums) {
    const group = groups.get(part.key);
    if (group === undefined) groups.set(part.key, [part]);
    else group.push(part);
  }
  return groups;
}

/** What its row is sorted by: a year has many more groups than rows are shown. */
interface RankedGroup {
  key: string | null;
  parts: readonly Sums[];
  cost: number;
  output: number;
}

function rankedGroup(key: string | null, parts: readonly Sums[]): RankedGroup {
  let cost = 0;
  let output = 0;
  for (const part of parts) {
    cost += part.cost ?? 0;
    output += part.output;
  }
  return { key, parts, cost, output };
}

function newestFirst(one: RankedGroup, other: RankedGroup): number {
  return (other.key ?? '').localeCompare(one.key ?? '');
}

/** Where no cost is known, tokens decide. */
function mostExpensiveFirst(one: RankedGroup, other: RankedGroup): number {
  return (
    other.cost - one.cost ||
    other.output - one.output ||
    (one.key ?? '').localeCompare(other.key ?? '')
  );
}
