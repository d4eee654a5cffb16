/**
 * The inbox: where a person is needed, from what agents do and what they ask. An item's end is
 * written with `attention.cleared` before anything acts on it, and happens once.
 */
import type { AgentState } from '../../shared/schema/agent-state.ts';
import type {
  AgentRequest,
  AttentionAnswer,
  AttentionItem,
  AttentionOutcome,
} from '../../shared/schema/attention.ts';
import { sessionSubject, type Subject } from '../../shared/schema/subject.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { answerText } from './answer-text.ts';
import { RequestProbe, type RequestProbeOptions } from './request-probe.ts';
import type { Need } from './attention-for.ts';
import { alreadyCleared, notAnswerable } from './attention-errors.ts';
import { TaskNeeds } from './task-needs.ts';
import { AttentionRecord } from './attention-record.ts';
import type { AttentionStore, ItemQuery } from './attention-store.ts';
import { checkAnswer } from './check-answer.ts';
import { reconcile } from './reconcile.ts';
import { SessionWatch } from './session-watch.ts';

/** An agent that asks more at once is broken; its terminal still asks. */
const MAX_REQUESTS = 20;
interface AttentionOptions extends Omit<RequestProbeOptions, 'over'> {
  log: EventLog;
  store: AttentionStore;
  logger: Log;
}

export class Attention {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #watches = new Map<string, SessionWatch>();
  readonly #lasting: TaskNeeds;
  readonly #probe: RequestProbe;
  #isDisposed = false;

  constructor(options: AttentionOptions) {
    this.#record = new AttentionRecord(options);
    this.#store = options.store;
    this.#lasting = new TaskNeeds(this.#record, options.store);
    this.#clock = options.clock;
    this.#logger = options.logger;
    const over = (session: string, id: string) =>
      this.#quietly(() => this.#end(session, this.#watchOf(session), [id], 'resolved'));
    this.#probe = new RequestProbe({ ...options, over });
  }

  /** At the start of the daemon: no request of a session waits any more. Tasks still need a person. */
  recover(): void {
    this.#record.clearGone(this.#store.openOfKind('session'));
  }

  /** `agent` is null without one. Raises, keeps or clears items. */
  observe(session: string, agent: AgentState | null): void {
    if (this.#isDisposed) return;
    const watch = this.#watchOf(session);
    const over = watch.observe(agent);
    const isGone = agent === null || agent.state === 'exited';
    this.#end(session, watch, over, isGone ? 'gone' : 'resolved');
  }

  /** What a session's supervisor or a task needs a person for; null: nothing. */
  require(subject: Subject, need: Need | null): void {
    if (this.#isDisposed) return;
    const { kind, id: session } = subject;
    if (kind !== 'session') return this.#quietly(() => this.#lasting.require(subject, need));
    if (need === null && !this.#watches.has(session)) return;
    const watch = this.#watchOf(session);
    watch.required = need;
    this.#quietly(() => this.#reconcile(session, watch, [], 'resolved'));
    if (watch.isIdle) this.#watches.delete(session);
  }

  /**
   * Raises an agent's request as an item that can be answered. Resolves with a person's answer, or
   * null when there will be none; `signal` ends it when the asker no longer waits.
   */
  async ask(
    session: string,
    request: AgentRequest,
    signal: AbortSignal,
  ): Promise<AttentionAnswer | null> {
    if (this.#isDisposed || signal.aborted) return null;
    const watch = this.#watchOf(session);
    if (watch.live.size >= MAX_REQUESTS) return null;
    const open = this.#store.openOf(sessionSubject(session));
    const id = this.#record.raiseRequest(session, request, open);
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

  /** Before an answer: waits until it is known whether the agent still asks. Never throws. */
  async settle(id: string): Promise<void> {
    const session = this.#store.get(id)?.session ?? null;
    const live = session === null ? undefined : this.#watches.get(session)?.live.get(id);
    if (session !== null && live !== undefined) await this.#probe.settle(session, id, live);
  }

  /**
   * Passes an answer to the asker; returns the updated item. Throws `attention_unknown`,
   * `attention_cleared`, `not_answerable`, or `invalid_body` when the answer does not fit.
   */
  answer(id: string, answer: AttentionAnswer, by: string): AttentionItem {
    const item = this.#openItem(id);
    const watch = this.#watchOfItem(item);
    const live = watch?.live.get(id);
    if (watch === undefined || live === undefined) throw notAnswerable(item);
    checkAnswer(live.request, answer);
    const ending = { outcome: 'answered', by, answer: answerText(answer) } as const;
    this.#record.write((append) => this.#record.clear(append, item, ending));
    watch.remove(id)?.release(answer);
    return this.get(id);
  }

  /** Removes an item from the list; the agent keeps waiting. Throws as `answer` does. */
  dismiss(id: string, by: string): AttentionItem {
    const item = this.#openItem(id);
    this.#record.write((append) => this.#record.clear(append, item, { outcome: 'dismissed', by }));
    if (item.session === null) this.#lasting.dismiss(item);
    const watch = this.#watchOfItem(item);
    watch?.dismiss(watch.live.has(id) ? 'any_dialog' : item.reason);
    watch?.remove(id)?.release(null);
    return this.get(id);
  }

  /** Clears every item of a session that ended or a task that was removed. Throws storage errors. */
  close(subject: Subject): void {
    this.#lasting.close(subject);
    if (subject.kind !== 'session') return;
    this.#watches.get(subject.id)?.dispose();
    this.#watches.delete(subject.id);
  }

  /** Throws `attention_unknown`. */
  get(id: string): AttentionItem {
    const item = this.#store.get(id);
    if (item !== null) return item;
    const next = 'list them with: loopwatch attention ls';
    throw new AppError('attention_unknown', `no item with that id; ${next}`);
  }

  /** Closes the items of found sessions that ended while no daemon ran; `live`: ids of the others. */
  keepFound(live: ReadonlySet<string>): void {
    const open = this.#store.openOfKind('found');
    this.#quietly(() =>
      this.#record.clearGone(open.filter(({ subject }) => !live.has(subject.id))),
    );
  }

  /** Oldest first: the oldest open items, or the newest of all. */
  list(query: ItemQuery): AttentionItem[] {
    return this.#store.list(query);
  }

  countOpen(): number {
    return this.#store.countOpen();
  }

  /** The daemon stops: every open request gets null, which means no answer. */
  dispose(): void {
    this.#isDisposed = true;
    try {
      this.#record.clearGone(this.#store.openOfKind('session'));
    } finally {
      for (const watch of this.#watches.values()) watch.dispose();
      this.#watches.clear();
    }
  }

  #watchOfItem({ session }: AttentionItem): SessionWatch | undefined {
    return session === null ? undefined : this.#watches.get(session);
  }

  #watchOf(session: string): SessionWatch {
    const known = this.#watches.get(session);
    if (known !== undefined) return known;
    const created = new SessionWatch(this.#clock, () =>
      this.#quietly(() => {
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
    this.#quietly(() => this.#reconcile(session, watch, [], 'resolved'));
  }

  /** Called by events and timers: a failure there would end the daemon. */
  #quietly(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#logger.error({ err: error }, 'cannot store the inbox');
    }
  }

  #openItem(id: string): AttentionItem {
    const item = this.get(id);
    if (item.cleared_at !== null) throw alreadyCleared(item);
    return item;
  }
}
