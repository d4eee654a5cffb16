import type { AgentRequest } from '../../shared/schema/attention.ts';
import { cut, oneLine, plainText } from '../../shared/rules/plain-text.ts';
import type { Need } from './attention-for.ts';

const MAX_TITLE = 200;
/** Enough for a person to judge; the whole input is in the request while it can be answered. */
const MAX_DETAIL = 4_000;

/** In the agent's own words. */
export function requestNeed(request: AgentRequest): Need {
  const { tool, questions } = request;
  const [first] = questions;
  if (first !== undefined) {
    const detail = questions.map(({ question }) => question).join('\n');
    return { reason: 'question', title: oneLine(first.question, MAX_TITLE), detail: lines(detail) };
  }
  const subject = Object.values(request.input).find((value) => typeof value === 'string');
  const title = oneLine(`${tool}${subject === undefined ? '' : `: ${subject}`}`, MAX_TITLE);
  const detail = Object.entries(request.input).map(([key, value]) => `${key}: ${written(value)}`);
  return {
    reason: 'permission',
    title,
    detail: detail.length === 0 ? null : lines(detail.join('\n')),
  };
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function lines(text: string): string {
  return cut(plainText(text.slice(0, MAX_DETAIL + 1)), MAX_DETAIL);
}
