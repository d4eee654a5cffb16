/** Directories in which a loop may be started, listed one level at a time. */
import { z } from 'zod';
import { LoopStatus } from '../model.ts';
import { SessionName } from '../session-name.ts';

/** Per answer, in order of name; `match` finds the others. */
export const MAX_DIRECTORIES = 500;

export const DirectoryQuery = z.strictObject({
  /** Absolute; left out: the roots. */
  path: z
    .string()
    .max(1024)
    // eslint-disable-next-line no-control-regex -- what ends a path in the system's eyes
    .regex(/^\/[^\u0000]*$/, { message: 'must be an absolute path' })
    .optional(),
  /** Only names that contain this, ignoring case. */
  match: z.string().max(255).default(''),
  /** Include names that begin with a dot. */
  hidden: z.stringbool().default(false),
});
export type DirectoryQuery = z.infer<typeof DirectoryQuery>;

export const Directory = z.object({
  name: z.string(),
  /** For a link, its own path, not its target. */
  path: z.string(),
  /** `unreadable`: only its name is known. `outside`: a link that leads out of the roots. */
  access: z.enum(['open', 'unreadable', 'outside']),
  git: z.enum(['repository', 'worktree']).nullable(),
  /** A task module (`.target.md`), or the directory that holds them (`AiTasks`). */
  task: z.enum(['task', 'tasks']).nullable(),
  /** False when its path cannot be typed into a shell, or lies in a linked worktree. */
  startable: z.boolean(),
  /** The first session opened in it. */
  session: SessionName.nullable(),
  /** The loop working on it. */
  loop: z.object({ session_name: SessionName, status: LoopStatus }).nullable(),
});
export type Directory = z.infer<typeof Directory>;

export const DirectoryListing = z.object({
  /** The listed directory, links resolved; null for the list of roots. */
  here: Directory.nullable(),
  /** Null when only the roots may be listed above it. */
  parent: z.string().nullable(),
  directories: z.array(Directory),
  /** The list is incomplete. */
  cut: z.boolean(),
});
export type DirectoryListing = z.infer<typeof DirectoryListing>;
