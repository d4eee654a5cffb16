/** The words in which clients say that a usage limit was reached. */
import type { AgentCause } from '../../shared/agent-state.ts';

export interface LimitLine {
  cause: Extract<AgentCause, 'five_hour' | 'weekly' | 'usage'>;
  /** The words for the reset, such as `1:14pm (UTC)`; null where the line has none. */
  untilText: string | null;
}

/**
 * 2.1 says "You've hit your 5-hour limit", 2.0 also "5-hour limit reached", Codex "usage limit". The
 * client's own words begin so; a log line or a search result has the same words further on.
 */
const REACHED =
  /^(?:(?:you(?:['’]ve| have)? )?(?:hit|reached|exceeded) your\b.{0,60}\blimit\b|(?:(?!rate\b)[\w.-]+ ){0,5}limit (?:was |has been )?reached\b|you(?:['’]re| are) (?:now )?out of (?:extra )?usage\b)/i;
/** What the client draws before its words, which then begin with a capital or a number. */
const DRAWN = /^[\s●■⚠⎿]{0,8}(?=[\dA-Z])/;
const RESET = /\b(?:resets?(?: at)?|try again at|will reset at|automatically at) ([^·∙|]{1,60})/i;

/** Takes what the client wrote (not the agent); gives the limit it tells of, or null. */
export function readLimitLine(text: string): LimitLine | null {
  const line = text.slice(0, 400);
  if (!DRAWN.test(line) || !REACHED.test(line.replace(DRAWN, ''))) return null;
  return { cause: limitCause(line), untilText: RESET.exec(line)?.[1]?.trim() ?? null };
}

/** Takes words or the API's name of a limit; gives which limit it is. */
export function limitCause(text: string): LimitLine['cause'] {
  if (/weekly|seven_day|7-day/i.test(text)) return 'weekly';
  return /5-hour|five_hour|session limit/i.test(text) ? 'five_hour' : 'usage';
}
