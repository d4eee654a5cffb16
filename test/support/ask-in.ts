/** An agent that asks in an inbox without a daemon. */
import type { AttentionAnswer } from '../../shared/schema/attention.ts';
import type { AttentionHome } from './attention-home.ts';
import { BASH_REQUEST } from './need-person.ts';

export const ALLOW: AttentionAnswer = { decision: 'allow' };

/** Asks, and keeps what came of it: 'open' until then. */
export function askIn(home: AttentionHome, session = 'web') {
  const leave = new AbortController();
  const asked = { result: 'open' as AttentionAnswer | null | 'open', leave };
  void home.attention.ask(session, BASH_REQUEST, leave.signal).then((result) => {
    asked.result = result;
  });
  return { asked, id: home.open().at(-1)?.id ?? '' };
}

/** Lets every promise that is settled be heard. */
export const turn = async () => new Promise((resolve) => setImmediate(resolve));

/** Takes what may be refused; gives the code of the refusal, or 'done'. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
