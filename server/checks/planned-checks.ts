import type { Gate } from '../../shared/schema/tasks/end-criteria.ts';
import { projectMarkers } from '../projects/project-markers.ts';
import { testCommand } from '../projects/project-type.ts';
import type { Check } from './host-check.ts';

/**
 * The configured tests, else those found at the project's root (`tests` is null), then the gates.
 * `directory` is where the work is.
 */
export function plannedChecks(
  { tests, gates }: { tests: readonly string[] | null; gates: readonly Gate[] },
  directory: string,
): Check[] {
  return [
    ...regressions(tests, directory),
    ...gates.map((gate) => ({ type: 'gate' as const, ...gate })),
  ];
}

function regressions(tests: readonly string[] | null, directory: string): Check[] {
  const type = 'regression';
  if (tests !== null) return tests.map((command) => ({ type, name: command, command }));
  const found = testCommand(projectMarkers(directory));
  return found === null ? [] : [{ type, name: found.join(' '), command: found }];
}
