import { CliError, ExitCode } from './exit-code.ts';

/** Takes what was typed for a number; gives it, or throws a CliError for the usage. */
export function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new CliError(ExitCode.usage, `"${text}" is not a whole number`);
  }
  return Number(text);
}
