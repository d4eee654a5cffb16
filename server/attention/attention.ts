/**
 * The inbox: where a person is needed, by what agents do and by what they ask. An item is one row
 * and `attention.raised`; its end is written together with `attention.cleared` before anybody acts
 * on it, and happens once. What tasks need a person for is kept apart: task-needs.ts.
 */
import type { AgentState } from '../../shared/agent-state.ts';
import type {
  AgentRequest,
  AttentionAnswer,
  AttentionItem,
  AttentionOutcome,
} from '../../shared/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { answerWords } from './answer-words.ts';
import { isDialog, type Need } from './attention-for.ts';
import { alreadyCleared, notAnswerable } from './attention-errors.ts';
import { AttentionRecord } from './attention-record.ts';
import type { AttentionStore } from './attention-store.ts';
import { checkAnswer } from './check-answer.ts';
import { reconcile } from './reconcile.ts';
import { requestNeed } from './request-need.ts';
import { SessionWatch } from './session-watch.ts';
import { TaskNeeds } from './task-needs.ts';

/** An agent that asks more at once is broken; its terminal still asks. */
const MAX_REQUESTS = 20;

export class Attention {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #watches = new Map<string, SessionWatch>();
  readonly #tasks: TaskNeeds;
  #isDisposed = false;

