/**
 * How far a scenario has come in one task directory, over all restarts of the agent.
 * Invariant: `completed` counts scenario steps from the first; a step counts only when it is over.
 */
import { z } from 'zod';
import type { Scenario, ScenarioStep } from './scenario.ts';

export const Progress = z.strictObject({
  /** Fingerprint of the scenario; progress of another scenario means nothing. */
  scenario: z.string(),
  completed: z.int().min(0),
  /** Deaths so far, by index of the crash step. */
  crashes: z.record(z.string(), z.int().min(0)),
});
export type Progress = z.infer<typeof Progress>;

/** Continues where the last process was; starts over after another scenario or a finished one. */
export function resumeProgress(saved: unknown, fingerprint: string, scenario: Scenario): Progress {
  const parsed = Progress.safeParse(saved);
  const continues =
    parsed.success &&
    parsed.data.scenario === fingerprint &&
    parsed.data.completed < scenario.steps.length;
  return continues ? parsed.data : { scenario: fingerprint, completed: 0, crashes: {} };
}

/** The first step that is not completed; null when the scenario is over. */
export function nextStep(progress: Progress, scenario: Scenario): ScenarioStep | null {
  return scenario.steps[progress.completed] ?? null;
}

/** The current step is over. */
export function completeStep(progress: Progress): Progress {
  return { ...progress, completed: progress.completed + 1 };
}

/** Whether the current step, a crash with this limit, has deaths left. */
export function crashIsDue(progress: Progress, times: number | undefined): boolean {
  return times === undefined || crashCount(progress) < times;
}

/** The process is about to die in the current step. */
export function countCrash(progress: Progress): Progress {
  const crashes = { ...progress.crashes, [progress.completed]: crashCount(progress) + 1 };
  return { ...progress, crashes };
}

function crashCount(progress: Progress): number {
  return progress.crashes[progress.completed] ?? 0;
}
