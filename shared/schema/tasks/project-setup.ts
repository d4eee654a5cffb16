/** What each new worktree of a project gets: files and folders that git ignores, and a command. */
import { z } from 'zod';
import { Author } from '../people/people-events.ts';
import { RootFolder } from './project.ts';

/* eslint-disable no-control-regex -- none may be in these; published patterns have no flags for it */
const PLACE =
  /^(?!\/)(?!(?:.*\/)?(?:\.{1,2}|\.[gG][iI][tT])(?:\/|$))(?!.*\/\/)[^\\\0-\x1f\x7f-\x9f]+$/;
const ONE_LINE = /^[^\0-\x1f\x7f-\x9f]+$/;
/* eslint-enable no-control-regex */

/** Below the project, never above it and never git’s own directory. */
const PlaceInside = z
  .string()
  .min(1)
  .max(300)
  .regex(PLACE, { message: 'must be a path below the project, e.g. .env or packages/web/.env' })
  .regex(/[^/]$/, { message: 'must not end with a slash' });

/** A line for `/bin/sh`. */
const Line = z.string().trim().min(1).max(4_000).regex(ONE_LINE, { message: 'must be one line' });

const FIELDS = {
  /** Files copied from the project. */
  copy: z.array(PlaceInside).max(50).default([]),
  /** Folders of the project that its worktrees use through a link. */
  share: z.array(PlaceInside).max(20).default([]),
  /** Runs in a new worktree, after that. */
  setup: Line.nullable().default(null),
  /** Runs in a worktree before it is removed; its failure removes it all the same. */
  teardown: Line.nullable().default(null),
  /** For the setup command. */
  minutes: z.int().min(1).max(120).default(10),
};

export const SetProjectSetup = z
  .strictObject({ path: RootFolder, ...FIELDS })
  .refine(({ copy, share }) => copy.every((path) => !share.includes(path)), {
    message: 'a path is either copied or shared',
    path: ['share'],
  });
export type SetProjectSetup = z.infer<typeof SetProjectSetup>;

/** As it is stored. */
export const StoredSetup = z.object(FIELDS);

export const ProjectSetup = z.object({
  /** Real path of the main worktree. */
  project: z.string(),
  ...FIELDS,
  /** False after a restore: nothing of it is done before a person has set it again. */
  is_on: z.boolean(),
  author: z.string(),
  changed_at: z.iso.datetime(),
});
export type ProjectSetup = z.infer<typeof ProjectSetup>;

export const PROJECT_EVENTS = {
  'project.setup_set': z.object({ project: z.string(), ...FIELDS, author: Author }),
  'project.setup_removed': z.object({ project: z.string(), author: Author }),
} as const;
