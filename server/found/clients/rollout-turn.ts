/**
 * What the lines of a rollout prove about the turn. Codex does not record that it asks a person:
 * from a call that may have to be approved on, it is only known to run until the turn is over. Pure.
 */
import type { ProvenState } from './other-client.ts';
import type { RolloutFact } from './rollout-line.ts';

export interface RolloutTurn {
  /** Null: no beginning or end of a turn was seen. */
  proven: ProvenState | null;
  /** Null: not seen. */
  mayAsk: boolean | null;
}

export const NO_TURN: RolloutTurn = { proven: null, mayAsk: null };

/** Tools for which it asks only as its policy says. */
const BY_POLICY = [
  'exec_command',
  'write_stdin',
  'shell',
  'apply_patch',
  'view_image',
  'update_plan',
];

/** `startMs`: of the process; a turn that was open before has ended with an earlier one. */
export function foldRollout(turn: RolloutTurn, fact: RolloutFact, startMs: number): RolloutTurn {
  const { atMs } = fact;
  switch (fact.kind) {
    case 'started':
      return { ...turn, proven: atMs < startMs ? null : { state: 'working', sinceMs: atMs } };
    case 'completed':
      return { ...turn, proven: { state: 'ready', sinceMs: atMs } };
    case 'aborted':
      return { ...turn, proven: { state: 'interrupted', sinceMs: atMs } };
    case 'settings':
      return { ...turn, mayAsk: fact.mayAsk };
    case 'context':
      return { mayAsk: fact.mayAsk, proven: inTurn(turn.proven, atMs) };
    case 'item': {
      const isFree = turn.mayAsk === false && BY_POLICY.includes(fact.tool ?? '');
      const mayWait = fact.tool !== null && !isFree && turn.proven?.state === 'working';
      return { ...turn, proven: mayWait ? runningSince(atMs) : inTurn(turn.proven, atMs) };
    }
  }
}

/** Older versions record neither beginning nor end of a turn, only that one was stopped. */
function inTurn(proven: ProvenState | null, atMs: number): ProvenState | null {
  const isOver = proven?.state === 'ready' || proven?.state === 'interrupted';
  return isOver ? runningSince(atMs) : proven;
}

function runningSince(sinceMs: number): ProvenState {
  return { state: 'running', sinceMs };
}
