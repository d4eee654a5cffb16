/**
 * Where the hooks of supervised agents arrive: passed to the monitor, and to a person when they
 * ask.
 */
import { type HookEvent, parseHookEvent } from '../agents/hooks/hook-event.ts';
import { decisionFor } from '../agents/hooks/permission-decision.ts';
import type { AgentRequest, AttentionAnswer } from '../../shared/schema/attention/attention.ts';
import type { Attention } from './attention.ts';

export interface HookReceiver {
  /**
   * `payload` is what the client sent; the run's capability was checked. Returns what the hook
   * prints as its decision, or null. May take as long as a person needs; `closed` aborts when the
   * hook no longer waits (its client ended it) or the daemon stops.
   */
  receive(
    session: string,
    runId: string,
    payload: unknown,
    closed: AbortSignal,
  ): Promise<object | null>;
  /** The same for a hook in the user's own settings; `pid`: its process, null when not known. */
  receiveFound(pid: number | null, payload: unknown, closed: AbortSignal): Promise<object | null>;
}

/** Asks on behalf of the session with that conversation; null at once without one. */
export type AskFound = (
  from: { conversation: string; pid: number | null },
  request: AgentRequest,
  closed: AbortSignal,
) => Promise<AttentionAnswer | null>;

/**
 * A client that stays open serves later loops of its session under the run it was started for: the
 * session counts.
 */
export function createHookReceiver(options: {
  attention: Pick<Attention, 'ask'>;
  onHook: (session: string, event: HookEvent) => void;
  /** A request waits for its answer. */
  asked: (session: string) => void;
  /** A request is over, with an answer or without. */
  answered: (session: string) => void;
  hasSession: (session: string) => boolean;
  askFound: AskFound;
}): HookReceiver {
  const { attention, onHook, asked, answered, hasSession, askFound } = options;
  return {
    async receiveFound(pid, payload, closed) {
      const event = parseHookEvent(payload);
      if (event?.kind !== 'permission_request' || event.sessionId === null) return null;
      const request = asRequest(event);
      const answer = await askFound({ conversation: event.sessionId, pid }, request, closed);
      return answer === null ? null : decisionFor(request, answer);
    },
    async receive(session, _runId, payload, closed) {
      const event = parseHookEvent(payload);
      if (event === null || !hasSession(session)) return null;
      onHook(session, event);
      if (event.kind !== 'permission_request') return null;
      const request = asRequest(event);
      const answering = attention.ask(session, request, closed);
      asked(session);
      const answer = await answering;
      answered(session);
      return answer === null ? null : decisionFor(request, answer);
    },
  };
}

function asRequest(event: Extract<HookEvent, { kind: 'permission_request' }>): AgentRequest {
  const { tool, input, questions } = event;
  return {
    tool,
    input,
    questions: questions.map(({ question, header, multiSelect, options }) => ({
      question,
      header: header ?? '',
      multi_select: multiSelect,
      options: options.map(({ label, description }) => ({ label, description: description ?? '' })),
    })),
  };
}
