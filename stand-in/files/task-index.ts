/** The task's own status page, `.index.json`, and how the steps of a loop change it. */
import { z } from 'zod';
import { TASK_PHASES, TASK_STATUSES } from '../../shared/rules/loops/loop-steps.ts';
import type { ScenarioSignal } from '../scenario.ts';

/** Loose: a person's own keys (tags, depends_on, …) stay as they are. */
export const TaskIndex = z.looseObject({
  title: z.string(),
  type: z.string(),
  status: z.enum(TASK_STATUSES),
  phase: z.enum(TASK_PHASES),
  completed_steps: z.int().min(0),
  created: z.string(),
  updated: z.string(),
});
export type TaskIndex = z.infer<typeof TaskIndex>;

type Change = Partial<Pick<TaskIndex, 'status' | 'phase' | 'completed_steps'>>;

/** The index of a task before its first step; keeps what a person has written about the task. */
export function draftIndex(saved: unknown, title: string, now: string): TaskIndex {
  const known = TaskIndex.safeParse(saved);
  const draft = { status: 'draft', phase: '', completed_steps: 0 } as const;
  return known.success
    ? { ...known.data, ...draft, updated: now }
    : { title, type: 'feature', ...draft, created: now, updated: now };
}

/** Planning and executing show at the start of a step, not only at its end. */
export function beginStep(index: TaskIndex, signal: ScenarioSignal, now: string): TaskIndex {
  if (signal.step === 'plan') {
    const again = ['review', 'executing', 're-planning'].includes(index.status);
    const status = again ? 're-planning' : 'planning';
    return changed(index, { status, completed_steps: 0 }, now);
  }
  if (signal.step === 'exec') return changed(index, { status: 'executing' }, now);
  return index;
}

export function finishStep(index: TaskIndex, signal: ScenarioSignal, now: string): TaskIndex {
  const rePlanning = index.status === 're-planning';
  if (signal.step === 'plan') {
    return changed(index, { phase: rePlanning ? 'needs-check' : '' }, now);
  }
  if (signal.step === 'exec') {
    if (signal.result === '(blocked)') return changed(index, { status: 'blocked', phase: '' }, now);
    return changed(index, { phase: '', completed_steps: index.completed_steps + 1 }, now);
  }
  if (signal.step === 'check') return changed(index, verdict(signal, rePlanning), now);
  if (signal.step === 'merge' && signal.result === 'success') {
    return changed(index, { status: 'complete', phase: '' }, now);
  }
  return changed(index, { phase: '' }, now);
}

function verdict(signal: ScenarioSignal, rePlanning: boolean): Change {
  switch (signal.result) {
    case 'PASS':
      return { status: 'review', phase: '' };
    case 'NEEDS_REVISION':
      return { phase: rePlanning ? 'needs-plan' : '' };
    case 'REPLAN':
      return { status: 're-planning', phase: 'needs-plan' };
    case 'BLOCKED':
      return { status: 'blocked', phase: '' };
    default:
      return { phase: '' };
  }
}

function changed(index: TaskIndex, change: Change, now: string): TaskIndex {
  return { ...index, ...change, updated: now };
}
