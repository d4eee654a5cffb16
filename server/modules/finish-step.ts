/** A step of the loop is over: what follows is read from the table, never decided by an agent. */
import { type Refused, routeAfter, statusAfter } from '../../shared/rules/loops/loop-routing.ts';
import { type Route, STEP_RESULT } from '../../shared/rules/loops/loop-steps.ts';
import { type AutoSignal, SignalResult } from '../../shared/schema/loops/auto-signal.ts';
import { completedIterations, readModuleSignal, writeModuleSignal } from './module-signal.ts';
import { readTaskModule, type TaskModule, writeTaskModule } from './task-module.ts';

export interface StepReport {
  step: string;
  result: string;
  checkpoint: string;
  /** Steps of the plan that are done, if the agent says so. */
  completedSteps: number | null;
}

export interface FinishedStep {
  signal: AutoSignal;
  route: Route;
}

export interface Unreadable {
  unreadable: string;
}

/**
 * Moves the status in the index, then writes the signal: after a crash in between the status, which
 * decides, is the newer one. `at` is ISO 8601, `runId` that of a daemon's run. Writes nothing that is
 * refused. Throws the system's error.
 */
export function finishStep(
  directory: string,
  report: StepReport,
  at: string,
  runId: string | null,
): FinishedStep | Refused | Unreadable {
  const way = routeAfter(report.step, report.result, report.checkpoint);
  if ('refused' in way) return way;
  const found = readTaskModule(directory);
  if (found.kind === 'unreadable') return { unreadable: `${found.file} ${found.detail}` };
  // Without an index the directory is no module of ours, but its loop is counted all the same.
  if (found.kind === 'module') move(directory, found.module, way.route, report, at);
  const iteration = completedIterations(readModuleSignal(directory), runId) + 1;
  const signal: AutoSignal = {
    step: way.route.step,
    result: SignalResult.parse(report.result),
    next: way.next,
    checkpoint: way.checkpoint,
    iteration,
    timestamp: at,
    ...(runId === null ? {} : { run_id: runId }),
  };
  writeModuleSignal(directory, signal);
  return { signal, route: way.route };
}

/** A step that changes nothing leaves the file alone, which is under version control. */
function move(directory: string, module: TaskModule, route: Route, report: StepReport, at: string) {
  const { status, phase } = statusAfter(route, module);
  const completed_steps = completedSteps(module, route, report);
  const isSame =
    status === module.status &&
    phase === module.phase &&
    completed_steps === module.completed_steps;
  if (!isSame) writeTaskModule(directory, { ...module, status, phase, completed_steps }, at);
}

/** A new plan starts from 0; `(step-N)` says N steps are done. */
function completedSteps(module: TaskModule, route: Route, report: StepReport): number {
  if (route.step === 'plan') return 0;
  if (report.completedSteps !== null) return report.completedSteps;
  return STEP_RESULT.test(report.result)
    ? Number(/\d+/.exec(report.result)?.[0])
    : module.completed_steps;
}
