/** What prevents a prompt now: each with its reason, for the view, the event and a person. */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { RespawnBlock } from '../../../shared/rules/respawn/respawn-names.ts';
import type { AgentCause, AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import { visibleWork } from '../detection/idle-layers.ts';
import { breakerNow } from './breaker.ts';
import { isReset } from './quota.ts';
import { at, emit, note, type Step, witnessed } from './step.ts';

export interface Obstacle {
  reason: RespawnBlock;
  until: string | null;
  witness: EvidenceWitness;
  lines: readonly string[];
}

/** Failures that a new prompt does not get over; of the others a cycle is the retry. */
const LASTING: readonly AgentCause[] = [
  'authentication',
  'billing',
  'invalid_request',
  'model_not_found',
];

/** Against sending anything, the next step of a cycle included. */
export function holdOf(step: Step): Obstacle | null {
  const { run, nowMs, wallMs } = step;
  const { agent, asked, keys } = run.signs;
  if (run.graceEndsMs !== null && run.graceEndsMs > nowMs) {
    return byClock(step, 'restored', run.graceEndsMs, 'the daemon was started again');
  }
  if (isOtherPending(step))
    return seen('text_pending', 'daemon', 'an earlier text may still arrive');
  if (keys !== null) return seen('keys_taken', 'person', `${keys} has the keys`);
  if (agent === null) return seen('no_agent', 'process', 'no agent in the foreground');
  if (agent.state === 'exited') return ofAgent('agent_exited', agent);
  if (agent.state === 'unknown') return ofAgent('unknown_screen', agent);
  const work = visibleWork(run.signs, nowMs, RESPAWN_TIMINGS.working_absence);
  if (work !== null) return seen(work.reason, agent.witness, ...work.lines);
  if (agent.state === 'waiting') return ofAgent('waiting_for_person', agent);
  if (asked !== null) return seen('waiting_for_person', 'hook', asked.line);
  if (agent.state === 'limited' && !isReset(agent, wallMs))
    return { ...ofAgent('quota', agent), until: agent.until };
  if (run.quota === 'limited' && !run.signs.mayTry) {
    return seen('quota', 'daemon', 'another session tries the limit first');
  }
  if (run.signs.budget !== null) {
    const { reason, text, untilMs } = run.signs.budget;
    const until = untilMs === null ? null : at(step, untilMs);
    return { ...seen(reason, 'daemon', text), until };
  }
  if (agent.state === 'interrupted') return ofAgent('interrupted', agent);
  const isLasting = agent.state === 'errored' && LASTING.includes(agent.cause);
  return isLasting ? ofAgent('agent_error', agent) : null;
}

/** The state of a step waits for the text of that same step. */
function isOtherPending({ kept: { pending }, visit }: Step): boolean {
  return pending !== null && !('input' in visit && visit.input === pending);
}

/** Against beginning a cycle. */
export function obstacleOf(step: Step): Obstacle | null {
  const hold = holdOf(step);
  if (hold !== null) return hold;
  const { reported } = step.run.signs;
  if (reported !== null)
    return seen(`reported_${reported.status}`, reported.witness, reported.line);
  const breaker = breakerNow(step);
  if (breaker.status !== 'open') return null;
  const words = `${breaker.misses} cycles without progress`;
  return byClock(step, 'circuit_open', breaker.untilMs, words);
}

/** Reported once for each reason, however often it is found. */
export function block(step: Step, { reason, until, witness, lines }: Obstacle): void {
  const { run, kept } = step;
  const evidence = [witnessed(step, witness, ...lines)];
  if (run.block?.reason === reason) {
    run.block = { ...run.block, until, evidence };
    return;
  }
  run.block = { reason, since: at(step, step.nowMs), until, evidence };
  emit(step, { type: 'respawn.blocked', data: { reason, cycle: kept.cycles, until, evidence } });
  note(step, 'blocked', `${reason}: ${lines.join(' ')}`);
}

/** A reason that no longer holds is not shown any more. */
export function unblock(step: Step): void {
  const { run, visit } = step;
  if (run.block === null || visit.status === 'stopped') return;
  const isStuck = run.block.reason === 'stuck' && visit.sinceAt <= run.block.since;
  if (!isStuck && obstacleOf(step)?.reason !== run.block.reason) run.block = null;
}

function ofAgent(reason: RespawnBlock, { witness, state, cause, detail }: AgentState): Obstacle {
  const words = cause === 'none' ? state : `${state}: ${cause}`;
  return seen(reason, witness, ...(detail === null ? [words] : [words, detail]));
}

function seen(reason: RespawnBlock, witness: EvidenceWitness, ...lines: string[]): Obstacle {
  return { reason, until: null, witness, lines };
}

function byClock(step: Step, reason: RespawnBlock, untilMs: number, words: string): Obstacle {
  return { reason, until: at(step, untilMs), witness: 'clock', lines: [words] };
}
