/** How a model's answer is read: strictly, because a verdict may lead to a key. */
import type { RespawnCheck } from '../../../shared/rules/respawn/respawn-names.ts';

export type CheckVerdict = 'IDLE' | 'WORKING' | 'PLAN_MODE' | 'NOT_PLAN_MODE';

const MAX_REASONING = 500;

/** The whole first word, plain or bold; what follows is the reason. */
const FIRST_WORD = {
  idle: /^(?:(IDLE|WORKING)|\*\*(IDLE|WORKING)[:.]?\*\*)(?=$|[\s:;,.!–—])/i,
  plan: /^(?:(PLAN_MODE|NOT_PLAN_MODE)|\*\*(PLAN_MODE|NOT_PLAN_MODE)[:.]?\*\*)(?=$|[\s:;,.!–—])/i,
} as const;
/** Two verdicts are none. */
const UNDECIDED = /^[\s:;,.!–—]*(?:or|and|vs)\b/i;

/** Null when it is no verdict, or in any doubt. */
export function readVerdict(
  check: RespawnCheck,
  answer: string,
): { verdict: CheckVerdict; reasoning: string } | null {
  const text = answer.trimStart();
  const [whole, plain, bold] = FIRST_WORD[check].exec(text) ?? [];
  const word = plain ?? bold;
  if (whole === undefined || word === undefined) return null;
  const rest = text.slice(whole.length);
  if (UNDECIDED.test(rest)) return null;
  const reasoning = rest.replace(/^[\s:;,.!–—-]+/, '').trim();
  return {
    verdict: word.toUpperCase() as CheckVerdict,
    reasoning: reasoning.slice(0, MAX_REASONING),
  };
}
