/** How clients phrase that a usage limit was reached or that the model's API failed. */
import type { AgentCause } from '../../shared/schema/agents/agent-state.ts';

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

export interface LimitLine {
  cause: Extract<AgentCause, 'five_hour' | 'weekly' | 'usage'>;
  /** The text of the reset time, such as `1:14pm (UTC)`; null where the line has none. */
  untilText: string | null;
}

/** In order: the more specific first. Names are those of the hooks, numbers those of HTTP. */
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

/**
 * 2.1 prints "You've hit your 5-hour limit", 2.0 also "5-hour limit reached", Codex "usage limit".
 * The client's own lines start like that; a log line or a search result has the same text further
 * on.
 */
const REACHED =
  /^(?:(?:you(?:['’]ve| have)? )?(?:hit|reached|exceeded) your\b.{0,60}\blimit\b|(?:(?!rate\b)[\w.-]+ ){0,5}limit (?:was |has been )?reached\b|you(?:['’]re| are) (?:now )?out of (?:extra )?usage\b)/i;
/** What the client draws before its text, which then starts with a capital or a number. */
const DRAWN = /^[\s●■⚠⎿]{0,8}(?=[\dA-Z])/;
const RESET = /\b(?:resets?(?: at)?|try again at|will reset at|automatically at) ([^·∙|]{1,60})/i;

/** From the text, name or status of an API error. */
export function errorCause(text: string): ErrorCause {
  const start = text.slice(0, 600);
  return CAUSES.find(([pattern]) => pattern.test(start))?.[1] ?? 'other_error';
}

/** The limit named in a line of the client (not of the agent), or null. */
export function readLimitLine(text: string): LimitLine | null {
  const line = text.slice(0, 400);
  if (!DRAWN.test(line) || !REACHED.test(line.replace(DRAWN, ''))) return null;
  return { cause: limitCause(line), untilText: RESET.exec(line)?.[1]?.trim() ?? null };
}

/** From the client's text or the API's name of a limit. */
export function limitCause(text: string): LimitLine['cause'] {
  if (/weekly|seven_day|7-day/i.test(text)) return 'weekly';
  return /5-hour|five_hour|session limit/i.test(text) ? 'five_hour' : 'usage';
}
