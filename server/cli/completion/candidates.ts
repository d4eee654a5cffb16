/** What may follow the words of a command line. Pure: live names are only named by their kind. */
import type { Argument, Command, Option } from 'commander';
import { isHidden } from '../command-parts.ts';
import { DEFAULT_VERB } from '../current-spelling.ts';

export interface Candidate {
  value: string;
  about: string;
}

/** Names that are not known before; they are the arguments' names. */
export const LIVE_KINDS = [
  'session',
  'loop',
  'task',
  'run',
  'item',
  'alert',
  'member',
  'prompt',
  'module',
] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

export interface Completion {
  candidates: Candidate[];
  live: LiveKind | null;
  /** What the shell itself completes. */
  paths: 'files' | 'directories' | null;
}

const NOTHING: Completion = { candidates: [], live: null, paths: null };

/** By the name of an argument or of what an option takes. */
const PATHS: Readonly<Record<string, Completion['paths']>> = {
  dir: 'directories',
  file: 'files',
  argv: 'files',
};

const LOOP_VERBS = ['show', 'stop', 'limits', 'restart'];

/** `words` are those after the program's name; the last is the one being typed, perhaps empty. */
export function complete(program: Command, words: readonly string[]): Completion {
  if (words[0] === 'help' && words.length > 1) return ofHelp(program, words.slice(1));
  const typed = words.at(-1) ?? '';
  let command = program;
  let seen = 0;
  let value: Option | null = null;
  for (const word of words.slice(0, -1)) {
    const child: Command | undefined = command.commands.find((each) => each.name() === word);
    if (value !== null) value = null;
    else if (word.startsWith('-')) value = takingValue((command = spoken(command)), word);
    else if (seen === 0 && child !== undefined) command = child;
    else seen += 1;
  }
  if (value !== null) return starting(typed, ofInput(value));
  const [, long, equals] = /^(--[\w-]+)(=)/.exec(typed) ?? [];
  if (long !== undefined && equals !== undefined) return ofAssigned(spoken(command), long, typed);
  if (typed.startsWith('-')) {
    return starting(typed, { ...NOTHING, candidates: optionsOf(spoken(command)) });
  }
  if (command.commands.length > 0 && seen === 0) return starting(typed, commandsOf(command));
  const { registeredArguments: expected } = command;
  const last = expected.at(-1);
  const argument = expected[seen] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return NOTHING;
  const found = ofInput(argument);
  return starting(typed, isOfLoop(command) ? { ...found, live: 'loop' } : found);
}

/** Its session has a loop now; `why` and `history` also know those of the past. */
function isOfLoop(command: Command): boolean {
  return command.parent?.name() === 'loop' && LOOP_VERBS.includes(command.name());
}

/** A noun with an option and no verb means its usual verb. */
function spoken(command: Command): Command {
  const verb = DEFAULT_VERB[command.name()];
  return command.commands.find((each) => each.name() === verb) ?? command;
}

function ofHelp(program: Command, words: readonly string[]): Completion {
  let command: Command | undefined = program;
  for (const word of words.slice(0, -1)) {
    command = command?.commands.find((each) => each.name() === word);
  }
  return command === undefined ? NOTHING : starting(words.at(-1) ?? '', commandsOf(command));
}

function commandsOf({ commands }: Command): Completion {
  const shown = commands.filter((each) => !isHidden(each));
  const candidates = shown.map((each) => ({ value: each.name(), about: each.description() }));
  return { ...NOTHING, candidates };
}

function starting(typed: string, { candidates, ...rest }: Completion): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), ...rest };
}

function takingValue(command: Command, word: string): Option | null {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option !== undefined && (option.required || option.optional) ? option : null;
}

function ofInput(input: Option | Argument): Completion {
  const choices = input.argChoices ?? [];
  // `--session <name>` and `--rule <alert>` both name what they take.
  const names = 'long' in input ? (input.flags.match(/[a-z]+/g) ?? []) : [input.name()];
  return {
    candidates: choices.map((value) => ({ value, about: '' })),
    live: LIVE_KINDS.find((kind) => names.includes(kind)) ?? null,
    paths: names.map((name) => PATHS[name] ?? null).find((paths) => paths !== null) ?? null,
  };
}

/** `--state=dead` in one word. */
function ofAssigned(command: Command, long: string, typed: string): Completion {
  const option = takingValue(command, long);
  if (option === null) return NOTHING;
  const candidates = ofInput(option).candidates.map(({ value, about }) => {
    return { value: `${long}=${value}`, about };
  });
  return starting(typed, { ...NOTHING, candidates });
}

function optionsOf({ options }: Command): Candidate[] {
  return options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
}
