/** What everyone sees of a task module at a glance, and the events about it. */
import { z } from 'zod';
import { TASK_PHASES, TASK_STATUSES } from '../../rules/loops/loop-steps.ts';
import { Author } from '../people/people-events.ts';

/** Made from the path: the end of its name, and a hash. */
export const ModuleId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,80}$/);

export const MODULE_FACTS = {
  /** Absolute, without links. */
  path: z.string(),
  title: z.string(),
  /** Null without a readable index: the module is not initialized, or `problem` says why. */
  status: z.enum(TASK_STATUSES).nullable(),
  phase: z.enum(TASK_PHASES),
  /** Steps of the plan that are done. */
  completed_steps: z.int(),
  /** Steps in the plan; null when it has none that can be counted. */
  steps: z.int().nullable(),
  /** Why the index cannot be read, in one line. */
  problem: z.string().nullable(),
  /** Changes with any of its files. */
  revision: z.string(),
};

/** The data of its events. */
export const ModuleFacts = z.object({ module: ModuleId, ...MODULE_FACTS });
export type ModuleFacts = z.infer<typeof ModuleFacts>;

export const MODULE_EVENTS = {
  /** `author`: who created it, or changed it, through Loopwatch. */
  'module.appeared': ModuleFacts.extend({ author: Author }),
  'module.changed': ModuleFacts.extend({ author: Author }),
  /** The facts are the last ones known. */
  'module.removed': ModuleFacts,
} as const;
