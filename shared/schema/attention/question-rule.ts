/** What happens to a question that no person answers, for everything, a project or one work. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';

/** A session's scope includes its loop. */
const QUESTION_SCOPES = ['all', 'project', 'task', 'run', 'session'] as const;

export const QUESTION_KINDS = ['question', 'permission'] as const;
const QuestionKind = z.enum(QUESTION_KINDS);
export type QuestionKind = z.infer<typeof QuestionKind>;

export const QUESTION_ACTIONS = ['wait', 'answer', 'park', 'escalate'] as const;
const QuestionAction = z.enum(QUESTION_ACTIONS);
export type QuestionAction = z.infer<typeof QuestionAction>;

const SCOPE = new RegExp(`^(?:all|(?:${QUESTION_SCOPES.slice(1).join('|')}):.+)$`, 's');
const QuestionScope = z
  .string()
  .max(4200)
  .regex(SCOPE, {
    message: `must be all, or kind:name, e.g. task:fix-login; kinds: ${QUESTION_SCOPES.slice(1).join(', ')}`,
  });

export const SetQuestionRule = z
  .strictObject({
    scope: QuestionScope,
    kind: QuestionKind.default('question'),
    action: QuestionAction,
    after_minutes: z.int().min(1).max(10_080),
  })
  .refine(({ kind, action }) => kind === 'question' || action !== 'answer', {
    message: 'a permission is never answered by a rule',
    path: ['action'],
  })
  .refine(({ scope, action }) => !scope.startsWith('session:') || action !== 'park', {
    message: 'only tasks and runs can be parked',
    path: ['action'],
  });
export type SetQuestionRule = z.infer<typeof SetQuestionRule>;

export const SwitchQuestionRule = z.strictObject({ on: z.boolean() });

export const QuestionRule = z.object({
  id: z.int(),
  scope: z.string(),
  kind: QuestionKind,
  action: QuestionAction,
  after_minutes: z.int(),
  is_on: z.boolean(),
  /** When it was last tried as it is now; null: it cannot be switched on. */
  tried_at: z.iso.datetime().nullable(),
  author: z.string(),
  changed_at: z.iso.datetime(),
});
export type QuestionRule = z.infer<typeof QuestionRule>;

export const QuestionRulePage = z.object({ rules: z.array(QuestionRule) });

/** What a rule would have done with past questions. */
export const QuestionTrial = z.object({
  rule: QuestionRule,
  /** Questions of the last days that it covers. */
  covered: z.int(),
  /** Of those, questions that a person answered in time. */
  in_time: z.int(),
  /** The others, newest first. */
  decided: z.array(
    z.object({
      item: z.string(),
      subject: z.string(),
      title: z.string(),
      raised_at: z.iso.datetime(),
      outcome: z.enum(['answered', 'parked', 'escalated', 'waits']),
      /** The answer, or why the question waits for a person all the same. */
      text: z.string().nullable(),
    }),
  ),
});
export type QuestionTrial = z.infer<typeof QuestionTrial>;

const About = {
  rule_id: z.int(),
  scope: z.string(),
  /** The item of the inbox. */
  item: z.string(),
  title: z.string(),
  after_minutes: z.int(),
  task: z.string().optional(),
  run: z.string().optional(),
};
const OfRule = { rule_id: z.int(), scope: z.string(), kind: QuestionKind, action: QuestionAction };

export const QUESTION_EVENTS = {
  'question.answered': z.object({ ...About, answer: z.string() }),
  'question.parked': z.object(About),
  'question.escalated': z.object(About),
  'question.rule_set': z.object({ ...OfRule, after_minutes: z.int(), author: Author }),
  'question.rule_switched': z.object({ ...OfRule, is_on: z.boolean(), author: Author }),
  'question.rule_removed': z.object({ ...OfRule, author: Author }),
} as const;
