/** The words of one message: the daemon's own, and a person's, which come first. */
import type { TurnMessage } from '../../turns/recorded-turn.ts';
import type { Message } from '../machine/task-state.ts';
import { digest } from '../messages/digest.ts';
import { startMessage } from '../messages/start-message.ts';
import { startFacts } from './start-facts.ts';
import type { EffectOptions } from './task-effects.ts';

const GO_ON = 'Please go on with the task from where it was left.';
/** Interactions that a new conversation is told of an old one. */
const TOLD_AGAIN = 40;

/** Takes what is to be said; gives its words. */
export function turnMessage(options: EffectOptions, message: Message): TurnMessage {
  const input = message.inputId === null ? null : options.inputs.get(message.inputId);
  const own = ownWords(options, message);
  const person = input?.text ?? '';
  // A slash at the very beginning is a command of the client, and would swallow what follows.
  const isCommand = person.trimStart().startsWith('/') && own !== '';
  const first = isCommand ? `A person says:\n\n${person}` : person;
  const text = [first, own].filter((words) => words !== '').join('\n\n');
  return { text, images: input?.images ?? [], own, person, author: input?.author ?? null };
}

function ownWords(options: EffectOptions, { kind, text }: Message): string {
  const { interactions, record } = options;
  switch (kind) {
    case 'input':
      return '';
    case 'start':
      return startMessage(startFacts(options));
    case 'digest': {
      const told = digest(interactions.page(record().id, { limit: TOLD_AGAIN }));
      return [startMessage(startFacts(options)), told].filter((words) => words !== '').join('\n\n');
    }
    case 'reply':
    case 'continue':
      return text ?? GO_ON;
  }
}
