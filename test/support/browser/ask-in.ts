/** An agent that asks through an inbox, without a daemon. */
import type { AttentionAnswer } from '../../../shared/schema/attention/attention.ts';
import type { AttentionHome } from '../agents/attention-home.ts';
import { BASH_REQUEST } from '../agents/need-person.ts';

export const ALLOW: AttentionAnswer = { decision: 'allow' };

/** Asks, and records the outcome: 'open' until there is one. */
export function askIn(home: AttentionHome, session = 'web') {
  const leave = new AbortController();
  const asked = { result: 'open' as AttentionAnswer | null | 'open', leave };
  void home.attention.ask(session, BASH_REQUEST, leave.signal).then((result) => {
    asked.result = result;
  });
  return { asked, id: home.open().at(-1)?.id ?? '' };
}

/** Lets every settled promise run its callbacks. */
export const turn = async () => new Promise((resolve) => setImmediate(resolve));

/** The code of the refusal, or 'done'. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
