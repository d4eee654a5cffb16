import type { Agents } from '../../agents/agents.ts';
import { launchPermissions } from '../../agents/launch/launch-permissions.ts';
import { ownProject } from '../../modules/own-project.ts';
import type { LaunchCommand } from '../../supervision/terminal/agent-launch.ts';
import type { TerminalAgent } from '../../supervision/terminal/terminal-agent.ts';
import type { LoopState } from '../machine/loop-state.ts';

const PHASES = {
  starting: 'launching',
  running: 'working',
  quota_wait: 'working',
  stopping: 'ending',
  restart_wait: 'absent',
  failed: 'absent',
} as const;

/** What supervision of terminals needs to know about a loop's agent. */
export function loopAgent(state: LoopState): TerminalAgent {
  const { sessionName, runId, agent, launchCount, agentProcess, status, stop } = state;
  return {
    sessionName,
    runId,
    agent,
    launchCount,
    process: agentProcess,
    phase: PHASES[status],
    announced: stop?.by === 'agent',
  };
}

/** What is typed to start a loop on its directory. */
export function loopCommand(
  { agent, taskDir, permissions }: LoopState,
  agents: Agents,
): LaunchCommand {
  return {
    directory: taskDir,
    permissions: () =>
      permissions === null ? null : launchPermissions(permissions, ownProject(taskDir)),
    line: (flags) => agents.shellLine(agent, taskDir, flags),
    prompt: agents.prompt(taskDir),
  };
}
