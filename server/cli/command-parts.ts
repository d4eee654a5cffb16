/** Arguments and options that several commands read. */
import { readFileSync } from 'node:fs';
import type { Argument, Command, Option } from 'commander';
import { SessionName } from '../../shared/schema/session-name.ts';
import { SubjectRef } from '../../shared/schema/events/subject.ts';
import { TaskName } from '../../shared/schema/tasks/task-name.ts';
import { messageOf } from '../lib/app-error.ts';
import { CliError, ExitCode } from './exit-code.ts';

/** US dollars. */
const MAX_COST = 100_000;

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

/** The same for a session that may not exist yet. */
export function parseSessionName(text: string): string {
  const parsed = SessionName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw usage(`"${text}" is not a valid session name: ${parsed.error.issues[0]?.message ?? ''}`);
}

/** For example `task:fix-login`. */
export function parseSubject(text: string): string {
  const parsed = SubjectRef.safeParse(text);
  if (parsed.success) return parsed.data;
  throw usage(`"${text}" is not a subject: ${parsed.error.issues[0]?.message ?? ''}`);
}

/** Parts between commas, each checked by `parse`. */
export function listOf(parse: (part: string) => string): (text: string) => string {
  return (text) => text.split(',').map(parse).join(',');
}

/** US dollars. */
export function parseCost(text: string): number {
  const sum = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (sum > 0 && sum <= MAX_COST) return sum;
  throw usage(`"${text}" is not an amount in US dollars up to ${MAX_COST}, e.g. 2.50`);
}

/** Both bounds are allowed. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,12}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw usage(`"${text}" is not a whole number from ${min} to ${max}`);
  };
}

/** Accepts these words only. Help and completion show them. */
export function choices<Input extends Option | Argument>(
  input: Input,
  words: readonly string[],
): Input {
  input.choices(words).argParser((text: string) => oneOf(text, words));
  return input;
}

/** The same for an option that may be repeated. */
export function choicesOf(option: Option, words: readonly string[]): Option {
  const add = (text: string, before: readonly string[]) => collect(oneOf(text, words), before);
  return option.choices(words).argParser(add).default([]);
}

function oneOf(text: string, words: readonly string[]): string {
  if (words.includes(text)) return text;
  throw usage(`"${text}" is not one of ${words.join(', ')}`);
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
