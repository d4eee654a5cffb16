/** Arguments and options that several commands read. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { TaskName } from '../../shared/schema/tasks/task-name.ts';
import { messageOf } from '../lib/app-error.ts';
import { CliError, ExitCode } from './exit-code.ts';

export interface Json {
  json?: boolean;
}

/** Hidden commands are for programs; help, docs and completion leave them out. */
export function isHidden(command: Command): boolean {
  return (command as { _hidden?: boolean })._hidden === true;
}

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** The error for a wrong command line. */
export function usage(message: string): CliError {
  return new CliError(ExitCode.usage, message);
}

/** Throws a CliError (usage), as all parsers here. */
export function parseTaskName(text: string): string {
  const parsed = TaskName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw usage(`"${text}" is not a valid task name: ${parsed.error.issues[0]?.message ?? ''}`);
}

/** US dollars. */
export function parseCost(text: string): number {
  const sum = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (sum > 0) return sum;
  throw usage(`"${text}" is not an amount in US dollars, e.g. 2.50`);
}

export function parseTokens(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) > 0) return Number(text);
  throw usage(`"${text}" is not a whole number above 0`);
}

/**
 * The text itself, `-` for standard input, or `@FILE`; without the last newline. Throws a CliError
 * (usage) when it cannot be read.
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

export function parseCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a whole number`);
}
