/** Texts for a loop and its evidence: the same in the shell and on the page. */
import { WITNESS_TEXT } from '../sessions/agent-text.ts';
import type { EvidenceWitness } from '../../schema/events/evidence.ts';
import type { Unproven } from '../../schema/loops/loop-check.ts';
import type { PastLoop, LoopSeconds } from '../../schema/loops/past-loop.ts';
import type { LoopStatus } from '../../schema/model.ts';
import type { Reason } from '../../schema/reasons.ts';
import { reasonText } from '../reason-text.ts';

export const LOOP_STATUS_TEXT: Record<LoopStatus, string> = {
  starting: 'Starting',
  running: 'Running',
  stopping: 'Stopping',
  quota_wait: 'Waiting for quota',
  restart_wait: 'Waiting to restart',
  failed: 'Failed',
  stopped: 'No loop',
};

/** The agent's own witnesses unless stated. */
export const EVIDENCE_TEXT: Record<EvidenceWitness, string> = {
  ...WITNESS_TEXT,
  stream: 'the agent’s stream',
  terminal: 'its terminal',
  origin: 'where its process started',
  signal: 'its last signal',
  clock: 'the clock',
  directory: 'the task directory',
  task_index: 'the task index',
  checks: 'the checks on this machine',
  person: 'a person',
  daemon: 'the daemon',
};

/** In display order. */
export const SHARES = ['working', 'waiting', 'quota', 'recovering'] as const;

export const SHARE_TEXT: Record<keyof LoopSeconds, string> = {
  working: 'working',
  waiting: 'waiting',
  quota: 'for quota',
  recovering: 'recovering',
};

/** Of a loop that ended as completed. */
export const UNPROVEN_TEXT: Record<Unproven, string> = {
  checks_failed: 'unverified: the checks fail',
  no_checks: 'unverified: there are no checks',
  not_checked: 'unverified: the checks were not run',
};

const CURRENT_TEXT: Record<keyof LoopSeconds, string> = {
  working: 'Working',
  waiting: 'Waiting for a person',
  quota: 'Waiting for quota',
  recovering: 'Recovering',
};

/** How it ended, or what it does. */
export function loopOutcomeText(past: PastLoop): string {
  const { outcome, reason, ended_at, unproven } = past;
  if (ended_at === null) return currentText(past);
  if (outcome === null || reason === null) return 'Ended (the end is not in the log)';
  const { label } = reasonText(reason);
  if (unproven !== null) return `${label}, ${UNPROVEN_TEXT[unproven]}`;
  return outcome === 'failed' ? `Failed: ${label}` : label;
}

function currentText({ current_share, waits_for }: PastLoop): string {
  if (waits_for === 'start') return 'Starting';
  if (waits_for === 'stop') return 'Stopping';
  return CURRENT_TEXT[current_share ?? 'working'];
}

/** Before the time of a loop's wait. A state that cannot be determined is no wait. */
export function sinceText(reason: Reason): string {
  return reason === 'unknown_screen' ? 'Unknown since' : 'Waiting since';
}

/** In seconds. */
export function loopLength({ seconds }: Pick<PastLoop, 'seconds'>): number {
  return SHARES.reduce((sum, share) => sum + seconds[share], 0);
}
