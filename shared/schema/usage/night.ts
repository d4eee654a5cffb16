/** What the night needs: each check with its fix, and when something will probably go wrong. */
import { z } from 'zod';
import { PreflightCheck } from '../model.ts';

const NIGHT_CHECKS = [
  ...PreflightCheck.shape.name.options,
  'login_until',
  'five_hour',
  'weekly',
  'budgets',
  'alerts',
  'awake',
  'worktrees',
  'time_zone',
] as const;

export const NightCheck = z.object({
  name: z.enum(NIGHT_CHECKS),
  /** `unknown`: nothing on this machine says it. */
  state: z.enum(['ok', 'problem', 'unknown']),
  detail: z.string(),
  fix: z.string().nullable(),
  /** When it probably goes wrong, if that is later than now. */
  at: z.iso.datetime().nullable(),
});
export type NightCheck = z.infer<typeof NightCheck>;

export const NightQuery = z.strictObject({
  /** Default: the next 07:00 in the time zone of the host. */
  until: z.iso.datetime({ offset: true }).optional(),
});
export type NightQuery = z.infer<typeof NightQuery>;

export const Night = z.object({
  as_of: z.iso.datetime(),
  until: z.iso.datetime(),
  /** No check has a problem. */
  ready: z.boolean(),
  /** The first time at which something probably goes wrong; null without one. */
  problem_at: z.iso.datetime().nullable(),
  checks: z.array(NightCheck),
});
export type Night = z.infer<typeof Night>;
