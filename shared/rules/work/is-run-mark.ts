import type { RunProblem } from '../../schema/runs/run.ts';

/** A run in a list says so itself, as `stale` and `valid`; any other problem keeps it out of the list. */
export function isRunMark({ problem }: Pick<RunProblem, 'problem'>): boolean {
  return problem === 'stale' || problem === 'invalid_directory';
}