  constructor(options: { log: EventLog; store: AttentionStore; clock: Clock; logger: Log }) {
    this.#record = new AttentionRecord(options);
    this.#store = options.store;
    this.#tasks = new TaskNeeds(this.#record, options.store);
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /** At the start of the daemon: nobody waits for the answers of sessions. Tasks still need somebody. */
  recover(): void {
    this.#record.clearGone(this.#store.openOfSessions());
  }

  /** Takes what the agent of a session does now, null without one; raises, keeps or clears. */
  observe(session: string, agent: AgentState | null): void {
    if (this.#isDisposed) return;
    const watch = this.#watchOf(session);
    const over = watch.observe(agent);
    const isGone = agent === null || agent.state === 'exited';
    this.#reconcile(session, watch, over, isGone ? 'gone' : 'resolved');
    for (const id of over) {
      const ended = watch.live.get(id);
      watch.live.delete(id);
      ended?.release(null);
    }
    this.#forgetIdle(session, watch);
  }

  /** Takes what a session's supervisor or a task needs a person for, null when nobody is needed. */
  require(subject: string | { readonly task: string }, need: Need | null): void {
    if (this.#isDisposed) return;
    if (typeof subject !== 'string') {
      return this.#quietly(() => this.#tasks.require(subject.task, need));
    }
    if (need === null && !this.#watches.has(subject)) return;
    const watch = this.#watchOf(subject);
    watch.required = need;
    this.#quietly(() => this.#reconcile(subject, watch, [], 'resolved'));
    this.#forgetIdle(subject, watch);
  }

  /**
   * Raises what an agent asks as an item that can be answered. Resolves with a person's answer, or
   * null when there will be none; `signal` ends it when whoever asks does not wait any more.
   */
  async ask(
    session: string,
    request: AgentRequest,
    signal: AbortSignal,
  ): Promise<AttentionAnswer | null> {
    if (this.#isDisposed || signal.aborted) return null;
    const watch = this.#watchOf(session);
    if (watch.live.size >= MAX_REQUESTS) return null;
    const id = this.#raiseRequest(session, request);
    return new Promise((resolve) => {
      const abandon = () => this.#abandon(session, watch, id);
      signal.addEventListener('abort', abandon, { once: true });
      watch.add(id, request, (answer) => {
        signal.removeEventListener('abort', abandon);
        resolve(answer);
      });
    });
  }

  /**
   * Gives an answer to whoever asked; gives the item as it is now. Throws `attention_unknown`,
   * `attention_cleared`, `not_answerable`, or `invalid_body` when the answer does not fit.
   */
  answer(id: string, answer: AttentionAnswer, by: string): AttentionItem {
    const item = this.#openItem(id);
    const watch = this.#watchOfItem(item);
    const live = watch?.live.get(id);
    if (watch === undefined || live === undefined) throw notAnswerable(item);
    checkAnswer(live.request, answer);
    const words = answerWords(answer);
    const ending = { outcome: 'answered', by, answer: words } as const;
    this.#record.write((append) => this.#record.clear(append, item, ending));
    watch.remove(id)?.release(answer);
    return this.get(id);
  }

  /** Takes an item off the list; the agent goes on waiting. Throws as `answer` does. */
  dismiss(id: string, by: string): AttentionItem {
    const item = this.#openItem(id);
    const ending = { outcome: 'dismissed', by } as const;
    this.#record.write((append) => this.#record.clear(append, item, ending));
    if (item.task !== null) this.#tasks.dismiss(item.task, item.reason);
    const watch = this.#watchOfItem(item);
    watch?.dismiss(watch.live.has(id) ? 'any_dialog' : item.reason);
    watch?.remove(id)?.release(null);
    return this.get(id);
  }

  /** The session ended: nobody is needed there any more. */
  closeSession(session: string): void {
    this.#record.clearGone(this.#store.openOf(session));
    const watch = this.#watches.get(session);
    this.#watches.delete(session);
    if (watch !== undefined) this.#releaseAll(watch);
  }

  /** The task was removed. Throws storage errors. */
  closeTask(task: string): void {
    this.#tasks.close(task);
  }

  /** Throws `attention_unknown`. */
  get(id: string): AttentionItem {
    const item = this.#store.get(id);
    if (item === null) throw new AppError('attention_unknown', 'there is no item of that id');
    return item;
  }

  /** Oldest first: the oldest open items, or the newest of all. */
  list({ open, limit }: { open: boolean; limit: number }): AttentionItem[] {
    return open ? this.#store.open(limit) : this.#store.newest(limit);
  }

  countOpen(): number {
    return this.#store.countOpen();
  }

  /** The daemon ends: whoever waits for an answer is told that there will be none. */
  dispose(): void {
    this.#isDisposed = true;
    try {
      this.#record.clearGone(this.#store.openOfSessions());
    } finally {
      for (const watch of this.#watches.values()) this.#releaseAll(watch);
      this.#watches.clear();
    }
  }

  #watchOfItem({ session }: AttentionItem): SessionWatch | undefined {
    return session === null ? undefined : this.#watches.get(session);
  }

  #watchOf(session: string): SessionWatch {
    const known = this.#watches.get(session);
    if (known !== undefined) return known;
    const made = new SessionWatch(this.#clock, () =>
      this.#quietly(() => {
        this.#reconcile(session, made, [], 'resolved');
        this.#forgetIdle(session, made);
      }),
    );
    this.#watches.set(session, made);
    return made;
  }

  #forgetIdle(session: string, watch: SessionWatch): void {
    if (watch.isIdle) this.#watches.delete(session);
  }

  /** Makes the open items of a session what they should be; `over` are live requests that end. */
  #reconcile(
    session: string,
    watch: SessionWatch,
    over: readonly string[],
    outcome: AttentionOutcome,
  ): void {
    const live = new Set([...watch.live.keys()].filter((id) => !over.includes(id)));
    const open = this.#store.openOf(session);
    const { clear, raise, restate } = reconcile({ open, live, need: watch.need(), outcome });
    if (clear.length === 0 && raise === null && restate === null) return;
    const record = this.#record;
    record.write((append) => {
      for (const { item, ...ending } of clear) record.clear(append, item, ending);
      if (restate !== null) record.restate(restate.item, restate.need);
      if (raise !== null) record.raise(append, { session, task: null }, raise, null);
    });
  }

  /** A dialog that was seen before its request arrived stays one item, which can now be answered. */
  #raiseRequest(session: string, request: AgentRequest): string {
    const need = requestNeed(request);
    const seen = this.#store
      .openOf(session)
      .find((item) => item.request === null && isDialog(item.reason));
    return this.#record.write((append) =>
      seen === undefined
        ? this.#record.raise(append, { session, task: null }, need, request)
        : this.#record.adopt(append, seen, need, request),
    );
  }

  #abandon(session: string, watch: SessionWatch, id: string): void {
    watch.remove(id)?.release(null);
    // What could not be written is made good with the next change: nobody waits for it any more.
    this.#quietly(() => this.#reconcile(session, watch, [], 'resolved'));
  }

  #releaseAll(watch: SessionWatch): void {
    watch.dispose();
    for (const { release } of watch.live.values()) release(null);
    watch.live.clear();
  }

  /** For what is called by an event or a timer: a failure there would end the daemon. */
  #quietly(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#logger.error({ err: error }, 'the inbox could not be written');
    }
  }

  #openItem(id: string): AttentionItem {
    const item = this.get(id);
    if (item.cleared_at === null) return item;
    throw alreadyCleared(item);
  }
}
