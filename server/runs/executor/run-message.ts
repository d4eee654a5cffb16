/** The text of one message: a person's part first, then the daemon's own. */
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { RunCheck } from '../../../shared/schema/runs/run.ts';
import { randomId } from '../../lib/random-id.ts';
import { digest } from '../../turns/digest.ts';
import type { TurnMessage } from '../../turns/recorded-turn.ts';
import type { RunTurn } from '../machine/run-state.ts';
import { phaseMessage } from '../messages/phase-message.ts';
import { verdictRequest } from '../messages/review-verdict.ts';
import { planPath, readPlan } from '../plan-file.ts';
import { hasWorktree, ownerOf, planOf } from '../stores/run-record.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { ownWorktree } from './work-place.ts';

export const COMPACT = '/compact';
export const CONTINUE = 'Please continue where you left off.';
/** The newest interactions of all phases; those of the lost conversation seed a new one. */
const DIGEST_ENTRIES = 400;

export function runMessage(options: EffectOptions, { phase, message }: RunTurn): TurnMessage {
  const input = message.inputId === null ? null : options.inputs.get(message.inputId);
  const own = ownText(options, phase, message);
  const person = input?.text ?? '';
  // A slash at the beginning is a command of the client, and would swallow what follows.
  const isCommand = person.trimStart().startsWith('/') && own !== '';
  const first = isCommand ? `The user says:\n\n${person}` : person;
  const text = [first, own].filter((part) => part !== '').join('\n\n');
  return { text, images: [], own, person, author: input?.author ?? null };
}

function ownText(options: EffectOptions, phase: WorkPhase, message: RunTurn['message']): string {
  const { state } = options.record();
  switch (message.kind) {
    case 'input':
      return '';
    case 'reply':
      return message.text;
    case 'continue':
      return CONTINUE;
    case 'verdict':
      return verdictRequest(state.nonce);
    case 'compact':
      return COMPACT;
    case 'open':
      return phaseMessage(openingFacts(options, phase, false));
    case 'digest': {
      const opening = phaseMessage(openingFacts(options, phase, true));
      const { text } = message;
      return text === undefined
        ? opening
        : `${opening}\n\nThe answer to your last message:\n\n${text}`;
    }
  }
}

function openingFacts(options: EffectOptions, phase: WorkPhase, isDigest: boolean) {
  const { record, interactions, home } = options;
  const { id, request, state } = record();
  const last = state.rounds.at(-1);
  const newest = isDigest ? interactions.page(ownerOf(id), { limit: DIGEST_ENTRIES }) : [];
  const checks = last === undefined ? [] : options.checks.of(id, last.iteration);
  return {
    phase,
    isNew: state.conversations[phase] === null,
    prompt: request.options.prompt,
    // The file has what was ticked since.
    plan: phase === 'plan' ? null : (readPlan(home, id) ?? planOf(record())),
    planPath: phase === 'plan' ? null : planPath(home, id),
    branch: hasWorktree(request) ? (ownWorktree(options)?.branch ?? null) : null,
    iteration: state.iteration,
    checks: shownChecks(phase, checks),
    findings: phase === 'fix' && last?.verdict === 'fail' ? last.findings : null,
    diffStat: state.changes,
    digest: isDigest ? digest(newest.filter(({ turn }) => state.turns[turn - 1] === phase)) : null,
    nonce: phase === 'review' ? state.nonce : randomId(),
  };
}

/** The reviewer sees all of them; who fixes, those that failed. */
function shownChecks(phase: WorkPhase, checks: readonly RunCheck[]): RunCheck[] {
  if (phase === 'review') return checks.filter(({ status }) => status !== 'pending');
  return phase === 'fix' ? checks.filter(({ status }) => status === 'failed') : [];
}
