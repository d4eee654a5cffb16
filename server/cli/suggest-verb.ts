/** What was meant by a word that names no command: spelt alike, or a verb of other programs. */
import type { Command } from 'commander';
import { isHidden } from './command-parts.ts';

/** The first of a group that a noun has is what was meant. */
const ALIKE: readonly (readonly string[])[] = [
  ['delete', 'remove', 'close', 'stop', 'rm', 'del', 'destroy', 'drop'],
  ['stop', 'close', 'interrupt', 'kill', 'end', 'quit', 'cancel'],
  ['ls', 'list'],
  ['show', 'screen', 'get', 'view', 'info', 'describe', 'status'],
  ['create', 'add', 'open', 'start', 'invite', 'new', 'make', 'run'],
  ['log', 'logs', 'history'],
  ['say', 'input', 'answer', 'send', 'type', 'message', 'reply'],
];

/** For a noun: an unknown verb is answered with the one that was meant, and with all verbs. */
export function suggestVerb(noun: Command): void {
  const verbs = noun.commands.filter((each) => !isHidden(each)).map((each) => each.name());
  noun.showHelpAfterError(
    `${noun.name()} has: ${verbs.join(', ')}\nsee the help: loopwatch ${noun.name()} --help`,
  );
  noun.on('command:*', ([word = '']: string[]) => {
    const alike = ALIKE.filter((group) => group.includes(word)).flat();
    const meant = alike.find((verb) => verbs.includes(verb));
    // Its own answer suggests what is spelt alike.
    if (meant === undefined) return (noun as Command & { unknownCommand(): void }).unknownCommand();
    const message = `error: unknown command '${word}'\n(Did you mean ${meant}?)`;
    noun.error(message, { code: 'commander.unknownCommand' });
  });
}

/** The words up to the first that should name a command and names none; null when each does. */
export function upToUnknown(program: Command, words: readonly string[]): string[] | null {
  let command = program;
  for (const [place, word] of words.entries()) {
    // Options, or the arguments of a command.
    if (word.startsWith('-') || command.commands.length === 0) return null;
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) return words.slice(0, place + 1);
    command = child;
  }
  return null;
}
