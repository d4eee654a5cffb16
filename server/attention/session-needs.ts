/**
 * What sessions need a person for: the state of their agents, what their supervisors report, and
 * the requests that wait for an answer. Requests last as long as the daemon: the item's end is
 * written first, then the asker is released.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  AgentRequest,
  AttentionAnswer,
  AttentionItem,
  AttentionOutcome,
} from '../../shared/schema/attention/attention.ts';
import { sessionSubject } from '../../shared/schema/events/subject.ts';
import type { Clock } from '../lib/clock.ts';
import { type Need, requestNeed } from './attention-for.ts';
import type { AttentionRecord } from './attention-record.ts';
import type { AttentionStore } from './attention-store.ts';
import { reconcile } from './reconcile.ts';
import { RequestProbe, type RequestProbeOptions } from './request-probe.ts';
import { MAX_REQUESTS, SessionWatch, type SessionWork } from './session-watch.ts';

export interface SessionNeedsOptions extends Omit<RequestProbeOptions, 'over'> {
  store: AttentionStore;
}

export class SessionNeeds {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  readonly #clock: Clock;
  readonly #watches = new Map<string, SessionWatch>();
  readonly #probe: RequestProbe;

  constructor(record: AttentionRecord, options: SessionNeedsOptions) {
    this.#record = record;
    this.#store = options.store;
    this.#clock = options.clock;
    const over = (session: string, id: string) =>
      record.quietly(() => this.#end(session, this.#watchOf(session), [id], 'resolved'));
    this.#probe = new RequestProbe({ ...options, over });
  }

  /** `agent` is null without one. Throws storage errors. */
  observe(session: string, agent: AgentState | null): void {
    const watch = this.#watchOf(session);
    const over = watch.observe(agent);
    const isGone = agent === null || agent.state === 'exited';
    this.#end(session, watch, over, isGone ? 'gone' : 'resolved');
  }

  /** What the loop or the respawn of a session needs a person for; null: nothing. */
  require(session: string, work: SessionWork, need: Need | null): void {
    if (need === null && !this.#watches.has(session)) return;
    const watch = this.#watchOf(session);
    watch.require(work, need);
    this.#record.quietly(() => this.#reconcile(session, watch, [], 'resolved'));
    if (watch.isIdle) this.#watches.delete(session);
  }

  /** Resolves with a person's answer, or null when there will be none; `signal` ends it. */
  async ask(
    session: string,
    request: AgentRequest,
    signal: AbortSignal,
  ): Promise<AttentionAnswer | null> {
    const watch = this.#watchOf(session);
    if (watch.live.size >= MAX_REQUESTS) return null;
    const subject = sessionSubject(session);
    const open = this.#store.openOf(subject);
    const id = this.#record.raiseRequest(subject, requestNeed(request), request, open);
    return new Promise((resolve) => {
      const abandon = () => this.#abandon(session, watch, id);
      signal.addEventListener('abort', abandon, { once: true });
      const live = watch.add(id, request, (answer) => {
        signal.removeEventListener('abort', abandon);
        this.#probe.end(id);
        resolve(answer);
      });
      this.#probe.begin(session, id, live);
    });
  }

  /** The id of an open request of the session's agent for that tool; null without one. */
  requestOf(session: string, tool: string): string | null {
    return this.#watches.get(session)?.requestOf(tool) ?? null;
  }

  /** The request behind an item that still waits for its answer; null without one. */
  requestBehind({ id, session }: AttentionItem): AgentRequest | null {
    return this.#watchAt(session)?.live.get(id)?.request ?? null;
  }

  /** Before an answer: waits until it is known whether the agent still asks. Never throws. */
  async settle({ id, session }: AttentionItem): Promise<void> {
    const live = this.#watchAt(session)?.live.get(id);
    if (session !== null && live !== undefined) await this.#probe.settle(session, id, live);
  }

  /** The end of the item is written. */
  answered({ id, session }: AttentionItem, answer: AttentionAnswer): void {
    this.#watchAt(session)?.remove(id)?.release(answer);
  }

  /** The same, without an answer: not shown again until the agent is past it. */
  dismissed({ id, session, reason }: AttentionItem): void {
    const watch = this.#watchAt(session);
    watch?.dismiss(watch.live.has(id) ? 'any_dialog' : reason);
    watch?.remove(id)?.release(null);
  }

  /** The session ended. */
  close(session: string): void {
    this.#watches.get(session)?.dispose();
    this.#watches.delete(session);
  }

  /** No request of a session waits when a daemon starts or stops. Throws storage errors. */
  clearAll(): void {
    this.#record.clearGone(this.#store.openOfKind('session'));
  }

  /** Every open request gets null, which means no answer. */
  dispose(): void {
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  #watchAt(session: string | null): SessionWatch | undefined {
    return session === null ? undefined : this.#watches.get(session);
  }

  #watchOf(session: string): SessionWatch {
    const known = this.#watches.get(session);
    if (known !== undefined) return known;
    const created = new SessionWatch(this.#clock, () =>
      this.#record.quietly(() => {
        this.#reconcile(session, created, [], 'resolved');
        if (created.isIdle) this.#watches.delete(session);
      }),
    );
    this.#watches.set(session, created);
    return created;
  }

  /** Ends live requests that are no longer asked; writes first, then releases the askers. */
  #end(
    session: string,
    watch: SessionWatch,
    over: readonly string[],
    outcome: AttentionOutcome,
  ): void {
    this.#reconcile(session, watch, over, outcome);
    for (const id of over) {
      const ended = watch.live.get(id);
      watch.live.delete(id);
      ended?.release(null);
    }
    if (watch.isIdle) this.#watches.delete(session);
  }

  /** Updates the open items of a session as if the requests in `over` had ended. */
  #reconcile(
    session: string,
    watch: SessionWatch,
    over: readonly string[],
    outcome: AttentionOutcome,
  ): void {
    const live = new Set([...watch.live.keys()].filter((id) => !over.includes(id)));
    const open = this.#store.openOf(sessionSubject(session));
    const change = reconcile({ open, live, need: watch.need(), outcome });
    this.#record.apply(sessionSubject(session), change);
  }

  #abandon(session: string, watch: SessionWatch, id: string): void {
    watch.remove(id)?.release(null);
    // If the write fails, the next change repairs it: no asker waits any more.
    this.#record.quietly(() => this.#reconcile(session, watch, [], 'resolved'));
  }
}
