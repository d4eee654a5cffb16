/** Whether an input may be typed now: pure. Nothing is typed on trust, and never into a dialog. */
import type { AgentStateName } from '../../shared/agent-state.ts';
import type { DeliveryReason, InputSource } from '../../shared/delivery.ts';

/** What is in front of a terminal, as fresh as a look at it can be. */
export type InFront =
  | { kind: 'gone' }
  | { kind: 'shell'; name: string }
  /** A program that is no agent. */
  | { kind: 'program'; name: string }
  | {
      kind: 'agent';
      name: string;
      state: AgentStateName;
      box: 'none' | 'empty' | 'draft';
      /** The time of its limit has come: what a person says may go through again. */
      isReset?: boolean;
    };

export type TypeVerdict =
  /** Only while `inFront` is in front. `confirm`: the agent must be seen to take it. */
  | { kind: 'type'; inFront: string; confirm: boolean }
  | { kind: 'hold'; reason: DeliveryReason }
  | { kind: 'fail'; reason: DeliveryReason };

/** The daemon stays out of a terminal in which a person typed this recently. */
const QUIET_FOR_DAEMON_MS = 10_000;
/** Another person's words are not mixed into a line that is being typed. */
const QUIET_FOR_PERSON_MS = 2_000;

const HOLD: Partial<Record<AgentStateName, DeliveryReason>> = {
  starting: 'agent_starting',
  waiting: 'agent_waiting',
  limited: 'agent_limited',
  compacting: 'agent_busy',
  unknown: 'agent_unknown',
};

/** A client without a prompt box is often not understood as a whole; the line that asks is. */
const ANSWERABLE: readonly AgentStateName[] = ['ready', 'waiting', 'unknown'];

/** At work: the client queues what a person says, and the daemon has nothing to say. */
const BUSY: readonly AgentStateName[] = ['working', 'retrying'];

/**
 * Takes who wants to type, what is in front, and how long ago a person typed there. `asked`: a line
 * without a prompt box was read and asks for just this.
 */
export function mayType(
  source: InputSource,
  front: InFront,
  sinceTypedMs: number | null,
  asked = false,
): TypeVerdict {
  if (front.kind === 'gone') return { kind: 'fail', reason: 'terminal_gone' };
  const quietMs = source === 'daemon' ? QUIET_FOR_DAEMON_MS : QUIET_FOR_PERSON_MS;
  if (sinceTypedMs !== null && sinceTypedMs < quietMs) return hold('person_typing');
  if (front.kind !== 'agent') {
    // The daemon speaks to agents alone; a person knows what they type into.
    if (source === 'daemon') return { kind: 'fail', reason: 'program_changed' };
    return { kind: 'type', inFront: front.name, confirm: false };
  }
  if (asked && front.box === 'none' && ANSWERABLE.includes(front.state)) {
    return { kind: 'type', inFront: front.name, confirm: true };
  }
  // A supervisor nudges an agent at its limit, and knows when.
  const mayNudge = front.state === 'limited' && (source === 'daemon' || front.isReset === true);
  const held = mayNudge ? undefined : HOLD[front.state];
  if (held !== undefined) return hold(held);
  if (source === 'daemon' && BUSY.includes(front.state)) return hold('agent_busy');
  if (front.box === 'none') return hold('agent_unknown');
  if (front.box === 'draft') return hold('draft_in_box');
  return { kind: 'type', inFront: front.name, confirm: true };
}

function hold(reason: DeliveryReason): TypeVerdict {
  return { kind: 'hold', reason };
}
