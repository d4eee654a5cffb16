/** All evidence about one agent at one moment, and the assessment derived from it. */
import { isDeepStrictEqual } from 'node:util';
import type {
  AgentCause,
  AgentState,
  AgentStateName,
  Careful,
  Witness,
} from '../../../shared/schema/agents/agent-state.ts';
import type { HookFacts } from '../hooks/hook-facts.ts';
import type { ScreenReading } from '../screen/screen-reading.ts';
import type { RecordReading } from '../records/status-record.ts';
import type { StatusLine } from '../records/status-line.ts';
import type { TranscriptFacts } from '../records/transcript-facts.ts';

/** A reset time read from text is precise to the minute. */
const UNTIL_TOLERANCE_MS = 60_000;

/** All times in milliseconds since 1970. Null: unknown. */
export interface Evidence {
  /** The foreground of the terminal. `other`: neither the agent nor the shell. */
  front: 'agent' | 'shell' | 'other' | 'gone';
  record: RecordReading | null;
  screen: { reading: ScreenReading; takenAtMs: number } | null;
  hooks: HookFacts | null;
  transcript: TranscriptFacts | null;
  statusLine: StatusLine | null;
}

export const NO_EVIDENCE: Evidence = {
  front: 'agent',
  record: null,
  screen: null,
  hooks: null,
  transcript: null,
  statusLine: null,
};

export interface Assessment {
  state: AgentStateName;
  cause: AgentCause;
  detail: string | null;
  witness: Witness;
  sinceMs: number;
  /** When it is expected to end on its own, or null. */
  untilMs: number | null;
  /** Since when record and screen have disagreed, or null while they agree. */
  conflictSinceMs: number | null;
  /** Since when nothing has been recognized while the previous state is still reported, else null. */
  doubtSinceMs: number | null;
}

/** A state before its times are known. */
export interface Finding {
  state: AgentStateName;
  cause: AgentCause;
  detail: string | null;
  witness: Witness;
  untilMs: number | null;
}

/** As reported to others. `careful`: null where the agent may be typed into. */
export function toAgentState(
  { state, cause, detail, witness, sinceMs, untilMs }: Assessment,
  careful: Careful | null = null,
): AgentState {
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  const since = new Date(sinceMs).toISOString();
  const shown = { state, cause, detail: detail?.slice(0, 300) ?? null, witness, since, until };
  return careful === null ? shown : { ...shown, careful };
}

/** The same object as `was` while nothing changed: who compares it need not read it. */
export function nextAgentState(
  was: AgentState | null,
  before: Assessment | null,
  after: Assessment,
  careful: Careful | null,
): AgentState {
  const names = ['state', 'cause', 'detail', 'witness', 'sinceMs', 'untilMs'] as const;
  const isSame = before !== null && names.every((name) => before[name] === after[name]);
  const isKept = isSame && isDeepStrictEqual(was?.careful ?? null, careful);
  return was !== null && isKept ? was : toAgentState(after, careful);
}

/** A draft being typed and a retry that counts down are visible on the screen, but are not events. */
export function isWorthAnEvent(
  before: Pick<Assessment, 'state' | 'cause' | 'untilMs'>,
  after: Pick<Assessment, 'state' | 'cause' | 'untilMs'>,
): boolean {
  if (before.state !== after.state) return true;
  if (after.state === 'ready')
    return [before.cause, after.cause].includes('command_missing') && before.cause !== after.cause;
  if (before.cause !== after.cause) return true;
  const moved = Math.abs((after.untilMs ?? 0) - (before.untilMs ?? 0));
  return after.state === 'limited' && moved > UNTIL_TOLERANCE_MS;
}
