/**
 * What is known about one session while the daemon runs: what its agent does, which requests wait
 * for an answer, what a person dismissed. Decides what a person is needed for now.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type { AgentRequest, AttentionAnswer } from '../../shared/schema/attention/attention.ts';
import type { Reason } from '../../shared/schema/reasons.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { attentionFor, isDialog, type Need } from './attention-for.ts';

/** What may supervise a session, one at a time; a failed loop stays next to respawn. */
export type SessionWork = Extract<Subject['kind'], 'loop' | 'respawn'>;

export interface LiveRequest {
  request: AgentRequest;
  /** The agent was seen waiting since: when it continues, the request is over. */
  seen: boolean;
  /** Passes the answer to the asker; null when there is none. */
  release: (answer: AttentionAnswer | null) => void;
}

/**
 * A dialog stays on the screen for a moment after its request has ended: two polls of the agent (2
 * s each, the pace of the slowest witness) and one second.
 */
const SETTLE_MS = 5_000;
/** An agent that asks more at once is broken; its terminal still asks. */
export const MAX_REQUESTS = 20;

export class SessionWatch {
  readonly live = new Map<string, LiveRequest>();
  agent: AgentState | null = null;
  readonly #required = new Map<SessionWork, Need>();
  readonly #clock: Clock;
  readonly #onSettled: () => void;
  #settling: { timer: Timer; seen: boolean } | null = null;
  /** What a person dismissed, until the agent is past it. */
  #dismissed: Reason | 'any_dialog' | null = null;

  /** `onSettled` is called when a dialog should have left the screen. */
  constructor(clock: Clock, onSettled: () => void) {
    this.#clock = clock;
    this.#onSettled = onSettled;
  }

  /** True when forgetting it changes nothing. */
  get isIdle(): boolean {
    const isSilent = this.agent === null && this.#required.size === 0;
    return isSilent && this.live.size === 0 && this.#settling === null;
  }

  /** A request waits, or its dialog may still be on the screen. */
  get isAsked(): boolean {
    return this.live.size > 0 || this.#settling !== null;
  }

  /** The id of an open request for that tool; null without one. */
  requestOf(tool: string): string | null {
    return [...this.live].find(([, { request }]) => request.tool === tool)?.[0] ?? null;
  }

  /** Returns the ids of the requests that end with this state. */
  observe(agent: AgentState | null): string[] {
    this.agent = agent;
    if (agent?.state === 'waiting') {
      this.#markSeen();
      return [];
    }
    // Witnesses that disagree prove nothing about a dialog.
    if (agent?.state === 'unknown') return [];
    if (this.#settling?.seen === true) this.#stopSettling();
    return [...this.live].filter(([, { seen }]) => seen).map(([id]) => id);
  }

  /** `id` is that of its item. */
  add(id: string, request: AgentRequest, release: LiveRequest['release']): LiveRequest {
    // While the last dialog may still be on the screen, a waiting agent proves nothing about this
    // one.
    const seen = this.#settling === null && this.agent?.state === 'waiting';
    const live = { request, seen, release };
    this.live.set(id, live);
    return live;
  }

  /** For a request that ended early, while its dialog may still be on the screen. */
  remove(id: string): LiveRequest | null {
    const ended = this.live.get(id);
    if (ended === undefined) return null;
    this.live.delete(id);
    // The dialogs of the others come after this one.
    for (const other of this.live.values()) other.seen = false;
    this.#stopSettling();
    const timer = this.#clock.after(SETTLE_MS, () => {
      this.#settling = null;
      if (this.agent?.state === 'waiting') this.#markSeen();
      this.#onSettled();
    });
    this.#settling = { timer, seen: ended.seen };
    return ended;
  }

  /** What `work` needs a person for; null: nothing. What other work needs stays. */
  require(work: SessionWork, need: Need | null): void {
    if (need === null) this.#required.delete(work);
    else this.#required.set(work, need);
  }

  /** Not shown again until the agent is past it. */
  dismiss(what: Reason | 'any_dialog'): void {
    this.#dismissed = what;
  }

  /** What a person is needed for besides the requests. */
  need(): Need | null {
    // The two run at different times: a loop that needs a person next to respawn has failed before.
    const required = this.#required.get('respawn') ?? this.#required.get('loop') ?? null;
    const need = attentionFor(this.agent) ?? required;
    const mayBeRequest = need !== null && isDialog(need.reason);
    const dismissed =
      this.#dismissed === 'any_dialog' ? mayBeRequest : need?.reason === this.#dismissed;
    if (!dismissed && this.#settling === null) this.#dismissed = null;
    if (need === null || dismissed) return null;
    return mayBeRequest && this.isAsked ? null : need;
  }

  /** Open requests get null: there will be no answer. */
  dispose(): void {
    this.#stopSettling();
    for (const { release } of this.live.values()) release(null);
    this.live.clear();
  }

  #markSeen(): void {
    for (const request of this.live.values()) request.seen = true;
    if (this.#settling !== null) this.#settling.seen = true;
  }

  #stopSettling(): void {
    this.#settling?.timer.cancel();
    this.#settling = null;
  }
}
