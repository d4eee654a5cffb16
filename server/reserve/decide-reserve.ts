/** Whether work may be dispatched next to what is kept of the plan's windows for people. Pure. */
import type { ReservePolicy } from '../../shared/schema/usage/reserve.ts';
import type { PlanWindowName } from '../../shared/schema/usage/usage.ts';
import type { LocalHour } from './local-hour.ts';

/** One window at this moment; all times are wall time in milliseconds. */
export interface WindowNow {
  name: PlanWindowName;
  /** Of the newest reading since the last reset; null without one. Never less is used. */
  usedPercent: number | null;
  readAtMs: number;
  resetsAtMs: number;
  /** Dispatches that the reading does not include in full: at work now, or ended since. */
  notIncluded: number;
}

export type WindowState = 'open' | 'shared' | 'spent' | 'unknown';

/**
 * `spent`: the line is reached. `shared`: something is left, but dispatches that the reading does
 * not include may use it.
 */
export interface ReserveDecision {
  kind: 'spent' | 'shared';
  /** Those that hold it. */
  windows: WindowNow[];
}

type PolicyNow = Pick<ReservePolicy, 'line' | 'hours' | 'stale_minutes' | 'dispatch_percent'>;

/** The share that is kept for people in that hour. */
export function keptPercent(
  { hours }: Pick<ReservePolicy, 'hours'>,
  name: PlanWindowName,
  at: LocalHour,
) {
  const now = hours.filter(
    ({ days, from, to }) => days.includes(at.day) && from <= at.hour && at.hour < to,
  );
  return Math.max(0, ...now.map((each) => each[name]));
}

/** Above this share of the window nothing is dispatched in that hour. */
export function limitPercent(
  policy: Pick<ReservePolicy, 'hours' | 'line'>,
  name: PlanWindowName,
  at: LocalHour,
): number {
  return Math.min(policy.line[name], 100 - keptPercent(policy, name, at));
}

export function windowState(
  policy: PolicyNow,
  window: WindowNow,
  at: LocalHour,
  nowMs: number,
): WindowState {
  const { name, usedPercent, readAtMs, notIncluded } = window;
  const limit = limitPercent(policy, name, at);
  // Without a limit no figure matters.
  if (limit >= 100) return 'open';
  if (usedPercent === null) return 'unknown';
  // What was used is not given back before the reset, however old the reading is.
  if (usedPercent >= limit) return 'spent';
  if (nowMs - readAtMs > policy.stale_minutes * 60_000) return 'unknown';
  const expected = notIncluded * policy.dispatch_percent[name];
  return notIncluded > 0 && usedPercent + expected >= limit ? 'shared' : 'open';
}

/** Null: it may begin. `others`: dispatches at work. What is spent is named before what is shared. */
export function decideReserve(
  policy: ReservePolicy,
  windows: readonly WindowNow[],
  at: LocalHour,
  { nowMs, others }: { nowMs: number; others: number },
): ReserveDecision | null {
  const kindOf = (state: WindowState): ReserveDecision['kind'] | null => {
    if (state === 'spent' || state === 'shared') return state;
    if (state === 'open' || policy.unknown === 'dispatch') return null;
    if (policy.unknown === 'wait') return 'spent';
    return others > 0 ? 'shared' : null;
  };
  const of = (kind: ReserveDecision['kind']) =>
    windows.filter((window) => kindOf(windowState(policy, window, at, nowMs)) === kind);
  const spent = of('spent');
  if (spent.length > 0) return { kind: 'spent', windows: spent };
  const shared = of('shared');
  return shared.length === 0 ? null : { kind: 'shared', windows: shared };
}

const QUARTER_MS = 15 * 60_000;

/**
 * Wall time in milliseconds at which a spent window lets work begin again: when less is kept, or at
 * its reset; null when that is not known.
 */
export function heldUntilMs(
  policy: Pick<ReservePolicy, 'hours' | 'line'>,
  { name, usedPercent, resetsAtMs }: WindowNow,
  nowMs: number,
  hourAt: (atMs: number) => LocalHour,
): number | null {
  // No zone is off by a part of a quarter of an hour, so every full hour is found.
  let atMs = Math.floor(nowMs / QUARTER_MS + 1) * QUARTER_MS;
  for (; atMs < resetsAtMs; atMs += QUARTER_MS) {
    if ((usedPercent ?? 100) < limitPercent(policy, name, hourAt(atMs))) return atMs;
  }
  return usedPercent === null ? null : resetsAtMs;
}
