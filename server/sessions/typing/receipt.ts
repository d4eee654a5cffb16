/**
 * Whether an agent received what was typed: pure. The agent's own evidence counts (a prompt hook,
 * its transcript, an edge of its status record); a changed screen proves nothing.
 */
import type { RecordReading } from '../../agents/records/status-record.ts';
import type { WrittenPrompt } from '../../agents/records/transcript-facts.ts';
import { isSameProcess } from '../../lib/processes/process-identity.ts';
import { isSameProgram } from './program.ts';
import type { ForegroundAgent, ProbedForeground } from './may-type.ts';

/** What the foreground program has shown so far. */
export interface Receiver {
  /** When it was probed. */
  atMs: number;
  front: ProbedForeground;
  /** The newest prompts that its hooks reported; numbers increase. */
  prompts: readonly { number: number; text: string | null }[];
  /** Its hooks have reported something since it came to the foreground. */
  hasHooks: boolean;
  record: RecordReading | null;
  /** The newest prompts in its transcript, queued ones too. */
  written: readonly WrittenPrompt[];
  /** When a turn last ended according to its transcript; null when that has none. */
  turnEndAtMs: number | null;
  /** The screen as text. */
  screen: string;
}

/**
 * `in_box`: our text is still in the prompt box. `silent`: it left the box, but this agent has no
 * way to confirm. `open`: it left the box and the agent may still confirm. `nothing`: no change at
 * all.
 */
export type Receipt = 'delivered' | 'in_box' | 'silent' | 'open' | 'nothing' | 'other_program';

/** The client's placeholder for a long paste. */
const PASTE = /^\[Pasted text #\d+[^\]]*\]$/;
/** A hook wraps a long paste; the end of a background task is also reported as a prompt. */
const WRAPPED_PASTE = '<pasted_content';
/** Of a prompt: hooks report at most 4,000 characters. */
const COMPARED_CHARACTERS = 1_000;

/** `before` is from before our first key. */
export function receipt(before: Receiver, after: Receiver, text: string): Receipt {
  const { front } = after;
  if (front.kind !== 'agent' || before.front.kind !== 'agent') return 'other_program';
  if (!isSameProgram(before.front.program, front.program)) {
    // Our own command (`/clear`) may start another conversation in the same process.
    const isOurs = isSameProcess(before.front.program, front.program) && isAgentCommand(text);
    return isOurs ? 'delivered' : 'other_program';
  }
  const last = before.prompts.at(-1)?.number ?? 0;
  if (after.prompts.some((prompt) => prompt.number > last && isPromptOf(prompt.text, text))) {
    return 'delivered';
  }
  const ours = after.written.filter(({ atMs }) => atMs > before.atMs);
  if (ours.some((prompt) => isPromptOf(prompt.text, text))) return 'delivered';
  if (isExactDraft(front, text)) return 'in_box';
  if (isTurnBegun(before, after)) return 'delivered';
  if (front.box === 'draft') return 'nothing';
  if (after.hasHooks || isAtRest(before.record)) return 'open';
  return after.screen === before.screen ? 'nothing' : 'silent';
}

/** For the client itself, such as `/clear` or `/plugin:verb words`; a path is none. */
export function isAgentCommand(text: string): boolean {
  return /^\/[\w.:-]+(\s|$)/.test(text.trimStart());
}

/** The box shows what was pasted, or a part of it where it is too long. */
export function showsPaste({ box, draft }: ForegroundAgent, text: string): boolean {
  if (box !== 'draft') return false;
  return draft === null || PASTE.test(draft) || compact(text).includes(compact(draft));
}

/** Only our text is in the box: another Enter sends that and nothing else. */
function isExactDraft({ box, draft }: ForegroundAgent, text: string): boolean {
  if (box !== 'draft' || draft === null) return false;
  return PASTE.test(draft) || compact(draft) === compact(text);
}

function isPromptOf(prompt: string | null, text: string): boolean {
  if (prompt === null) return false;
  const start = compact(text).slice(0, COMPARED_CHARACTERS);
  return prompt.includes(WRAPPED_PASTE) || compact(prompt).startsWith(start);
}

/**
 * A turn may be over before a probe sees it: then the record is at rest again, since a later time,
 * or only the transcript shows it (a client may skip both edges of a turn that takes no time).
 */
function isTurnBegun(before: Receiver, after: Receiver): boolean {
  const [first, now] = [before.record, after.record];
  if (first === null || now === null || !isAtRest(first)) return false;
  if (!isAtRest(now) || now.changedAtMs > first.changedAtMs) return true;
  return (after.turnEndAtMs ?? 0) > (before.turnEndAtMs ?? 0);
}

function isAtRest(record: RecordReading | null): boolean {
  return record !== null && (record.status === 'idle' || record.status === 'shell');
}

/** Boxes wrap and trim lines. */
function compact(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
