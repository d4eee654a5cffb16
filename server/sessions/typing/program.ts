/**
 * The program an input belongs to: one process in the foreground of a terminal and, in an agent,
 * one conversation. What was submitted to one program is never typed into another.
 */
import type { InputTarget } from '../../../shared/schema/attention/delivery.ts';
import type { Foreground } from '../../terminals/terminal.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';

export interface Program extends ProcessIdentity {
  /** The client's own id of its conversation; null until it reports one. */
  conversation: string | null;
}

export interface ForegroundProgram {
  kind: InputTarget;
  program: Program;
}

/** A conversation that is unknown on one side does not contradict the other. */
export function isSameProgram(one: Program, other: Program): boolean {
  const { conversation } = one;
  const isOther =
    conversation !== null && other.conversation !== null && conversation !== other.conversation;
  return isSameProcess(one, other) && !isOther;
}

/**
 * The foreground program according to the process table; null when the terminal has ended. `agent`
 * is given where that program is one.
 */
export function foregroundProgram(
  foreground: Foreground,
  agent: { conversation: string | null } | null,
): ForegroundProgram | null {
  if (foreground.kind !== 'shell' && foreground.kind !== 'program') return null;
  const { pid, startedAt } = foreground.kind === 'shell' ? foreground.process : foreground.program;
  const kind = agent === null ? foreground.kind : 'agent';
  return { kind, program: { pid, startedAt, conversation: agent?.conversation ?? null } };
}
