/** Directories in which a loop may be started: one level at a time, names and what they are. */
import { z } from 'zod';
import { LoopStatus } from './model.ts';
import { SessionName } from './session-name.ts';

/** As many as one answer holds, first by name; `match` finds the others. */
export const MAX_DIRECTORIES = 500;

export const DirectoryQuery = z.strictObject({
  /** Absolute; left out: the roots. */
  path: z
    .string()
    .max(1024)
    // eslint-disable-next-line no-control-regex -- what ends a path in the system's eyes
    .regex(/^\/[^\u0000]*$/, { message: 'must be an absolute path' })
    .optional(),
  /** Only names that hold this, in whatever case. */
  match: z.string().max(255).default(''),
  /** Also those whose name begins with a dot. */
  hidden: z.stringbool().default(false),
});
export type DirectoryQuery = z.infer<typeof DirectoryQuery>;

export const Directory = z.object({
  name: z.string(),
  /** Where it is named, which for a link is not where it leads. */
  path: z.string(),
  /** `unreadable` is nothing but its name known of; `outside` is a link that leads out of the roots. */
  access: z.enum(['open', 'unreadable', 'outside']),
  git: z.enum(['repository', 'worktree']).nullable(),
  /** A task itself (`.target.md`), or the place where tasks lie (`AiTasks`). */
  task: z.enum(['task', 'tasks']).nullable(),
  /** False when its path cannot be typed into a shell, or lies in a linked worktree. */
  startable: z.boolean(),
  /** The first session that was opened in it. */
  session: SessionName.nullable(),
  /** The loop that works on it. */
  loop: z.object({ session_name: SessionName, status: LoopStatus }).nullable(),
});
export type Directory = z.infer<typeof Directory>;

export const DirectoryListing = z.object({
  /** What is listed, without links; null for the list of roots. */
  here: Directory.nullable(),
  /** Null when nothing above it may be listed but the roots. */
  parent: z.string().nullable(),
  directories: z.array(Directory),
  /** There are more than are listed. */
  cut: z.boolean(),
});
export type DirectoryListing = z.infer<typeof DirectoryListing>;
