/** Hard limits on what work may use, checked before each dispatch. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';

/** `all` is everything since it was set, `day` everything of the current day (UTC). */
export const BUDGET_SCOPES = ['all', 'day', 'person', 'project', 'task', 'run', 'loop'] as const;
export type BudgetScopeKind = (typeof BUDGET_SCOPES)[number];

/** US dollars, output tokens, or minutes at work. */
export const BUDGET_MEASURES = ['cost', 'tokens', 'minutes'] as const;
const BudgetMeasure = z.enum(BUDGET_MEASURES);
export type BudgetMeasure = z.infer<typeof BudgetMeasure>;

const SCOPE = new RegExp(`^(?:all|day|(?:${BUDGET_SCOPES.slice(2).join('|')}):.+)$`, 's');

/** `all`, `day`, or a kind and what it is: `task:fix-login`, `project:/srv/web`. */
const BudgetScope = z
  .string()
  .max(4200)
  .regex(SCOPE, {
    message: `must be all, day, or kind:name, e.g. task:fix-login; kinds: ${BUDGET_SCOPES.slice(2).join(', ')}`,
  });

/** Far above any real limit, and still exact in millionths. */
const Limit = z.number().positive().max(1e9);
const Why = z.string().trim().max(500).default('');

export const SetBudget = z.strictObject({
  scope: BudgetScope,
  measure: BudgetMeasure,
  limit: Limit,
  why: Why,
});
export type SetBudget = z.infer<typeof SetBudget>;

/** The new limit, which must be above the old one. */
export const RaiseBudget = z.strictObject({ limit: Limit, why: Why });
export type RaiseBudget = z.infer<typeof RaiseBudget>;

export const Budget = z.object({
  id: z.int(),
  scope: z.string(),
  measure: BudgetMeasure,
  limit: z.number(),
  used: z.number(),
  /** Of that, by other hosts of the fleet with the same account: in the budget of the day. */
  elsewhere: z.number(),
  /** The first day (UTC) that counts; null counts from the beginning. */
  since: z.iso.date().nullable(),
  /** Some of the work reports no cost, so that more may have been used. */
  is_partial: z.boolean(),
  /** Subjects that wait for it, such as `task:fix-login`. */
  holding: z.array(z.string()),
  /** Who set or raised it last, why, and when. */
  author: z.string(),
  why: z.string(),
  changed_at: z.iso.datetime(),
});
export type Budget = z.infer<typeof Budget>;

export const BudgetPage = z.object({ budgets: z.array(Budget) });

const About = { id: z.int(), scope: z.string(), measure: BudgetMeasure };

export const BUDGET_EVENTS = {
  /** `before`: the limit it had; null for a new one. */
  'budget.set': z.object({
    ...About,
    limit: z.number(),
    before: z.number().nullable(),
    why: z.string(),
    author: Author,
  }),
  'budget.raised': z.object({
    ...About,
    limit: z.number(),
    before: z.number(),
    used: z.number(),
    why: z.string(),
    author: Author,
  }),
  'budget.removed': z.object({ ...About, limit: z.number(), author: Author }),
} as const;
