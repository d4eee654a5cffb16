/** What the night needs, from facts that the daemon collected. Pure. */
import type { Budget } from '../../../shared/schema/usage/budget.ts';
import type { PreflightCheck } from '../../../shared/schema/model.ts';
import type { Night, NightCheck } from '../../../shared/schema/usage/night.ts';
import type { UsageNow } from '../../../shared/schema/usage/usage.ts';
import { quoted } from '../../../shared/rules/text/quoted.ts';
import { budgetsCheck, windowCheck } from './night-limits.ts';
import type { Forecast } from './pace.ts';
import type { Awake } from './stay-awake.ts';

const DAY_MS = 24 * 3_600_000;
const MORNING_HOUR = 7;
/** Older proof says little about tonight. */
const PROVEN_FOR_MS = DAY_MS;

export interface NightFacts {
  nowMs: number;
  untilMs: number;
  forecast: Forecast;
  machine: readonly PreflightCheck[];
  login: NightCheck;
  windows: Pick<UsageNow, 'five_hour' | 'weekly'>;
  budgets: readonly Budget[];
  /** Enabled rules, and when each last delivered an event or a test. */
  alerts: readonly { name: string; provenAtMs: number | null }[];
  awake: Awake;
  /** Work that has ended with files in no commit; null where they could not be read. */
  uncommitted: readonly string[] | null;
  timeZone: string;
  /** Of quiet hours of alerts. */
  alertZones: readonly string[];
}

export function judgeNight(facts: NightFacts): Night {
  const { nowMs, untilMs, machine, login, windows, budgets, forecast } = facts;
  const span = { nowMs, untilMs, forecast };
  const checks: NightCheck[] = [
    ...machine.map(fromMachine),
    login,
    windowCheck('five_hour', windows.five_hour, span),
    windowCheck('weekly', windows.weekly, span),
    budgetsCheck(budgets, span),
    alertsCheck(facts),
    awakeCheck(facts.awake),
    worktreesCheck(facts.uncommitted),
    zoneCheck(facts),
  ];
  const times = checks.flatMap(({ at }) => at ?? []).sort();
  return {
    as_of: iso(nowMs),
    until: iso(untilMs),
    ready: checks.every(({ state }) => state !== 'problem'),
    problem_at: times[0] ?? null,
    checks,
  };
}

/** The next 07:00 of the host. */
export function nextMorning(nowMs: number): number {
  const today = new Date(nowMs);
  const morning = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, MORNING_HOUR).getTime();
  return morning(0) > nowMs ? morning(0) : morning(1);
}

function fromMachine({ name, ok, detail, fix }: PreflightCheck): NightCheck {
  return { name, state: ok ? 'ok' : 'problem', detail, fix, at: null };
}

function alertsCheck({ alerts, nowMs }: NightFacts): NightCheck {
  const name = 'alerts' as const;
  if (alerts.length === 0) {
    const detail = 'No alert is on: what happens in the night reaches no one.';
    const fix = 'loopwatch alert add night --type attention.raised --webhook URL';
    return { name, state: 'problem', detail, fix, at: null };
  }
  const isProven = ({ provenAtMs }: (typeof alerts)[number]) =>
    provenAtMs !== null && nowMs - provenAtMs <= PROVEN_FOR_MS;
  const unproven = alerts.filter((each) => !isProven(each)).map((each) => each.name);
  if (unproven.length < alerts.length) {
    const proven = alerts.filter(isProven).map((each) => each.name);
    const detail = `Delivered within a day: ${proven.join(', ')}.`;
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const detail = `No alert delivered anything within a day: ${unproven.join(', ')}.`;
  return {
    name,
    state: 'problem',
    detail,
    fix: `loopwatch alert test ${quoted(unproven[0] ?? '')}`,
    at: null,
  };
}

function awakeCheck({ state, detail }: Awake): NightCheck {
  const name = 'awake' as const;
  const ok = (text: string): NightCheck => ({
    name,
    state: 'ok',
    detail: text,
    fix: null,
    at: null,
  });
  if (state === 'held') return ok(`${detail} keeps this machine awake while work is open.`);
  if (state === 'idle') return ok('No work is open; with work this machine is kept awake.');
  const why = state === 'off' ? 'LOOPWATCH_STAY_AWAKE is off' : detail;
  return {
    name,
    state: 'unknown',
    detail: `Loopwatch does not keep this machine awake: ${why}.`,
    fix: 'Turn off sleep in the settings of the system, or use a machine that does not sleep.',
    at: null,
  };
}

function worktreesCheck(uncommitted: readonly string[] | null): NightCheck {
  const name = 'worktrees' as const;
  if (uncommitted === null) {
    const detail = 'The worktrees could not be read.';
    return { name, state: 'unknown', detail, fix: null, at: null };
  }
  if (uncommitted.length === 0) {
    const detail = 'No work that has ended has uncommitted files.';
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const detail = `Work that has ended has uncommitted files: ${uncommitted.join(', ')}.`;
  const fix = 'Commit, merge or delete it, so that the morning shows only the work of this night.';
  return { name, state: 'problem', detail, fix, at: null };
}

function zoneCheck({ timeZone, alertZones }: NightFacts): NightCheck {
  const name = 'time_zone' as const;
  const others = [...new Set(alertZones)].filter((zone) => zone !== timeZone);
  if (others.length === 0) {
    const detail = `This machine is in ${timeZone}. Budgets of the day end at midnight UTC.`;
    return { name, state: 'ok', detail, fix: null, at: null };
  }
  const detail = `This machine is in ${timeZone}; quiet hours of alerts are in ${others.join(', ')}.`;
  const fix = 'Check that the quiet hours are those of the people who are to be woken.';
  return { name, state: 'unknown', detail, fix, at: null };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
