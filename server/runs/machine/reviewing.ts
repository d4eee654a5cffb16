/** Review and fix: the host's checks first, the reviewer's word second. */
import type { RunRound } from '../../../shared/schema/runs/run.ts';
import { complete, fail } from './ending.ts';
import { stuckReason } from './failure-signature.ts';
import { OPEN } from './fresh-run.ts';
import type { RunState, Verdict } from './run-state.ts';
import { startTurn } from './start-turn.ts';
import { type Input, iso, setPhase, type Step } from './step.ts';

const STUCK_TEXT = {
  same_failure: 'the same failure came back after every fix',
  alternating: 'the same failures alternate',
  no_change: 'the last fix rounds changed nothing',
} as const;

/** An agent says that it is done: the work is checked. */
export function workDone(step: Step): void {
  setPhase(step, 'review');
  step.state.next = OPEN;
  checkWork(step);
}

export function checkWork(step: Step): void {
  step.state.now = { stage: 'checking' };
  step.effects.push({ kind: 'check' });
}

/** The checks are over. */
export function onChecked(step: Step, input: Input<'checked'>): void {
  const { state, wallMs } = step;
  if (state.now.stage !== 'checking') return;
  const { outcome, commit, changed, detail, signature } = input;
  const { iteration } = state;
  const unreviewed = unreviewedRound(state);
  const round: RunRound = {
    iteration,
    at: iso(wallMs),
    commit,
    changed: changed || unreviewed?.changed === true,
    checks: outcome,
    detail,
    verdict: null,
    findings: '',
  };
  const before = unreviewed === null ? state.rounds : state.rounds.slice(0, -1);
  state.rounds = [...before, round];
  state.changes = input.changes;
  state.proof = outcome === 'passed' ? 'proven' : outcome === 'none' ? 'unproven' : 'refuted';
  if (step.pendingInput !== null) return startTurn(step);
  if (state.proof === 'refuted') return fixFailure(step, signature);
  state.next = OPEN;
  startTurn(step);
}

/** `isSecond`: the reviewer was asked for the verdict alone. */
/** Its reviewer was asked and did not answer: the same round is checked again. */
function unreviewedRound({ rounds, turns }: RunState): RunRound | null {
  const last = rounds.at(-1);
  const isAsked =
    turns.at(-1) === 'review' && (last?.checks === 'passed' || last?.checks === 'none');
  return isAsked && last.verdict === null ? last : null;
}

export function onReviewed(
  step: Step,
  { verdict, findings, signature }: Verdict & { signature: string },
  isSecond: boolean,
): void {
  const { run, state, events } = step;
  const { iteration } = state;
  const [round] = state.rounds.slice(-1);
  if (round !== undefined) {
    // The second answer is the verdict alone; the findings came before it.
    const all = isSecond && round.findings !== '' ? round.findings : findings;
    state.rounds = [...state.rounds.slice(0, -1), { ...round, verdict, findings: all }];
    events.push({ type: 'run.review', data: { run, iteration, verdict, findings: all } });
  }
  if (step.pendingInput !== null) return startTurn(step);
  const isProven = round?.checks === 'passed';
  if (verdict === 'pass') return complete(step, isProven ? 'proven' : 'unproven');
  if (verdict === 'fail') {
    state.proof = 'refuted';
    return fixFailure(step, signature);
  }
  if (!isSecond) {
    state.next = { kind: 'verdict', inputId: null };
    return startTurn(step);
  }
  if (isProven) return complete(step, 'proven');
  fail(step, 'no_verdict', 'the reviewer gave no verdict, and no check proves the work');
}

/** Another round, within the limits, unless it leads nowhere. */
function fixFailure(step: Step, signature: string): void {
  const { state, options } = step;
  const { rounds, forgiven } = state;
  state.signatures = [...state.signatures, signature];
  state.unchangedRounds = rounds.at(-1)?.changed === false ? state.unchangedRounds + 1 : 0;
  const counted = state.signatures.slice(forgiven.signatures);
  const stuck = stuckReason(counted, state.unchangedRounds, options.same_failure_limit);
  const detail = rounds.at(-1)?.detail ?? '';
  if (stuck !== null) {
    return fail(step, 'stuck', [STUCK_TEXT[stuck], detail].filter(Boolean).join(': '));
  }
  if (state.iteration - forgiven.rounds >= options.max_fix_rounds) {
    return fail(step, 'fix_limit', detail === '' ? null : detail);
  }
  state.iteration += 1;
  setPhase(step, 'fix');
  state.next = OPEN;
  startTurn(step);
}
