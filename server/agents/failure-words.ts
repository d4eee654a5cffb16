/** What kind of failure an error of the model's API was, by its name, its status or its words. */
import type { AgentCause } from '../../shared/agent-state.ts';

export type ErrorCause = Extract<
  AgentCause,
  | 'rate_limit'
  | 'overloaded'
  | 'server_error'
  | 'authentication'
  | 'billing'
  | 'invalid_request'
  | 'model_not_found'
  | 'prompt_too_long'
  | 'network'
  | 'other_error'
>;

/** In order: the more telling first. Names are those of the hooks, numbers those of HTTP. */
const CAUSES: readonly (readonly [RegExp, ErrorCause])[] = [
  [/prompt is too long|prompt_too_long|context (?:window|limit)/i, 'prompt_too_long'],
  [/credit balance|billing|\b402\b|insufficient (?:funds|credits?)/i, 'billing'],
  [/\/login|api key|x-api-key|authenticat|oauth|\b40[13]\b|not logged in/i, 'authentication'],
  [/model_not_found|selected model|\b404\b/i, 'model_not_found'],
  [/\b529\b|overloaded/i, 'overloaded'],
  [/\b429\b|rate.?limit|too many requests/i, 'rate_limit'],
  [/server_error|\b5\d\d\b|internal server/i, 'server_error'],
  [/invalid_request|\b400\b|\b413\b/i, 'invalid_request'],
  [/connect|network|timed? ?out|ECONN|ENOTFOUND|EAI_AGAIN|socket|fetch failed/i, 'network'],
];

/** Takes the words of an error; gives its kind. */
export function errorCause(text: string): ErrorCause {
  const words = text.slice(0, 600);
  return CAUSES.find(([pattern]) => pattern.test(words))?.[1] ?? 'other_error';
}
