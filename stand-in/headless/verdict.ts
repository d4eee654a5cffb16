/** The verdicts of the stand-in: whether work is done, as JSON; the state of a terminal, as one word. Pure. */
import type { Verdicts } from '../scenario.ts';

/** In a question for a verdict: the answer's form, and marks around quoted text. */
const ASKED = ['is_complete', 'confidence', '<data-'];
const GIVEN = /^\s*stand-in: +verdict (.+)$/m;
/** Where a question quotes the agent's last reply. */
const LAST_REPLY = /\b(?:last|latest|final) (?:reply|response|message|answer|output)\b/gi;

/** Which check of a terminal a message asks for; null for none. */
export function terminalCheckOf(message: string): keyof Verdicts | null {
  if (!message.includes('<terminal-')) return null;
  if (message.includes('IDLE or WORKING')) return 'idle';
  return message.includes('PLAN_MODE or NOT_PLAN_MODE') ? 'plan' : null;
}

/** Null when the message does not ask for a verdict. */
export function verdictOn(message: string): string | null {
  if (!ASKED.every((words) => message.includes(words))) return null;
  const given = GIVEN.exec(message)?.[1];
  if (given !== undefined) return given.trim();
  const heading = [...message.matchAll(LAST_REPLY)].at(-1);
  const quoted = message.slice(heading?.index ?? 0).replaceAll('is_complete', '');
  const complete = /\bcompleted?\b/i.test(quoted) && !/\b(?:not|in)[ -]?complete/i.test(quoted);
  return JSON.stringify({
    is_complete: complete,
    reasoning: complete ? 'The last reply says so.' : 'The last reply does not say so.',
    confidence: 0.95,
  });
}
