/** Where a loop starts or continues, from the files of its module alone. */
import { join } from 'node:path';
import { entryOf, routeAfter } from '../../shared/rules/loops/loop-routing.ts';
import {
  LOOP_CHECKPOINTS,
  STOP,
  type TaskPhase,
  type TaskStatus,
} from '../../shared/rules/loops/loop-steps.ts';
import type { AutoSignal } from '../../shared/schema/loops/auto-signal.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { completedIterations, readModuleSignal } from './module-signal.ts';
import { TARGET_FILE, type TaskModule } from './task-module.ts';

export interface FirstStep {
  status: TaskStatus;
  phase: TaskPhase;
  next: string;
  checkpoint: string;
  /** Steps completed so far. */
  iteration: number;
  reason: string;
}

const PLACEHOLDER = /^[^\p{L}\p{N}]*(?:TODO|TBD|N\/A)[^\p{L}\p{N}]*$/iu;
/** A target is text for people; far more than a book. */
const MAX_TARGET_BYTES = 1024 * 1024;

/**
 * The last signal says more than the status (which check, which iteration). It counts while the status
 * is one it leads to; a status that a person changed since then wins.
 */
export function firstStep(
  directory: string,
  module: TaskModule,
  runId: string | null,
): FirstStep | { refused: string } {
  const { status, phase } = module;
  const last = readModuleSignal(directory);
  const iteration = completedIterations(last, runId);
  const entry = entryOf(status, phase);
  if (entry.needsTarget && !hasTarget(directory))
    return { refused: `${TARGET_FILE} does not say yet what to do` };
  if (last !== null && entry.next !== STOP && leadsTo(last, module)) {
    const { next, checkpoint } = last;
    const reason = `continues after ${last.step} ${last.result}`;
    return { status, phase, next, checkpoint, iteration, reason };
  }
  const { next, checkpoint, meaning: reason } = entry;
  return { status, phase, next, checkpoint, iteration, reason };
}

/** Says something: more than headings, comments, empty list items and placeholders. */
export function isSubstantive(target: string): boolean {
  return target
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .map((line) => line.replace(/^(?:[-*+>\s]|\d+[.)]|\[[ x]\])+/i, ''))
    .some((line) => /[\p{L}\p{N}]/u.test(line) && !PLACEHOLDER.test(line.trim()));
}

function hasTarget(directory: string): boolean {
  const file = readHostileFile(join(directory, TARGET_FILE), MAX_TARGET_BYTES);
  return file.kind === 'text' && isSubstantive(file.text);
}

/** The signal is one of our table, and its step left the module as it is now. */
function leadsTo(last: AutoSignal, { status, phase }: TaskModule): boolean {
  return LOOP_CHECKPOINTS.some((at) => {
    const way = routeAfter(last.step, last.result, at);
    if ('refused' in way || way.next !== last.next) return false;
    const isLeftBehind = way.route.changes.some(
      (change) => change.status === status && change.phase === phase,
    );
    return isLeftBehind && way.checkpoint === last.checkpoint;
  });
}
