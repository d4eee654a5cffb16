/**
 * What the hooks of one agent reported so far: why its state is what it is, never the state itself.
 */
import type { ErrorCause, LimitLine } from '../failure-patterns.ts';
import type { HookEvent, Question } from './hook-event.ts';

export interface HookFacts {
  promptAtMs: number | null;
  /** `text`: the end of the message the turn ended with; null from a client that does not report it. */
  stop: { atMs: number; backgroundTypes: readonly string[]; text: string | null } | null;
  failure: { atMs: number; cause: ErrorCause; text: string | null; limit: LimitLine | null } | null;
  asked: { atMs: number; tool: string; questions: readonly Question[] } | null;
  compactingSinceMs: number | null;
  subagents: readonly string[];
  end: { atMs: number; reason: string | null } | null;
}

export const NO_HOOK_FACTS: HookFacts = {
  promptAtMs: null,
  stop: null,
  failure: null,
  asked: null,
  compactingSinceMs: null,
  subagents: [],
  end: null,
};

/** More are not kept: only whether there is one matters. */
const MAX_SUBAGENTS = 100;

/** `atMs`: when the event arrived. */
export function foldHookEvent(facts: HookFacts, event: HookEvent, atMs: number): HookFacts {
  switch (event.kind) {
    case 'session_start':
      // A compaction restarts the session within the same turn.
      if (event.source === 'compact') return { ...facts, compactingSinceMs: null };
      return { ...NO_HOOK_FACTS, promptAtMs: facts.promptAtMs };
    case 'session_end':
      return { ...facts, end: { atMs, reason: event.reason } };
    case 'prompt':
      return { ...facts, promptAtMs: atMs };
    case 'stop':
      return {
        ...facts,
        stop: {
          atMs,
          backgroundTypes: event.backgroundTasks.map(({ type }) => type),
          text: event.text,
        },
        compactingSinceMs: null,
      };
    case 'stop_failure': {
      const { cause, text, limit } = event;
      return { ...facts, failure: { atMs, cause, text, limit }, compactingSinceMs: null };
    }
    case 'permission_request':
      return { ...facts, asked: { atMs, tool: event.tool, questions: event.questions } };
    case 'compact_start':
      return { ...facts, compactingSinceMs: atMs };
    case 'compact_end':
      return { ...facts, compactingSinceMs: null };
    case 'subagent_start': {
      const subagents = [...facts.subagents.filter((id) => id !== event.id), event.id];
      return { ...facts, subagents: subagents.slice(-MAX_SUBAGENTS) };
    }
    case 'subagent_stop':
      return { ...facts, subagents: facts.subagents.filter((id) => id !== event.id) };
    case 'notification':
      return facts;
  }
}
