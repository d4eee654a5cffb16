/** What an agent and its directory show: work, idleness, an end, a directory that is gone. */
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { claimEnd, endAnnounced } from './checking.ts';
import { enterQuota, isLimited, watchQuota } from './quota.ts';
import { observeScreen } from './recovery.ts';
import { scheduleRestart } from './restarting.ts';
import { signalEvidence } from './signals.ts';
import type { LoopState } from './loop-state.ts';
import { type Input, type Step, evidenceFrom } from './step.ts';
import {
  agentExitedWhileStopping,
  cancelCheck,
  end,
  isRequested,
  requestStop,
} from './stopping.ts';

/** What was observed of it last changes nothing when it is observed again, at any time. */
export function isSettled(state: LoopState): boolean {
  const { status, stop, check, recovering, dueMs, idleSinceMs } = state;
  const open = [stop, check, recovering, dueMs, idleSinceMs];
  return status === 'running' && open.every((each) => each === null);
}

export function onObserved(step: Step, observation: Input<'observed'>): void {
  const { state, policy } = step;
  const { agent, taskDir, known, ageMs } = observation;
  // A directory that does not answer may be the same one: it decides nothing.
  if ((taskDir === 'gone' || taskDir === 'replaced') && state.stop === null) {
    const text = taskDir === 'gone' ? 'is gone' : 'was replaced';
    const evidence = [evidenceFrom(step, 'directory', `${state.taskDir} ${text}`)];
    requestStop(step, 'dir_gone', 'daemon', evidence);
  }
  const hasExited = agent === 'gone' || agent === 'left';
  // The end is being checked: its result decides, another stop, or an agent that works again.
  const worksAgain = !hasExited && known?.state === 'working';
  if (state.check?.failed === null && worksAgain) cancelCheck(step);
  if (step.ended || state.check !== null) return;
  if (agent !== 'idle') state.idleSinceMs = null;
  if (hasExited) return onAgentExited(step, agent, observation);
  if (state.status === 'running') {
    if (isLimited(known)) enterQuota(step, known);
    else observeScreen(step, observation);
  } else if (state.status === 'quota_wait') watchQuota(step, observation);
  if (agent !== 'idle' || state.status !== 'stopping') return;
  state.idleSinceMs ??= ageMs;
  if (ageMs - state.idleSinceMs < policy.idleConfirmMs) return;
  if (isRequested(state)) end(step, state.stop.reason);
  else endAnnounced(step);
}

function onAgentExited(
  step: Step,
  how: 'gone' | 'left',
  { taskStatus, lastRows }: Input<'observed'>,
): void {
  const { state } = step;
  if (state.status === 'stopping') {
    return isRequested(state) ? agentExitedWhileStopping(step) : endAnnounced(step);
  }
  if (state.status !== 'running' && state.status !== 'quota_wait') return;
  const evidence = exitEvidence(step, how);
  // The last signal may have been deleted before it was read; the task's own index still has it.
  const index = evidenceFrom(step, 'task_index', `status ${taskStatus ?? '-'}`);
  if (taskStatus === 'complete') return claimEnd(step, 'completed', [...evidence, index]);
  if (taskStatus === 'blocked') return end(step, 'blocked', [...evidence, index]);
  if (taskStatus === 'cancelled') return end(step, 'cancelled', [...evidence, index]);
  if (how === 'left') return end(step, 'user_closed', evidence);
  const screen = lastRows.length === 0 ? [] : [evidenceFrom(step, 'screen', ...lastRows)];
  scheduleRestart(step, 'crashed', [...screen, ...evidence, ...signalEvidence(step)]);
}

function exitEvidence(step: Step, how: 'gone' | 'left'): Evidence[] {
  const process = step.state.agentProcess;
  return [
    evidenceFrom(
      step,
      'process',
      process === null ? 'no agent' : `process ${process.pid} has ended`,
    ),
    how === 'left'
      ? evidenceFrom(step, 'hook', 'the user exited the agent')
      : evidenceFrom(step, 'terminal', 'the shell is in the foreground'),
  ];
}
