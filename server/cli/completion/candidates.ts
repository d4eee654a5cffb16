/** What may follow the words of a command line. Pure: live names are only named by their kind. */
import type { Argument, Command, Option } from 'commander';
import { isHidden } from '../command-parts.ts';

export interface Candidate {
  value: string;
  about: string;
}

/** Names that only the daemon knows; they are the arguments' names. */
export const LIVE_KINDS = ['session', 'task', 'item', 'alert', 'member', 'prompt'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

export interface Completion {
  candidates: Candidate[];
  live: LiveKind | null;
}

const NOTHING: Completion = { candidates: [], live: null };

/** `words` are those after the program's name; the last is the one being typed, perhaps empty. */
export function complete(program: Command, words: readonly string[]): Completion {
  const typed = words.at(-1) ?? '';
  let command = program;
  let seen = 0;
  let value: Option | null = null;
  for (const word of words.slice(0, -1)) {
    const child: Command | undefined = command.commands.find((each) => each.name() === word);
    if (value !== null) value = null;
    else if (word.startsWith('-')) value = takingValue(command, word);
    else if (seen === 0 && child !== undefined) command = child;
    else seen += 1;
  }
  if (value !== null) return starting(typed, ofInput(value));
  if (typed.startsWith('-')) return starting(typed, { ...NOTHING, candidates: optionsOf(command) });
  const children = command.commands.filter((each) => !isHidden(each));
  if (children.length > 0 && seen === 0) {
    const candidates = children.map((each) => ({ value: each.name(), about: each.description() }));
    return starting(typed, { candidates, live: null });
  }
  const argument = command.registeredArguments[seen];
  return argument === undefined ? NOTHING : starting(typed, ofInput(argument));
}

function starting(typed: string, { candidates, live }: Completion): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), live };
}

function takingValue(command: Command, word: string): Option | null {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option !== undefined && (option.required || option.optional) ? option : null;
}

function ofInput(input: Option | Argument): Completion {
  const choices = input.argChoices ?? [];
  const name = 'long' in input ? (input.long ?? '').replace(/^--/, '') : input.name();
  return {
    candidates: choices.map((value) => ({ value, about: '' })),
    live: LIVE_KINDS.find((kind) => kind === name) ?? null,
  };
}

function optionsOf({ options }: Command): Candidate[] {
  return options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
}
