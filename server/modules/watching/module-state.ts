/** A module as its files describe it, read again only after one of them was touched. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { ModuleFacts } from '../../../shared/schema/modules/module-facts.ts';
import { systemCode } from '../../lib/app-error.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';
import { readTaskModule } from '../task-module.ts';
import { fileMarks } from './file-marks.ts';
import { countSteps } from './plan-steps.ts';

export interface ModuleState {
  facts: ModuleFacts;
  branch: string;
  /** Device and inode of the directory. */
  identity: string;
  /** Of the newest of its files, in milliseconds since 1970. */
  changedMs: number;
}

const MAX_TITLE = 200;
const MAX_BRANCH = 200;
const MAX_PLAN_BYTES = 512 * 1024;
const HASH_LENGTH = 10;
const MAX_NAME = 40;

/** The end of the path, readable, and a hash of all of it. */
export function moduleId(path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, HASH_LENGTH);
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? hash : `${name}-${hash}`;
}

/**
 * Null when no module is at that path, or a link leads to it. `before` is what was known of it; the
 * same object returns when nothing was touched. A directory that cannot be read now stays what it was.
 */
export function readModuleState(path: string, before: ModuleState | null): ModuleState | null {
  try {
    if (realpathSync.native(path) !== path) return null;
    return readFiles(path, before);
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '');
    return isAbsent || before === null ? null : withProblem(before, 'the directory cannot be read');
  }
}

function readFiles(path: string, before: ModuleState | null): ModuleState | null {
  const { identity, mark, changedMs, hasTarget, hasIndex } = fileMarks(path);
  if (!hasTarget && !hasIndex) return null;
  if (before?.facts.revision === mark && before.identity === identity) return before;
  const read = readTaskModule(path);
  const index = read.kind === 'module' ? read.module : null;
  // An index of another program is no module; one that is being written stays one.
  if (index === null && !hasTarget && before === null) return null;
  return {
    facts: {
      module: moduleId(path),
      path,
      title: oneLine(index?.title ?? '', MAX_TITLE) || oneLine(basename(path), MAX_TITLE),
      status: index?.status ?? null,
      phase: index?.phase ?? '',
      completed_steps: index?.completed_steps ?? 0,
      steps: stepsOf(path),
      problem: read.kind === 'unreadable' ? `${read.file} ${read.detail}` : null,
      revision: mark,
    },
    identity,
    branch: oneLine(index?.branch ?? '', MAX_BRANCH),
    changedMs,
  };
}

function stepsOf(path: string): number | null {
  const plan = readHostileFile(join(path, '.plan.md'), MAX_PLAN_BYTES);
  return plan.kind === 'text' ? countSteps(plan.text) : null;
}

/** Without a revision, so that the next reading counts. */
function withProblem(before: ModuleState, problem: string): ModuleState {
  if (before.facts.problem === problem) return before;
  return { ...before, facts: { ...before.facts, problem, revision: '' } };
}
