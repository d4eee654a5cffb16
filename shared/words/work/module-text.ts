/** Task modules in words: the same on the page and in the shell. */
import type { TaskPhase, TaskStatus } from '../../rules/loops/loop-steps.ts';
import { entryFor } from '../entry-for.ts';
import { countText } from '../count-text.ts';

const STATUS: Record<TaskStatus, string> = {
  draft: 'Draft',
  planning: 'Planning',
  review: 'Planned',
  executing: 'Executing',
  're-planning': 'Replanning',
  complete: 'Complete',
  blocked: 'Blocked',
  cancelled: 'Cancelled',
};
const PHASE: Record<TaskPhase, string> = {
  '': '',
  'needs-plan': 'needs a plan',
  'needs-check': 'needs a check',
};

interface Stated {
  status: TaskStatus | null;
  phase: TaskPhase;
  problem: string | null;
}

export function moduleStatusText({ status, phase, problem }: Stated): string {
  if (problem !== null) return 'Unreadable';
  if (status === null) return 'No index';
  const text = entryFor(STATUS, status, (label) => label);
  return PHASE[phase] === '' ? text : `${text}: ${PHASE[phase]}`;
}

/** Empty when nothing is known of steps. */
export function progressText({
  completed_steps: done,
  steps,
}: {
  completed_steps: number;
  steps: number | null;
}): string {
  if (steps !== null) return `${Math.min(done, steps)} of ${countText(steps, 'step')}`;
  return done === 0 ? '' : `${countText(done, 'step')} done`;
}
