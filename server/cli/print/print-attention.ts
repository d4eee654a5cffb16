/** Inbox items for a person. Their text is an agent's: none of it reaches the terminal raw. */
import type { AgentRequest, AttentionItem } from '../../../shared/schema/attention/attention.ts';
import {
  failedLoopCommands,
  nextStep,
  openCommand,
  outcomeText,
  whomText,
} from '../../../shared/words/attention-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import { quoted } from '../../../shared/rules/text/quoted.ts';
import { tableLines } from './table.ts';

const MAX_LINE = 200;

const HEAD = ['item', 'subject', 'age', 'reason', 'asks'];

export function attentionTable(items: readonly AttentionItem[], nowMs: number): string[] {
  const cells = (item: AttentionItem) => [
    item.id,
    whomText(item),
    ageOf(item, nowMs),
    reasonText(item.reason).label,
    oneLine(item.title, MAX_LINE),
  ];
  return tableLines(HEAD, items.map(cells));
}

/**
 * What is asked, and the exact commands that answer it. `failed` are the sessions whose loop failed:
 * it can be started again.
 */
export function attentionLines(
  item: AttentionItem,
  nowMs: number,
  failed: ReadonlySet<string> = new Set(),
): string[] {
  return [
    `${item.id}  ${whomText(item)}  for ${ageOf(item, nowMs)}`,
    `  ${reasonText(item.reason).label}: ${plainText(item.title)}`,
    ...askedLines(item),
    ...nextLines(item, failed).map((line) => `  ${line}`),
  ];
}

function ageOf({ raised_at }: AttentionItem, nowMs: number): string {
  return formatDuration((nowMs - Date.parse(raised_at)) / 1000);
}

function askedLines({ detail, request }: AttentionItem): string[] {
  if (request !== null && request.questions.length > 0) return questionLines(request);
  return detail === null ? [] : indented(detail);
}

function questionLines({ questions }: AgentRequest): string[] {
  return questions.flatMap(({ question, multi_select, options }) => [
    ...indented(`${question}${multi_select ? ' (one or more)' : ''}`),
    ...options.flatMap(({ label, description }) => indented(`- ${label}: ${description}`)),
  ]);
}

function nextLines(item: AttentionItem, failed: ReadonlySet<string>): string[] {
  const { id, request, session } = item;
  if (item.cleared_at !== null) return [plainText(outcomeText(item))];
  if (request === null) {
    const again = session !== null && failed.has(session) ? failedLoopCommands(session) : [];
    return [nextStep(item), openCommand(item), ...again];
  }
  const { questions } = request;
  const deny = `loopwatch attention answer ${id} deny --message 'why not'`;
  if (questions.length === 0) return [`loopwatch attention answer ${id} allow`, deny];
  const choices = questions.map(({ question, options }) => {
    const label = options[0]?.label ?? 'your answer';
    const flag = options.length === 0 ? '--text' : '--choose';
    return `${flag} ${quoted(questions.length === 1 ? label : `${question}=${label}`)}`;
  });
  return [`loopwatch attention answer ${id} allow ${choices.join(' ')}`, deny];
}

function indented(text: string): string[] {
  return plainText(text)
    .split('\n')
    .map((line) => `    ${line}`);
}
