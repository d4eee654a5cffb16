/**
 * What the agent of a phase may do. In a headless turn no one answers: the client refuses everything
 * it would ask about.
 */
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import { ownCommands } from '../../projects/own-commands.ts';
import { projectMarkers } from '../../projects/project-markers.ts';

export interface RunPermissions {
  permissionMode: PermissionMode;
  /** Rules of the client. */
  allow: string[];
}

/** Words only: inert in a shell, in a rule, and in a list of rules. */
const PLAIN = /^[A-Za-z0-9_./-]+(?: [A-Za-z0-9_./:@=-]+)*$/;
/** What its message asks for. `Bash(x:*)` allows `x` and `x` with arguments. */
const COMMIT = ['Bash(git add:*)', 'Bash(git commit:*)'];

/** The phases that change files. */
export function isWork(phase: WorkPhase): boolean {
  return phase === 'execute' || phase === 'fix';
}

/**
 * The mode of the client refuses `git commit` and tests even where it accepts edits (seen in 2.1.197
 * and 2.1.330), so rules allow those. That is no sandbox, nor is the host that runs the same tests.
 */
export function runPermissions(
  phase: WorkPhase,
  { phases, permission_mode, test_commands, gates }: StartRun,
  directory: string,
): RunPermissions {
  const usual = isWork(phase) ? (permission_mode ?? 'acceptEdits') : 'plan';
  const permissionMode = phases[phase]?.permission_mode ?? usual;
  if (!isWork(phase) || permissionMode !== 'acceptEdits') return { permissionMode, allow: [] };
  const own = ownCommands(projectMarkers(directory)).map((command) => `Bash(${command}:*)`);
  // Whole: arguments could make another command of one that was chosen for its own.
  const chosen = [...(test_commands ?? []), ...gates.map(({ command }) => command)]
    .filter((command) => PLAIN.test(command))
    .map((command) => `Bash(${command})`);
  return { permissionMode, allow: [...own, ...chosen, ...COMMIT] };
}
