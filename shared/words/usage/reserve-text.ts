/** The reserve in words, the same on the page, in the shell and in evidence. */
import { reserveHoursText } from '../../rules/reserve-hours.ts';
import type { EventData } from '../../schema/events/events.ts';
import type { Reserve, ReservePolicy, ReserveWindow } from '../../schema/usage/reserve.ts';
import type { PlanWindowName } from '../../schema/usage/usage.ts';

export const WINDOW_LABEL: Record<PlanWindowName, string> = {
  five_hour: '5-hour window',
  weekly: 'Weekly window',
};

const UNKNOWN: Record<ReservePolicy['unknown'], string> = {
  dispatch: 'work begins while the window is unknown',
  one_by_one: 'work begins one by one while the window is unknown',
  wait: 'work waits while the window is unknown',
};

type WindowFacts = Pick<
  ReserveWindow,
  'window' | 'used_percent' | 'kept_percent' | 'limit_percent'
>;

/** "5-hour window: 62 % used, work begins below 50 % (50 % is kept for people)". */
export function reserveWindowText(facts: WindowFacts): string {
  const { window, used_percent: used, kept_percent: kept, limit_percent: limit } = facts;
  const usedText = used === null ? 'unknown' : `${Math.round(used)} % used`;
  const keptText = kept > 0 ? ` (${kept} % is kept for people)` : '';
  return `${WINDOW_LABEL[window]}: ${usedText}, work begins below ${limit} %${keptText}`;
}

/** One line for each part of a policy. */
export function reservePolicyLines(policy: ReservePolicy): string[] {
  const { line, hours, zone, unknown } = policy;
  return [
    `Nothing new from ${line.five_hour} % of the 5-hour window, ${line.weekly} % of the weekly window`,
    ...hours.map((each) => `Kept for people: ${reserveHoursText(each)} (${zone})`),
    UNKNOWN[unknown].replace(/^w/, 'W'),
  ];
}

/** What holds the next dispatch, or that nothing does. */
export function reserveStateText({ policy, hold }: Pick<Reserve, 'policy' | 'hold'>): string {
  if (policy === null) return 'Nothing is kept for people.';
  return hold === null ? 'Work may begin.' : `Work waits. ${hold.text}.`;
}

export function reserveSetText({ policy }: EventData<'reserve.set'>): string {
  const { five_hour: five, weekly } = policy.line;
  const hours = policy.hours.map(reserveHoursText).join('; ');
  return `Reserve set: nothing new from ${five} % / ${weekly} %${hours === '' ? '' : `, kept: ${hours}`}`;
}
