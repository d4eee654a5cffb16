import type { PlanForecast } from '../schema/usage.ts';

/** "12 % an hour: nothing is left at 03:10, or between 02:20 and the reset". `time` writes a time. */
export function forecastText(forecast: PlanForecast, time: (at: string) => string): string {
  const { percent_per_hour: burn, earliest, likely, latest, learned_from: count } = forecast;
  const learned = count === 0 ? ' (no past to learn from yet)' : '';
  const lead = `At ${burn < 1 ? burn.toFixed(1) : Math.round(burn)} % an hour`;
  if (earliest === null) return `${lead} the open work fits until the reset${learned}`;
  const to = latest === null ? 'the reset' : time(latest);
  const at = likely === null ? 'it lasts until the reset' : `nothing is left at ${time(likely)}`;
  const range =
    likely === null
      ? `; it may end from ${time(earliest)} on`
      : `, or between ${time(earliest)} and ${to}`;
  return `${lead} ${at}${range}${learned}`;
}
