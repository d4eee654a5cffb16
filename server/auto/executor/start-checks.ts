/** What a start depends on: nothing else holds session or directory; the permissions it gets. */
import type { AgentKind } from '../../../shared/schema/agents/agent-kind.ts';
import type { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import type { Agents } from '../../agents/agents.ts';
import type { LaunchFiles } from '../../agents/launch/launch-files.ts';
import { AppError } from '../../lib/app-error.ts';
import type { RealDirectory } from '../../lib/files/real-directory.ts';
import type { LoopState } from '../machine/loop-state.ts';

/** Throws `session_busy` or `task_dir_busy` for a loop that has not failed. */
export function requireFree(
  loops: readonly LoopState[],
  sessionName: string,
  directory: RealDirectory,
): void {
  for (const { sessionName: other, taskDir: task_dir, dirIdentity, status } of loops) {
    if (status === 'failed') continue;
    const details = { session_name: other, task_dir };
    if (other === sessionName) {
      throw new AppError('session_busy', `session ${other} already runs a loop`, details);
    }
    if (task_dir === directory.path || dirIdentity === directory.identity) {
      throw new AppError('task_dir_busy', `session ${other} already works on it`, details);
    }
  }
}

/** Sessions whose failed loop the wanted one replaces. */
export function failedConflicts(loops: readonly LoopState[], wanted: LoopState): string[] {
  return loops
    .filter(({ status }) => status === 'failed')
    .filter(
      ({ sessionName, taskDir, dirIdentity }) =>
        sessionName === wanted.sessionName ||
        taskDir === wanted.taskDir ||
        dirIdentity === wanted.dirIdentity,
    )
    .map(({ sessionName }) => sessionName);
}

export interface PermissionChoice {
  agent: AgentKind;
  /** Where the agent is started. */
  place: 'shell' | 'program';
  given: LoopPermissions | undefined;
  /** Unless any are given. */
  usual: LoopPermissions;
}

/**
 * What a new loop runs with; null where Loopwatch cannot set it, because the agent is not Claude Code,
 * its start command has no place for flags, or it is already open. Throws `permissions_unavailable`
 * when any were given there.
 */
export async function choosePermissions(
  { agent, place, given, usual }: PermissionChoice,
  { agents, launchFiles }: { agents: Agents; launchFiles: LaunchFiles },
): Promise<LoopPermissions | null> {
  const problem = await obstacle();
  if (problem === null) return given ?? usual;
  if (given === undefined) return null;
  throw new AppError('permissions_unavailable', `${problem}; start the loop without permissions`);

  async function obstacle(): Promise<string | null> {
    if (place === 'program') return 'the agent is already open and keeps its own permissions';
    if (!agents.takesFlags) return 'LOOPWATCH_AUTO_COMMAND has no {flags} to pass permissions in';
    const isKnown = await launchFiles.takesPermissions(agent);
    return isKnown ? null : 'only Claude Code takes permissions, and the agent is another program';
  }
}
