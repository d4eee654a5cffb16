/** What commands share: reading options, and refusing them. */
import { readFileSync } from 'node:fs';
import { TaskName } from '../../shared/schema/tasks/task-name.ts';
import { messageOf } from '../lib/app-error.ts';
import { CliError, ExitCode } from './exit-code.ts';

export interface Json {
  json?: boolean;
}

/** Takes a word and those before it; gives them all. For options that may be given again. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** Takes what is wrong with the words of a command; gives the error that ends it. */
export function usage(message: string): CliError {
  return new CliError(ExitCode.usage, message);
}

/** Takes what was typed for the name of a task; gives it, or throws a CliError for the usage. */
export function parseTaskName(text: string): string {
  const parsed = TaskName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw usage(`"${text}" is not a valid task name: ${parsed.error.issues[0]?.message ?? ''}`);
}

/** Takes a sum of money as it was typed; gives it, or throws a CliError for the usage. */
export function parseCost(text: string): number {
  const sum = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (sum > 0) return sum;
  throw usage(`"${text}" is not an amount in US dollars, e.g. 2.50`);
}

/** Takes a whole number that may be large; gives it, or throws a CliError for the usage. */
export function parseTokens(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) > 0) return Number(text);
  throw usage(`"${text}" is not a whole number above 0`);
}

/**
 * Takes words as they were typed: themselves, `-` for standard input, or `@FILE`. Gives the words
 * without the last newline. Throws a CliError (usage) when they cannot be read.
 */
export function textArgument(given: string): string {
  if (given !== '-' && !given.startsWith('@')) return given;
  const source = given === '-' ? 0 : given.slice(1);
  try {
    return readFileSync(source, 'utf8').replace(/\n$/, '');
  } catch (error) {
    const where = source === 0 ? 'standard input' : `"${source}"`;
    throw usage(`cannot read the text from ${where}: ${messageOf(error)}`);
  }
}

/** Takes what was typed for a number; gives it, or throws a CliError for the usage. */
export function parseCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a whole number`);
}
