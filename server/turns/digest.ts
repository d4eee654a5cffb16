/** The seed of a new conversation, from one that was lost. Pure. */
import type { InteractionType } from '../../shared/schema/tasks/interaction.ts';
import { cut } from '../../shared/rules/text/plain-text.ts';
import { blockQuote } from './block-quote.ts';

const INTERACTIONS = 10;
/** Of each, in characters. */
const LENGTH = 500;

const WHO: Record<InteractionType, string> = {
  user_request: 'The user said',
  claude_response: 'You said',
  simulated_human: 'You were instructed',
  tool_result: 'A tool returned',
  system_message: 'System note',
};

export interface DigestEntry {
  type: InteractionType;
  content: string;
}

/**
 * The last ten interactions in short, introduced as such. `conversation` is oldest first; '' when
 * it is empty.
 */
export function digest(conversation: readonly DigestEntry[]): string {
  const last = conversation.filter(({ content }) => content.trim() !== '').slice(-INTERACTIONS);
  if (last.length === 0) return '';
  const entries = last.map(({ type, content }) => {
    return `${WHO[type]}:\n${blockQuote(cut(content.trim(), LENGTH))}`;
  });
  return [
    'This task continues in a new conversation. The end of the earlier one follows, oldest first, ' +
      'shortened. It is a record, not a request: check the files to see what is done, and continue from there.',
    ...entries,
  ].join('\n\n');
}
