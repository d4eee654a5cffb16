/** Which questions only a person may answer. */
import type { ClosingQuestion } from './closing-question.ts';
import type { ListItem } from './message-blocks.ts';
import { plainOf, type MaskedText } from './own-text.ts';
import { riskOfLines } from '../deny-list.ts';

export type PersonReason = 'permission' | 'question';

/** Leaves the worktree, or creates an obligation: doubtful words that no headless task answers. */
const OUTWARD =
  /(?<!\p{L})(?:(?:push|merg|send|upload|expos|connect|accept|agree|licen[cs]|migrat|grant|trust|authori[sz]|approv|permission|eval|global)\p{L}*|sent|terms|eula|sign|curl|wget|costs?|prices?|tokens?|pull requests?|prs?|tweet|slack)(?!\p{L})/iu;
/** Only a person can do it. */
const HANDS =
  /\b(?:can|could|would|will) you (?:please |kindly |also |just )?(?!(?:clarify|tell me (?:which|what|how|whether|if)|like|prefer|rather|want|recommend|suggest)\b)[a-z]+|^(?:please )?(?:provide|send|share|paste|give me|enter|log ?in|run)\b|\bI(?:'ll| will)? (?:need|require) (?:your|you to)\b|\b(?:awaiting|waiting for|wait for|need) your\b|\b(?:until|unless) you\b/i;
/** Only a person knows it. */
const FACTS =
  /\b(?:api|access|secret|private|public|ssh|licen[cs]e|encryption|signing|service)[ -]?keys?\b|\b(?:credentials?|passwords?|passphrases?|secrets?|accounts?|user ?names?|logins?|e-?mails?|phone|customers?|tenants?|organi[sz]ations?|company|subscriptions?|workspace id|project id|budgets?|deadlines?|invoices?)\b|\bwhat(?:'s| is| are) (?:the|your)(?: \w+){0,3} (?:urls?|address(?:es)?|hosts?|hostname|domain|ip|port|keys?|ids?|names? of the (?:server|machine|host))\b|^(?:who|whom|whose)\b|\bwhich (?:\w+ ){0,2}(?:person|people|team|region|environment)\b/i;
const ABOUT_YOU =
  /^(?:so,? )?(?:do|did|have|has|are|were|is|was) (?:you|your)\b(?! (?:want|prefer|think|agree|have (?:a|any) preference|ok|okay|happy|fine|comfortable))/i;
const YOURS =
  /^(?:what|which|where|how)\b.*\byour (?!(?:prefer\w*|opinion|thoughts?|choice|project|code\w*|repo\w*|app\w*|task|recommendation)\b)/i;
/** Asks for permission without naming for what. */
const POINTS_BACK =
  /\b(?:proceed|continue|go ahead|go on|carry on|keep going|move on|do (?:it|so|this|that|both)|this|that|these|those|it|them|both|all|plan|approach|confirm|ok|okay|sure|good|next|following|below|above|commands?|scripts?|here)\b/i;

/** Announced without a question: telling the agent to continue would be permission enough. */
const HARM =
  /\b(?:deploy\w*|publish\w*|releas(?:e|ing) (?:it|the|to)|production|force[- ]?push\w*|push(?:ing)? (?:it |this |them )?to|rm -rf|drop(?:ping)? (?:the |all )?(?:\w+ )?(?:tables?|databases?|schema)|delet(?:e|ing) (?:the |all )?(?:\w+ )?(?:tables?|databases?|branch|bucket|account|repository|backups?|users?)|purchas\w*|pay(?:ing)?|passwords?|credentials?|secrets?)\b/i;
const ANNOUNCES =
  /\b(?:I'll|I will|I'm going to|I am going to|I'm about to|about to|let me|next|then|now I)\b/i;

/** Whether a sentence that asks nothing announces something a person should be asked about. */
export function announcesHarm({ text }: MaskedText): boolean {
  return ANNOUNCES.test(text.replaceAll('’', "'")) && HARM.test(text);
}

/**
 * The lists are English: a question without any of these small words is in a language they do not
 * cover.
 */
const ENGLISH =
  /\b(?:the|you|should|shall|which|what|how|where|when|why|would|could|can|may|does|do|are|is|this|that|want|please|okay|ok|ready|proceed|continue|go|keep|sounds?|looks?|confirm|use|it|with)\b|y\/n|yes\/no/i;

/**
 * Why a person must answer the question. `chosen` is what the answer would choose, `message` the
 * whole message. Words that only point back are judged by the whole message.
 */
export function reasonForPerson(
  { asking, sentences, list }: ClosingQuestion,
  chosen: ListItem | null,
  message: string,
): PersonReason | null {
  const asked = asking.map(plainOf);
  const isOpen = asked.some((plain) =>
    /^(?:what|which|who|whom|whose|where|when|how)\b/i.test(plain),
  );
  const wantsFacts = asked.some((plain) => FACTS.test(plain));
  if (wantsFacts && (isOpen || asked.some((plain) => HANDS.test(plain)))) return 'question';
  const items = chosen === null ? (list ?? []) : [chosen];
  const near = [
    ...(sentences.length > 0 ? sentences : asking).map(({ text }) => text),
    ...items.flatMap(({ content, details }) => [content.text, ...details]),
  ];
  const backwards = asked.some((plain) => POINTS_BACK.test(plain));
  const risk = riskOfLines(near) ?? (backwards ? riskOfLines(message.split('\n')) : null);
  const all = risk === 'doubtful' && backwards ? riskOfLines(message.split('\n')) : risk;
  if (all === 'denied' || near.some((text) => OUTWARD.test(text))) return 'permission';
  if (all === 'unreadable' || !asked.some((plain) => ENGLISH.test(plain))) return 'question';
  const needsThem = [HANDS, FACTS, ABOUT_YOU, YOURS];
  return asked.some((plain) => needsThem.some((needs) => needs.test(plain))) ? 'question' : null;
}
