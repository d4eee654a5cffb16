import type { AttentionItem } from '../../shared/schema/attention.ts';
import { openCommand } from '../../shared/words/attention-text.ts';
import { AppError } from '../lib/app-error.ts';

/** `not_answerable`, with the command that leads to the item. */
export function notAnswerable(item: AttentionItem): AppError {
  const place =
    item.task === null
      ? 'this can only be answered in the terminal; open it with'
      : 'this item does not take an answer; check the task with';
  return new AppError('not_answerable', `${place}: ${openCommand(item)}`);
}

/** `attention_cleared`, with how the item ended and by whom. */
export function alreadyCleared({ outcome, by }: AttentionItem): AppError {
  const who = by === null ? '' : ` by ${by}`;
  const message = `this item is already cleared: ${outcome ?? 'cleared'}${who}`;
  return new AppError('attention_cleared', message, { outcome, by });
}
