/** A run as clients read it. Pure. */
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import { type ClaimWait, waitForClaim } from '../claims/claim-wait.ts';
import { reserveWait } from '../supervision/reserve-wait.ts';
import type { Wait } from '../../shared/schema/model.ts';
import { WORK_PHASES } from '../../shared/rules/work/run-phases.ts';
import { runTitle } from '../../shared/rules/work/run-title.ts';
import type { WorkPhase } from '../../shared/schema/runs/run-phase.ts';
import type { PhaseSpend, Run, RunSummary } from '../../shared/schema/runs/run.ts';
import { HELD_NEXT, timedNextStep, reasonText } from '../../shared/words/reason-text.ts';
import { runNextStep } from '../../shared/words/work/run-text.ts';
import { toIso } from '../lib/clock.ts';
import type { QueuePosition } from '../supervision/schedule-queue.ts';
import type { Worktree } from '../worktrees/worktrees.ts';
import { totalSpent } from './machine/ending.ts';
import { errorOf, reasonOf, statusOf } from './machine/step.ts';
import type { RunState } from './machine/run-state.ts';
import { hasWorktree, type RunRecord } from './stores/run-record.ts';

const DAY_MS = 24 * 60 * 60_000;

/** What is known about a run besides its record. */
export interface RunSurroundings {
  worktree: Worktree | null;
  /** In the queue; null for what is not queued. */
  place: QueuePosition | null;
  /** Why no turn may be sent now. */
  hold: BudgetHold | null;
  /** Why it cannot get its claim. */
  claim: ClaimWait | null;
  activeMs: number;
  hasPendingInput: boolean;
  /** Its directory exists. */
  isValid: boolean;
  nowMs: number;
}

/** Left alone for more than a day before it was complete; 24 hours exactly are not more. */
export function isStaleRun({ state, updatedAt }: RunRecord, nowMs: number): boolean {
  const isOpen = state.now.stage === 'over' && state.now.result.status !== 'done';
  return isOpen && nowMs - Date.parse(updatedAt) > DAY_MS;
}

export function runSummary(record: RunRecord, around: RunSurroundings): RunSummary {
  const { id, request, state, createdBy, updatedAt } = record;
  const { options, directory } = request;
  const { outputTokens, costUsd } = totalSpent(state);
  const branch = around.worktree?.branch ?? null;
  const context = Object.entries(state.contexts ?? {}).find(
    ([phase]) => phase === state.phase,
  )?.[1];
  return {
    id,
    title: runTitle(options.prompt),
    working_dir: directory,
    worktree_path: around.worktree?.path ?? null,
    branch: branch ?? (hasWorktree(request) ? (options.branch ?? `run/${id}`) : null),
    status: statusOf(state.now),
    stage: state.now.stage,
    phase: state.phase,
    iteration: state.iteration,
    max_fix_rounds: options.max_fix_rounds,
    reason: reasonOf(state.now),
    error: errorOf(state.now),
    wait: waitOf(state, around),
    proof: state.proof,
    active_seconds: Math.round(around.activeMs / 1000),
    cost_usd: costUsd,
    output_tokens: outputTokens,
    model: context?.model ?? null,
    context_percent: context?.percent ?? null,
    stale: isStaleRun(record, around.nowMs),
    valid: around.isValid,
    created_by: createdBy,
    started_at: state.startedAt,
    updated_at: updatedAt,
    completed_at: state.completedAt,
  };
}

export function runView(record: RunRecord, around: RunSurroundings): Run {
  const { request, state, acceptedPlan, agentPlan } = record;
  const { now } = state;
  const pid = 'turn' in now ? now.turn?.process?.pid : null;
  return {
    ...runSummary(record, around),
    prompt: request.options.prompt,
    options: request.options,
    limits_from: request.limitsFrom ?? 'request',
    base: around.worktree?.base ?? request.options.base_branch ?? null,
    spent: perPhase((phase) =>
      spendOf(state, phase, phase === state.phase ? around.activeMs - state.activeMs : 0),
    ),
    conversations: state.conversations,
    process_pid: pid ?? null,
    rounds: state.rounds,
    has_plan: state.hasPlan,
    plan_edited: acceptedPlan !== null && acceptedPlan !== agentPlan,
    evidence: evidenceOf(state),
    input_pending: around.hasPendingInput,
    has_report: state.hasReport,
    merged_into: state.mergedInto,
    not_merged: state.notMerged ?? null,
    actions: actionsOf(record, around),
  };
}

/** What a person may do now. */
function actionsOf(
  { request, state }: RunRecord,
  { isValid }: Pick<RunSurroundings, 'isValid'>,
): Run['actions'] {
  const { now } = state;
  if (now.stage === 'ending') return [];
  if (now.stage === 'merging') return ['stop'];
  if (now.stage !== 'over') {
    const isReview = now.stage === 'waiting' && now.reason === 'plan_review';
    return ['stop', 'input', ...(isReview ? (['accept_plan'] as const) : [])];
  }
  const { status } = now.result;
  const actions: Run['actions'] = [];
  if (status !== 'done' && isValid) actions.push('resume');
  if (hasWorktree(request) && isValid) actions.push('merge');
  actions.push('delete');
  return actions;
}

function perPhase<Value>(value: (phase: WorkPhase) => Value): Record<WorkPhase, Value> {
  const entries = WORK_PHASES.map((phase) => [phase, value(phase)]);
  return Object.fromEntries(entries) as Record<WorkPhase, Value>;
}

/** `sinceMs`: working time that is not counted yet. */
function spendOf({ spent }: RunState, phase: WorkPhase, sinceMs: number): PhaseSpend {
  const { activeMs, inputTokens, outputTokens, costUsd, turns } = spent[phase];
  return {
    seconds: Math.round((activeMs + Math.max(0, sinceMs)) / 1000),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd,
    turns,
  };
}

function waitOf({ now }: RunState, { place, hold, claim }: RunSurroundings): Wait | null {
  if (now.stage === 'queued') {
    if (claim !== null) return waitForClaim(claim);
    if (hold?.reason === 'reserve') return reserveWait(hold, now.sinceMs);
    const next = place?.isHeld === true ? HELD_NEXT : reasonText('concurrency').next;
    const since = toIso(now.sinceMs);
    return { reason: 'concurrency', since, until: null, next, evidence: [] };
  }
  if (now.stage !== 'waiting') return null;
  const { reason, sinceMs, dueMs, witness, lines } = now;
  return {
    reason,
    since: toIso(sinceMs),
    until: dueMs === null ? null : toIso(dueMs),
    next: dueMs === null ? runNextStep(reason) : timedNextStep(reason),
    evidence: [{ witness, at: toIso(sinceMs), lines }],
  };
}

/** What its end or its wait rests on. */
function evidenceOf({ now, rounds }: RunState): Run['evidence'] {
  if (now.stage === 'waiting') {
    return [{ witness: now.witness, at: toIso(now.sinceMs), lines: now.lines }];
  }
  const last = rounds.at(-1);
  if (now.stage !== 'over' || last === undefined) return [];
  // Without a failed check it rests on what the reviewer wrote.
  const [witness, text] =
    last.detail === '' ? (['stream', last.findings] as const) : (['checks', last.detail] as const);
  const lines = text.split('\n').slice(0, 5);
  const shown = lines.filter((line) => line !== '').map((line) => line.slice(0, 300));
  return shown.length === 0 ? [] : [{ witness, at: last.at, lines: shown }];
}
