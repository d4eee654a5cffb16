import type { PlanForecast } from '../../schema/usage/usage.ts';

/**
 * "12 % an hour: nothing is left at 03:10, or between 02:20 and the reset", and what the open tasks
 * take. `time` writes a time.
 */
export function forecastText(forecast: PlanForecast, time: (at: string) => string): string {
  const { percent_per_hour: burn, earliest, likely, latest, learned_from: count } = forecast;
  const learned = count === 0 ? ' (no past to learn from yet)' : '';
  const lead = `At ${percent(burn)} an hour`;
  const tasks = tasksText(forecast);
  if (earliest === null) return `${lead} the open work fits until the reset${learned}${tasks}`;
  const to = latest === null ? 'the reset' : time(latest);
  const at = likely === null ? 'it lasts until the reset' : `nothing is left at ${time(likely)}`;
  const range =
    likely === null
      ? `; it may end from ${time(earliest)} on`
      : `, or between ${time(earliest)} and ${to}`;
  return `${lead} ${at}${range}${learned}${tasks}`;
}

const FITS = { yes: 'fits', maybe: 'may fit', no: 'does not fit' } as const;

function tasksText({ open_tasks: tasks, fits }: PlanForecast): string {
  if (tasks === null || tasks.count === 0) return '';
  const { count, least, likely, most, learned_from: learned } = tasks;
  const who = count === 1 ? '1 open task' : `${count} open tasks`;
  return `. ${who}: about ${percent(likely)} more (${percent(least)} to ${percent(most)}, from ${learned} completed); all open work ${FITS[fits]}`;
}

function percent(value: number): string {
  return `${value < 1 ? value.toFixed(1) : Math.round(value)} %`;
}
