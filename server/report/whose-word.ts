/** On whose word a unit ended. Pure. */
import type { Reason } from '../../shared/schema/reasons.ts';
import type { ReportWord } from '../../shared/schema/usage/report.ts';
import type { Unit } from './unit.ts';

const WORDS: Partial<Record<Reason, ReportWord>> = {
  user_stop: 'person',
  user_closed: 'person',
  cancelled: 'person',
  timeout: 'limit',
  max_iterations: 'limit',
  max_tokens: 'limit',
  max_cost: 'limit',
  budget: 'limit',
  stall_limit: 'limit',
  restart_limit: 'limit',
  fix_limit: 'limit',
  stuck: 'limit',
  tests_failed: 'checks',
  gate_failed: 'checks',
  no_verdict: 'model',
  blocked: 'agent',
  conflict: 'agent',
};

/** Null while it is open. A completion is the word of the checks where they passed. */
export function whoseWord({ outcome, reason, proof, isJudged, endedBy }: Unit): ReportWord | null {
  if (outcome === null) return null;
  if (outcome === 'completed') {
    if (proof?.state === 'proven') return 'checks';
    return isJudged ? 'model' : 'agent';
  }
  const word = WORDS[reason as Reason];
  if (word !== undefined) return word;
  return endedBy === null ? 'daemon' : 'person';
}
