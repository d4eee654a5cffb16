/**
 * A task module: the directory a loop works on, and the record of where it is in `.index.json`.
 * Modules of older tools keep it in the front matter of `.index.md`; it is read, and the first write
 * makes it `.index.json`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  TASK_PHASES,
  TASK_STATUSES,
  type TaskStatus,
} from '../../shared/rules/loops/loop-steps.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';

const INDEX_FILE = '.index.json';
const OLD_INDEX_FILE = '.index.md';
/** The first that exists counts. */
export const INDEX_FILES = [INDEX_FILE, OLD_INDEX_FILE] as const;
export const TARGET_FILE = '.target.md';

const MAX_INDEX_BYTES = 256 * 1024;

const Text = z.string().max(1_000).catch('');

/** Loose: keys of other tools and of people (type, tags, depends_on, …) stay as they are. */
const TaskModule = z.looseObject({
  title: Text,
  status: z.enum(TASK_STATUSES),
  phase: z.enum(TASK_PHASES).catch(''),
  /** Steps of the plan that are done. */
  completed_steps: z.int().min(0).catch(0),
  created: Text,
  updated: Text,
  /** The branch the work happens on, and the one it is merged into; '' outside git. */
  branch: Text,
  base: Text,
  /** A linked worktree the work happens in; '' for the main one. */
  worktree: Text,
});
export type TaskModule = z.infer<typeof TaskModule>;

export type ReadModule =
  | { kind: 'module'; module: TaskModule }
  | { kind: 'absent' }
  | { kind: 'unreadable'; file: string; detail: string };

/** Reads files that an agent writes: nothing in them blocks, and nothing invalid becomes a status. */
export function readTaskModule(directory: string): ReadModule {
  const json = readHostileFile(join(directory, INDEX_FILE), MAX_INDEX_BYTES);
  if (json.kind === 'refused') return unreadable(INDEX_FILE, REFUSED[json.cause]);
  if (json.kind === 'text') return parseIndex(INDEX_FILE, () => JSON.parse(json.text) as unknown);
  const markdown = readHostileFile(join(directory, OLD_INDEX_FILE), MAX_INDEX_BYTES);
  if (markdown.kind === 'refused') return unreadable(OLD_INDEX_FILE, REFUSED[markdown.cause]);
  if (markdown.kind === 'absent') return markdown;
  return parseIndex(OLD_INDEX_FILE, () => frontMatter(markdown.text));
}

/** The worktree that the task's index names, while it is there. */
export function ownWorktree(directory: string): string | null {
  const found = readTaskModule(directory);
  const worktree = found.kind === 'module' ? found.module.worktree : '';
  return worktree !== '' && existsSync(worktree) ? worktree : null;
}

/** Null when no index says a valid status. */
export function readTaskStatus(directory: string): TaskStatus | null {
  const found = readTaskModule(directory);
  return found.kind === 'module' ? found.module.status : null;
}

/** Replaces `.index.json` whole; `at` is ISO 8601. Throws the system's error. */
export function writeTaskModule(directory: string, module: TaskModule, at: string): void {
  const text = `${JSON.stringify({ ...module, updated: at }, null, 2)}\n`;
  writeFileAtomic(directory, INDEX_FILE, text, 0o644);
}

/** A module before its first step. */
export function draftModule(title: string, at: string): TaskModule {
  const git = { branch: '', base: '', worktree: '' };
  return {
    title,
    status: 'draft',
    phase: '',
    completed_steps: 0,
    created: at,
    updated: at,
    ...git,
  };
}

const REFUSED = {
  not_a_file: 'is not a regular file',
  too_large: `is larger than ${MAX_INDEX_BYTES} bytes`,
  not_utf8: 'is not UTF-8',
  foreign_owner: 'belongs to another user',
  hard_link: 'has more than one hard link',
  unreadable: 'cannot be read',
} as const;

function parseIndex(file: string, read: () => unknown): ReadModule {
  let value: unknown;
  try {
    value = read();
  } catch {
    return unreadable(file, 'is not valid JSON');
  }
  const parsed = TaskModule.safeParse(value);
  if (parsed.success) return { kind: 'module', module: parsed.data };
  const field = String(parsed.error.issues[0]?.path[0] ?? '');
  return unreadable(file, field === '' ? 'is not an object' : `has no valid "${field}"`);
}

function unreadable(file: string, detail: string): ReadModule {
  return { kind: 'unreadable', file, detail };
}

/** Of YAML only what old indexes hold: one line for each key, a scalar or a list in brackets. */
function frontMatter(text: string): Record<string, unknown> {
  const block = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  const lines = [...block.matchAll(/^([a-z_]+):[ \t]*(.*?)[ \t]*\r?$/gm)];
  return Object.fromEntries(lines.map(([, key = '', value = '']) => [key, scalarOrList(value)]));
}

function scalarOrList(value: string): string | number | string[] {
  const list = /^\[(.*)\]$/.exec(value)?.[1];
  if (list !== undefined) {
    return list
      .split(',')
      .map((item) => unquoted(item.trim()))
      .filter((item) => item !== '');
  }
  return /^\d{1,9}$/.test(value) ? Number(value) : unquoted(value);
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
