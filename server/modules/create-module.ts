/** Makes a task module out of a directory; what is there already is never overwritten. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneLine } from '../../shared/rules/text/plain-text.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { currentBranch, excludeTransientFiles } from './module-git.ts';
import {
  draftModule,
  readTaskModule,
  TARGET_FILE,
  type TaskModule,
  writeTaskModule,
} from './task-module.ts';

const MAX_TITLE = 80;
const FOLDERS = ['.analysis', '.test'];

const TEMPLATE = `# Target

<!-- What should be true when this task is done? -->

## Requirements

<!-- One per line, each of them testable. -->

## Limits

<!-- What must not change, what is out of scope. -->
`;

/**
 * `target` null leaves a target that is there, or writes a template. Throws the system's error when
 * the directory cannot be made.
 */
export async function createModule(
  directory: string,
  target: string | null,
  at: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ created: TaskModule } | { refused: string }> {
  const targetPath = join(directory, TARGET_FILE);
  if (readTaskModule(directory).kind !== 'absent') {
    return { refused: `${directory} is a task module already` };
  }
  const hasTarget = lstatSync(targetPath, { throwIfNoEntry: false }) !== undefined;
  if (hasTarget && target !== null) return { refused: `${targetPath} exists already` };
  mkdirSync(directory, { recursive: true });
  if (!hasTarget) {
    writeFileAtomic(directory, TARGET_FILE, `${(target ?? TEMPLATE).trimEnd()}\n`, 0o644);
  }
  for (const name of FOLDERS) {
    if (!existsSync(join(directory, name))) mkdirSync(join(directory, name));
  }
  const base = await currentBranch(directory, environment);
  const branch = base === null ? '' : `task/${slug(basename(directory))}`;
  const title = titleOf(target ?? '') || basename(directory);
  const module = { ...draftModule(title, at), branch, base: base ?? '' };
  writeTaskModule(directory, module, at);
  await excludeTransientFiles(directory, environment);
  return { created: module };
}

/** The first line that says something. */
function titleOf(target: string): string {
  const line = target.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  return oneLine(line.replace(/^[#\s]+/, ''), MAX_TITLE);
}

/** A name git takes for a branch. */
function slug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
  return plain.replace(/^-+|-+$/g, '') || 'task';
}
