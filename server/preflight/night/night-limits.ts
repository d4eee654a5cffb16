/** Whether the windows of the plan and the budgets last through the night. Pure. */
import type { Budget } from '../../../shared/schema/usage/budget.ts';
import type { NightCheck } from '../../../shared/schema/usage/night.ts';
import type { PlanWindow } from '../../../shared/schema/usage/usage.ts';
import type { Forecast } from './pace.ts';

const HOUR_MS = 3_600_000;
const WINDOWS = {
  five_hour: { label: '5-hour window', lengthMs: 5 * HOUR_MS },
  weekly: { label: 'weekly window', lengthMs: 7 * 24 * HOUR_MS },
} as const;
/** A budget this far used has little left for a night. */
const NEARLY = 0.9;

export interface Span {
  nowMs: number;
  untilMs: number;
  forecast: Forecast;
}

/** As used when it was last read: work since then is not in it. */
export function windowCheck(
  name: keyof typeof WINDOWS,
  window: PlanWindow | null,
  { nowMs, untilMs, forecast }: Span,
): NightCheck {
  const { label, lengthMs } = WINDOWS[name];
  const resetsAtMs = window === null ? 0 : Date.parse(window.resets_at);
  if (window === null || resetsAtMs <= nowMs) {
    const detail = `The ${label} is unknown: no client has reported it since its reset.`;
    const fix = 'Let an agent with a subscription work in a session that Loopwatch started.';
    return { name, state: 'unknown', detail, fix, at: null };
  }
  const sinceMs = resetsAtMs - lengthMs;
  const used = window.used_percent / 100;
  const readMs = Date.parse(window.read_at);
  const fullMs = forecast({ used, sinceMs, resetsAtMs }, Math.min(readMs, nowMs));
  const share = `${Math.round(window.used_percent)} % of the ${label} used`;
  if (fullMs === null || fullMs >= untilMs) {
    const detail = `${share}; at this pace it lasts until its reset or the morning.`;
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const detail = `${share}; at this pace it is used up before its reset. Work then waits for the reset.`;
  const fix = 'Start less work, or begin after the reset.';
  return { name, state: 'problem', detail, fix, at: iso(Math.max(fullMs, nowMs)) };
}

export function budgetsCheck(budgets: readonly Budget[], span: Span): NightCheck {
  const name = 'budgets' as const;
  if (budgets.length === 0) {
    return { name, state: 'ok', detail: 'No budgets are set.', fix: null, at: null };
  }
  const short = budgets.flatMap((budget) => {
    const endMs = endOf(budget, span);
    return endMs === null ? [] : [{ budget, endMs }];
  });
  short.sort((one, other) => one.endMs - other.endMs);
  const [first] = short;
  if (first === undefined) {
    const detail = `${budgets.length} of ${budgets.length} budgets last through the night.`;
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const { id, scope, measure, used, limit } = first.budget;
  const amount = `${round(used)} of ${round(limit)}`;
  return {
    name,
    state: 'problem',
    detail: `The ${measure} budget of ${scope} will probably be used up: ${amount} used. Work under it then waits for a person.`,
    fix: `loopwatch budget raise ${id}`,
    at: iso(first.endMs),
  };
}

/** Only a budget of the day has a known beginning; the others are judged by what is left. */
function endOf({ scope, used, limit }: Budget, { nowMs, untilMs, forecast }: Span): number | null {
  const share = used / limit;
  if (scope !== 'day') return share >= NEARLY ? nowMs : null;
  const sinceMs = new Date(nowMs).setUTCHours(0, 0, 0, 0);
  const endMs = forecast({ used: share, sinceMs, resetsAtMs: sinceMs + 24 * HOUR_MS }, nowMs);
  return endMs === null || endMs >= untilMs ? null : endMs;
}

function round(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
