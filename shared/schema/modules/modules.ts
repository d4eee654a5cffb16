/** Task modules: the directories loops work on, as their files describe them. */
import { z } from 'zod';
import { LoopStatus } from '../model.ts';
import { MODULE_FACTS, ModuleId } from './module-facts.ts';
import { SessionName } from '../session-name.ts';

/** Of a target, in characters: far more than people write, and small enough to send. */
export const MAX_TARGET_LENGTH = 100_000;

export const Module = z.object({
  id: ModuleId,
  ...MODULE_FACTS,
  /** Of the newest of its files. */
  changed_at: z.iso.datetime(),
  /** The branch the work happens on; empty outside git. */
  branch: z.string(),
  /** The loop working on it. */
  loop: z.object({ session_name: SessionName, status: LoopStatus }).nullable(),
});
export type Module = z.infer<typeof Module>;

export const ModuleFile = z.object({
  /** Relative to the module, such as `.test/plan.md`. */
  name: z.string(),
  kind: z.enum(['markdown', 'text']),
  /** Null when it cannot be shown. */
  text: z.string().nullable(),
  /** `text` is only the end of the file. */
  cut: z.boolean(),
  /** Why it cannot be shown. */
  problem: z.string().nullable(),
  changed_at: z.iso.datetime().nullable(),
});
export type ModuleFile = z.infer<typeof ModuleFile>;

export const ModuleTarget = z.object({
  /** Null without a file, and when it cannot be shown. */
  text: z.string().nullable(),
  /** Of the text; null without a file. */
  version: z.string().nullable(),
  /** Why it cannot be shown or changed here. */
  problem: z.string().nullable(),
  changed_at: z.iso.datetime().nullable(),
});
export type ModuleTarget = z.infer<typeof ModuleTarget>;

export const ModuleDetail = Module.extend({
  target: ModuleTarget,
  /** Those that exist: plan, summary, report, test results, newest analyses. */
  files: z.array(ModuleFile),
  /** Files of `.test` and `.analysis` that are not listed. */
  more_files: z.int(),
  /** The last valid signal. */
  signal: z
    .object({
      step: z.string(),
      result: z.string(),
      next: z.string(),
      checkpoint: z.string(),
      iteration: z.int().nullable(),
      at: z.string(),
    })
    .nullable(),
  /** An agent that is alive has the lock. */
  is_locked: z.boolean(),
  /** Someone asked its loop to stop. */
  is_stop_requested: z.boolean(),
});
export type ModuleDetail = z.infer<typeof ModuleDetail>;

export const Modules = z.object({
  modules: z.array(Module),
  /** When all roots were last looked through; null before the first time. */
  scanned_at: z.iso.datetime().nullable(),
  /** There is more below the roots than Loopwatch looks through. */
  cut: z.boolean(),
});
export type Modules = z.infer<typeof Modules>;

/** Lines end with `\n`; nothing that a terminal or an editor would act on. */
// eslint-disable-next-line no-control-regex -- it matches control bytes
const IS_TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
const TargetText = z
  .string()
  .max(MAX_TARGET_LENGTH)
  .regex(IS_TEXT, { message: 'must be text without control characters' });

export const CreateModule = z.strictObject({
  path: z.string().max(1024).regex(/^\//, { message: 'must be an absolute path' }),
  /** Becomes its target. */
  description: TargetText.regex(/[\p{L}\p{N}]/u, { message: 'must say what to do' }),
});
export type CreateModule = z.infer<typeof CreateModule>;

export const SaveTarget = z.strictObject({
  text: TargetText,
  /** Of the text it replaces; null for a file that does not exist. */
  version: z.string().max(100).nullable(),
});
export type SaveTarget = z.infer<typeof SaveTarget>;
