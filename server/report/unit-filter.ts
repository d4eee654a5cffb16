/** Which units of work the history lists, and what else could be chosen. Pure. */
import { HISTORY_STATES, type HistoryState } from '../../shared/rules/events/history-state.ts';
import type { UnitHistory, UnitHistoryQuery } from '../../shared/schema/events/history.ts';
import { REPORT_KINDS, type ReportKind } from '../../shared/schema/usage/report.ts';

/** What a unit is filtered by. */
export interface FilterFacts {
  kind: ReportKind;
  state: HistoryState;
  name: string;
  asked: string | null;
  project: string | null;
  root: string | null;
  by: string | null;
}

type Filter = Pick<UnitHistoryQuery, 'kind' | 'state' | 'project' | 'person' | 'text'>;
type Field = keyof Filter;

const MAX_CHOICES = 100;

const TESTS: Record<Field, (facts: FilterFacts, filter: Filter) => boolean> = {
  kind: ({ kind }, filter) => filter.kind?.includes(kind) ?? true,
  state: ({ state }, filter) => filter.state?.includes(state) ?? true,
  project: ({ root, project }, filter) =>
    filter.project === undefined ||
    root === filter.project ||
    `${project ?? ''}/`.startsWith(filter.project.replace(/\/*$/, '/')),
  person: ({ by }, filter) => filter.person === undefined || by === filter.person,
  text: ({ name, asked, project }, filter) =>
    `${name}\n${asked ?? ''}\n${project ?? ''}`
      .toLowerCase()
      .includes((filter.text ?? '').trim().toLowerCase()),
};
const FIELDS = Object.keys(TESTS) as Field[];

/** The fields that it does not match. */
function missed(facts: FilterFacts, filter: Filter): Field[] {
  return FIELDS.filter((field) => !TESTS[field](facts, filter));
}

export class UnitFilter {
  readonly #filter: Filter;
  readonly #kinds = new Map<string, number>();
  readonly #states = new Map<string, number>();
  readonly #projects = new Map<string, number>();
  readonly #people = new Map<string, number>();

  constructor(filter: Filter) {
    this.#filter = filter;
  }

  /** Whether it matches; counts it for the choices. */
  take(facts: FilterFacts): boolean {
    const [first, ...others] = missed(facts, this.#filter);
    if (others.length > 0) return false;
    const count = (field: Field, counts: Map<string, number>, value: string | null) => {
      if (value === null || (first !== undefined && first !== field)) return;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    };
    count('kind', this.#kinds, facts.kind);
    count('state', this.#states, facts.state);
    count('project', this.#projects, facts.root);
    count('person', this.#people, facts.by);
    return first === undefined;
  }

  choices(): UnitHistory['choices'] {
    const known = <Value extends string>(values: readonly Value[], counts: Map<string, number>) =>
      values.map((value) => ({ value, count: counts.get(value) ?? 0 }));
    return {
      kinds: known(REPORT_KINDS, this.#kinds),
      states: known(HISTORY_STATES, this.#states),
      projects: mostCounted(this.#projects),
      people: mostCounted(this.#people),
    };
  }
}

/** The 100 most frequent, by name. */
function mostCounted(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_CHOICES)
    .sort((one, other) => (one.value < other.value ? -1 : 1));
}
