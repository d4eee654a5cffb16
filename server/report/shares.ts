/** Where time goes, by what a unit waits for and by what its agent does. Pure. */
import type { RespawnBlock } from '../../shared/rules/respawn/respawn-names.ts';
import type { AgentState, AgentStateName } from '../../shared/schema/agents/agent-state.ts';
import type { Reason } from '../../shared/schema/reasons.ts';
import type { ReportShare } from '../../shared/schema/usage/report.ts';
import type { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';

/** Of waits that end without a person; all others need one. */
const WAITS: Partial<Record<Reason, ReportShare>> = {
  quota: 'quota',
  reserve: 'quota',
  agent_not_started: 'recovering',
  overloaded: 'recovering',
  retrying: 'recovering',
  api_error: 'recovering',
  hung_stream: 'recovering',
  crashed: 'recovering',
  interrupted: 'recovering',
  client_failed: 'recovering',
  session_lost: 'recovering',
  terminal_lost: 'recovering',
  concurrency: 'queued',
  dependency: 'queued',
  claimed: 'queued',
  fleet_unreachable: 'queued',
};

/** Without a reason it waits in the queue. */
function waitShare(reason: Reason | null): ReportShare {
  return reason === null ? 'queued' : (WAITS[reason] ?? 'waiting');
}

/** Null when it is over. */
export function taskShare(status: TaskStatus, reason: Reason | null): ReportShare | null {
  switch (status) {
    case 'PENDING':
      return 'queued';
    case 'RUNNING':
    case 'TESTING':
      return 'working';
    case 'PAUSED':
      return waitShare(reason);
    default:
      return null;
  }
}

/** Null when it is over. */
export function runShare(status: RunStatus, reason: Reason | null): ReportShare | null {
  switch (status) {
    case 'queued':
      return 'queued';
    case 'running':
      return 'working';
    case 'waiting':
      return waitShare(reason);
    case 'stopping':
      return 'stopped';
    default:
      return null;
  }
}

/** An agent at its prompt, or one that is starting, has no work; one that only runs has none that is proven. Null without an agent. */
const AGENT: Record<AgentStateName, ReportShare | null> = {
  starting: 'stopped',
  ready: 'stopped',
  working: 'working',
  retrying: 'recovering',
  waiting: 'waiting',
  limited: 'quota',
  errored: 'waiting',
  background: 'working',
  compacting: 'working',
  interrupted: 'stopped',
  exited: null,
  running: 'stopped',
  unknown: 'stopped',
};

export function agentShare(agent: AgentState | null): ReportShare | null {
  return agent === null ? null : AGENT[agent.state];
}

const BLOCKS: Partial<Record<RespawnBlock, ReportShare>> = {
  quota: 'quota',
  reserve: 'quota',
  working: 'working',
  background_work: 'working',
};

/** Of a session that respawn keeps going: its agent says it, and at its prompt what blocks it. */
export function respawnShare(
  agent: AgentState | null,
  block: RespawnBlock | null,
  isPaused: boolean,
): ReportShare {
  if (isPaused) return 'stopped';
  const share = agentShare(agent);
  if (share !== null && share !== 'stopped') return share;
  return block === null ? 'working' : (BLOCKS[block] ?? 'waiting');
}
