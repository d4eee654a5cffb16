/** Items of the inbox as lines for a person. The words are an agent's: none reaches the terminal raw. */
import type { AgentRequest, AttentionItem } from '../../../shared/schema/attention.ts';
import {
  nextStep,
  openCommand,
  outcomeText,
  whomText,
} from '../../../shared/words/attention-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { plainText } from '../../../shared/rules/plain-text.ts';
import { REASON_TEXT } from '../../../shared/words/reason-text.ts';
import { quoted } from '../../../shared/rules/quoted.ts';

/** Takes an item and the time; gives what is asked, and the exact commands that answer it. */
export function attentionLines(item: AttentionItem, nowMs: number): string[] {
  const age = formatDuration((nowMs - Date.parse(item.raised_at)) / 1000);
  return [
    `${item.id}  ${whomText(item)}  for ${age}`,
    `  ${REASON_TEXT[item.reason].label}: ${plainText(item.title)}`,
    ...askedLines(item),
    ...nextLines(item).map((line) => `  ${line}`),
  ];
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

function nextLines(item: AttentionItem): string[] {
  const { id, request } = item;
  if (item.cleared_at !== null) return [plainText(outcomeText(item))];
  if (request === null) return [nextStep(item), openCommand(item)];
  const { questions } = request;
  const deny = `loopwatch answer ${id} deny --message 'why not'`;
  if (questions.length === 0) return [`loopwatch answer ${id} allow`, deny];
  const choices = questions.map(({ question, options }) => {
    const label = options[0]?.label ?? 'your answer';
    const flag = options.length === 0 ? '--text' : '--choose';
    return `${flag} ${quoted(questions.length === 1 ? label : `${question}=${label}`)}`;
  });
  return [`loopwatch answer ${id} allow ${choices.join(' ')}`, deny];
}

function indented(text: string): string[] {
  return plainText(text)
    .split('\n')
    .map((line) => `    ${line}`);
}
