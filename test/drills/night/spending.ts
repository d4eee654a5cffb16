/** What the agents of a night spent by their own account, against what was promised. Pure. */
import type { UsageFigures } from '../../../shared/schema/usage/usage.ts';
import type { Spent } from '../../../stand-in/plan/spent-file.ts';
import { KEPT_PERCENT, type NightPlan } from './night-plan.ts';

/** One request of an agent, which is a dispatch: a turn of a task, or a step of a loop. */
export interface Dispatch extends Spent {
  /** Such as `loop:l0`. */
  subject: string;
}

type Tokens = Pick<
  NonNullable<UsageFigures['tokens']>,
  'input' | 'output' | 'cache_read' | 'cache_write'
>;

/** By what worked in that directory: sessions are in directories of their name, tasks in worktrees. */
export function dispatchesOf(spent: readonly Spent[], { loops, tasks }: NightPlan): Dispatch[] {
  const names = new Map([
    ...loops.map(({ name }) => [name, `loop:${name}`] as const),
    ...tasks.map(({ name }) => [name, `task:${name}`] as const),
  ]);
  return spent.map((each) => {
    const subject = names.get(each.cwd.split('/').at(-1) ?? '');
    if (subject === undefined) throw new Error(`who worked in ${each.cwd}?`);
    return { ...each, subject };
  });
}

export function tokensOf(spent: readonly Spent[]): Tokens {
  const sum = (of: (each: Spent) => number) => spent.reduce((total, each) => total + of(each), 0);
  return {
    input: sum((each) => each.input_tokens),
    output: sum((each) => each.output_tokens),
    cache_read: sum((each) => each.cache_read_tokens),
    cache_write: sum((each) => each.cache_creation_tokens),
  };
}

/** Of every subject that spent something. */
export function tokensBySubject(dispatches: readonly Dispatch[]): Record<string, Tokens> {
  const subjects = [...new Set(dispatches.map(({ subject }) => subject))].sort();
  return Object.fromEntries(
    subjects.map((subject) => {
      return [subject, tokensOf(dispatches.filter((each) => each.subject === subject))];
    }),
  );
}

/** Budgets in output tokens that were passed by more than one dispatch, or that did not hold one. */
export function passedBudgets(
  dispatches: readonly Dispatch[],
  { budgets, sharedBudget, loops }: NightPlan,
): string[] {
  const ofOther = loops.filter(({ byOther }) => byOther).map(({ name }) => `loop:${name}`);
  return [...budgets, sharedBudget].flatMap(({ scope, limit }) => {
    const own = dispatches.filter(({ subject }) => {
      if (scope.startsWith('person:')) return ofOther.includes(subject);
      return scope.startsWith('project:') ? subject.startsWith('task:') : subject === scope;
    });
    const used = tokensOf(own).output;
    const largest = Math.max(0, ...own.map(({ output_tokens: output }) => output));
    const late = own.filter((each) => usedBefore(own, each.began_ms) >= limit);
    const said = late.map(({ subject, began_ms: atMs }) => {
      return `${subject} began at ${timeOf(atMs)} though ${scope} was used up`;
    });
    return used <= limit + largest
      ? said
      : [...said, `${scope}: ${used} of ${limit}, one uses ${largest}`];
  });
}

/**
 * Where more was used of the 5-hour window than what is not kept for people and one dispatch, or
 * where work began though the rest was kept.
 */
export function touchedReserve(
  dispatches: readonly Dispatch[],
  { windows: { five_hour: window }, dispatchPercent }: NightPlan,
): string[] {
  const limit = 100 - KEPT_PERCENT;
  const spans = [0, ...window.resets_ms].map((fromMs, n, all) => [fromMs, all[n + 1] ?? Infinity]);
  return spans.flatMap(([fromMs = 0, toMs = 0]) => {
    const own = dispatches.filter(({ at_ms: atMs }) => fromMs <= atMs && atMs < toMs);
    const percent = (tokens: number) => (100 * tokens) / window.capacity;
    const before = fromMs === 0 ? window.used_before : 0;
    const used = percent(before + tokensOf(own).output);
    const late = own
      .filter(
        ({ began_ms: atMs }) => atMs >= fromMs && percent(before + usedBefore(own, atMs)) >= limit,
      )
      .map(
        ({ subject, began_ms: atMs }) =>
          `${subject} began at ${timeOf(atMs)} though the rest was kept`,
      );
    if (used <= limit + dispatchPercent) return late;
    return [...late, `${used.toFixed(1)} % of the window from ${timeOf(fromMs)} on`];
  });
}

function usedBefore(dispatches: readonly Dispatch[], atMs: number): number {
  return tokensOf(dispatches.filter((each) => each.at_ms <= atMs)).output;
}

export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}
