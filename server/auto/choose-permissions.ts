import type { AgentKind } from '../../shared/schema/agent-kind.ts';
import type { LoopPermissions } from '../../shared/schema/loops/loop-permissions.ts';
import type { Agents } from '../agents/agents.ts';
import type { SupervisedRuns } from '../agents/launch/supervised-run.ts';
import { AppError } from '../lib/app-error.ts';

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
  { agents, runs }: { agents: Agents; runs: SupervisedRuns },
): Promise<LoopPermissions | null> {
  const problem = await obstacle();
  if (problem === null) return given ?? usual;
  if (given === undefined) return null;
  throw new AppError('permissions_unavailable', `${problem}; start the loop without permissions`);

  async function obstacle(): Promise<string | null> {
    if (place === 'program') return 'the agent is already open and keeps its own permissions';
    if (!agents.takesFlags) return 'LOOPWATCH_AUTO_COMMAND has no {flags} to pass permissions in';
    const isKnown = await runs.takesPermissions(agent);
    return isKnown ? null : 'only Claude Code takes permissions, and the agent is another program';
  }
}
