/** Whether an input may be typed now: pure. Nothing is typed on a guess, and never into a dialog. */
import type { AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import type { DeliveryReason, InputSource } from '../../../shared/schema/attention/delivery.ts';
import { isSameProgram, type Program } from './program.ts';

/** The agent in the foreground of a terminal, with its prompt box. */
export interface ForegroundAgent {
  kind: 'agent';
  name: string;
  program: Program;
  state: AgentStateName;
  box: 'none' | 'empty' | 'draft';
  /** The text in the box; null where it is empty or the client's screen does not show it. */
  draft: string | null;
  /** The reset time of its limit has passed: a person's input may go through again. */
  isReset?: boolean;
  /** Its client's dialog about a usage limit is open. */
  showsLimitDialog?: boolean;
  /** Its client is newer than the newest tested, and not trusted. */
  isUntested?: boolean;
}

/** The foreground of a terminal, as fresh as a probe can be. */
export type ProbedForeground =
  | { kind: 'gone' }
  | { kind: 'shell'; name: string; program: Program }
  /** A program that is no agent. */
  | { kind: 'program'; name: string; program: Program }
  | ForegroundAgent;

/** The input, and the program it was submitted to: null in rows of older versions. */
export interface Typing {
  source: InputSource;
  text: string;
  program: Program | null;
}

export type TypeVerdict =
  /** Only while a program named `foreground` is in the foreground. `agent`: the agent must be seen to accept it. */
  | { kind: 'type'; foreground: string; agent: ForegroundAgent | null }
  | { kind: 'hold'; reason: DeliveryReason }
  | { kind: 'fail'; reason: DeliveryReason };

/** The daemon stays out of a terminal in which a person typed this recently. */
export const QUIET_FOR_DAEMON_MS = 10_000;
/** Another person's text is not mixed into a line that is being typed. */
const QUIET_FOR_PERSON_MS = 2_000;

const HOLD: Partial<Record<AgentStateName, DeliveryReason>> = {
  starting: 'agent_starting',
  waiting: 'agent_waiting',
  limited: 'agent_limited',
  compacting: 'agent_busy',
  unknown: 'agent_unknown',
};

/** A client without a prompt box is often not recognized as a whole; the line that asks is. */
const ANSWERABLE: readonly AgentStateName[] = ['ready', 'waiting', 'unknown'];

/** Working: the client queues a person's input, and the daemon has nothing to send. */
const BUSY: readonly AgentStateName[] = ['working', 'retrying'];

/**
 * `sinceTypedMs`: how long ago a person last typed in the terminal by hand. `asked`: a line without
 * a prompt box was read and asks for exactly this text.
 */
export function mayType(
  typing: Typing,
  front: ProbedForeground,
  sinceTypedMs: number | null,
  asked = false,
): TypeVerdict {
  if (front.kind === 'gone') return fail('terminal_gone');
  const { source, program } = typing;
  if (program === null || !isSameProgram(program, front.program)) return fail('program_changed');
  const quietMs = source === 'daemon' ? QUIET_FOR_DAEMON_MS : QUIET_FOR_PERSON_MS;
  if (sinceTypedMs !== null && sinceTypedMs < quietMs) return hold('person_typing');
  if (front.kind !== 'agent') {
    // The daemon types only into agents; a person knows what they type into.
    if (source === 'daemon') return fail('program_changed');
    return { kind: 'type', foreground: front.name, agent: null };
  }
  if (front.isUntested === true) return hold('agent_untested');
  // Enter at an empty prompt accepts what the client suggests there.
  if (typing.text.trim() === '') return fail('nothing_to_send');
  if (asked && front.box === 'none' && ANSWERABLE.includes(front.state)) return type(front);
  const held = whyHeld(source, front);
  if (held !== null) return hold(held);
  if (front.box === 'none') return hold('agent_unknown');
  if (front.box === 'draft') return hold('draft_in_box');
  return type(front);
}

/** Why an agent in this state accepts no prompt, no matter what its box holds; null when it does. */
export function whyHeld(source: InputSource, front: ForegroundAgent): DeliveryReason | null {
  // A supervisor nudges an agent at its limit, and knows when.
  if (front.state === 'limited' && (source === 'daemon' || front.isReset === true)) return null;
  if (source === 'daemon' && BUSY.includes(front.state)) return 'agent_busy';
  return HOLD[front.state] ?? null;
}

function type(agent: ForegroundAgent): TypeVerdict {
  return { kind: 'type', foreground: agent.name, agent };
}

function hold(reason: DeliveryReason): TypeVerdict {
  return { kind: 'hold', reason };
}

function fail(reason: DeliveryReason): TypeVerdict {
  return { kind: 'fail', reason };
}
