import { CliError, ExitCode } from './exit-code.ts';

/**
 * Takes what a person calls a moment: a time in ISO 8601, a time of the clock (the last such one), or
 * the number of a picture; gives it as the API takes it. Throws a CliError.
 */
export function pastMoment(given: string, now = new Date()): string {
  if (/^\d{1,15}$/.test(given)) return given;
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(given);
  const moment = clock === null ? new Date(given) : new Date(now);
  if (clock !== null) {
    const [, hours, minutes, seconds = '59'] = clock;
    moment.setHours(Number(hours), Number(minutes), Number(seconds), 999);
    // A minute that is not over yet is this one, any other one ahead was yesterday.
    if (moment.getTime() - now.getTime() >= 60_000) moment.setDate(moment.getDate() - 1);
  }
  if (Number.isNaN(moment.getTime())) {
    throw new CliError(
      ExitCode.usage,
      `--at ${given} is no time: use 14:02, or 2026-11-21T14:02:11Z`,
    );
  }
  return moment.toISOString();
}
