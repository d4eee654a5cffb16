/**
 * The inbox: where a person is needed, from what agents do and what they ask. An item's end is
 * written with `attention.cleared` before anything acts on it, and happens once.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  AgentRequest,
  AttentionAnswer,
  AttentionItem,
} from '../../shared/schema/attention/attention.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import { openCommand } from '../../shared/words/attention-text.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import type { Need } from './attention-for.ts';
import { AttentionRecord } from './attention-record.ts';
import type { AttentionStore, ItemQuery } from './attention-store.ts';
import { answerText, checkAnswer } from './check-answer.ts';
import { FoundRequests } from './found-requests.ts';
import { SessionNeeds, type SessionNeedsOptions } from './session-needs.ts';
import { TaskNeeds } from './task-needs.ts';

interface AttentionOptions extends SessionNeedsOptions {
  log: EventLog;
  logger: Log;
  /** The current state of a found session, by its id. */
  probeFound: SessionNeedsOptions['probe'];
}

export class Attention {
  readonly #record: AttentionRecord;
  readonly #store: AttentionStore;
  readonly #sessions: SessionNeeds;
  readonly #lasting: TaskNeeds;
  readonly #found: FoundRequests;
  #isDisposed = false;

  constructor(options: AttentionOptions) {
    this.#store = options.store;
    this.#record = new AttentionRecord(options);
    this.#sessions = new SessionNeeds(this.#record, options);
    this.#lasting = new TaskNeeds(this.#record, options.store);
    const { store, clock, probeFound: probe } = options;
    this.#found = new FoundRequests(this.#record, { store, clock, probe, lasting: this.#lasting });
  }

  /** At the start of the daemon: no request of a session waits any more. Tasks still need a person. */
  recover(): void {
    this.#sessions.clearAll();
    this.#found.clearAll();
  }

  /** `agent` is null without one. Raises, keeps or clears items. */
  observe(session: string, agent: AgentState | null): void {
    if (!this.#isDisposed) this.#sessions.observe(session, agent);
  }

  /** The same for a found session: ends the requests it no longer waits for. */
  observeFound(id: string, agent: AgentState): void {
    if (!this.#isDisposed) this.#record.quietly(() => this.#found.observe(id, agent));
  }

  /**
   * What a loop, a respawn or a task needs a person for; null: nothing. Those of a session have its
   * id, and their item is the session's.
   */
  require(subject: Subject, need: Need | null): void {
    if (this.#isDisposed) return;
    const { kind, id } = subject;
    if (kind === 'loop' || kind === 'respawn') this.#sessions.require(id, kind, need);
    else if (kind === 'found') {
      this.#record.quietly(() => this.#found.require(id, need));
    } else this.#record.quietly(() => this.#lasting.require(subject, need));
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
    return this.#sessions.ask(session, request, signal);
  }

  /** The same for a found session, in a folder of that name. */
  async askFound(...asked: Parameters<FoundRequests['ask']>): Promise<AttentionAnswer | null> {
    const [, , signal] = asked;
    if (this.#isDisposed || signal.aborted) return null;
    return this.#found.ask(...asked);
  }

  /** The id of an open request of the session's agent for that tool; null without one. */
  requestOf(session: string, tool: string): string | null {
    return this.#sessions.requestOf(session, tool);
  }

  /** Before an answer: waits until it is known whether the agent still asks. Never throws. */
  async settle(id: string): Promise<void> {
    const item = this.#store.get(id);
    if (item !== null) await this.#askers(item).settle(item);
  }

  /**
   * Passes an answer to the asker; returns the updated item. Throws `attention_unknown`,
   * `attention_cleared`, `not_answerable`, or `invalid_body` when the answer does not fit.
   */
  answer(id: string, answer: AttentionAnswer, by: string): AttentionItem {
    const item = this.#openItem(id);
    const request = this.#askers(item).requestBehind(item);
    if (request === null) throw notAnswerable(item);
    checkAnswer(request, answer);
    // Everyone sees it, and the labels of a choice are text of the agent.
    const text = item.subject.kind === 'found' ? answer.decision : answerText(answer);
    const ending = { outcome: 'answered', by, answer: text } as const;
    this.#record.write((append) => this.#record.clear(append, item, ending));
    if (item.subject.kind === 'found') this.#found.release(item, answer);
    else this.#sessions.answered(item, answer);
    return this.get(id);
  }

  /** Removes an item from the list; the agent keeps waiting. Throws as `answer` does. */
  dismiss(id: string, by: string): AttentionItem {
    const item = this.#openItem(id);
    this.#record.write((append) => this.#record.clear(append, item, { outcome: 'dismissed', by }));
    if (item.subject.kind === 'found') this.#found.release(item, null);
    if (item.session === null) this.#lasting.dismiss(item);
    else this.#sessions.dismissed(item);
    return this.get(id);
  }

  /** Raises the priority of an open item. Throws as `answer` does. */
  escalate(id: string): void {
    if (this.#openItem(id).escalated_at === undefined) this.#record.escalate(id);
  }

  /** Clears every item of a session that ended or a task that was removed. Throws storage errors. */
  close(subject: Subject): void {
    this.#lasting.close(subject);
    if (subject.kind === 'session') this.#sessions.close(subject.id);
    if (subject.kind === 'found') this.#found.close(subject.id);
  }

  /** Throws `attention_unknown`. */
  get(id: string): AttentionItem {
    const item = this.#store.get(id);
    if (item !== null) return item;
    const next = 'list them with: loopwatch attention ls';
    throw new AppError('attention_unknown', `no item with that id; ${next}`);
  }

  /**
   * Closes the items of found sessions that ended while no daemon ran; `live`: ids of the others. A
   * crash stays until it is dismissed.
   */
  keepFound(live: ReadonlySet<string>): void {
    const open = this.#store.openOfKind('found');
    this.#record.quietly(() =>
      this.#record.clearGone(
        open.filter(({ subject, reason }) => !live.has(subject.id) && reason !== 'crashed'),
      ),
    );
  }

  /** Oldest first: the oldest open items, or the newest of all. */
  list(query: ItemQuery): AttentionItem[] {
    return this.#store.list(query);
  }

  /** The open items about one subject, oldest first. */
  openOf(subject: Subject): AttentionItem[] {
    return this.#store.openOf(subject);
  }

  /** The open items of all subjects of a kind, oldest first. */
  openOfKind(kind: Subject['kind']): AttentionItem[] {
    return this.#store.openOfKind(kind);
  }

  countOpen(): number {
    return this.#store.countOpen();
  }

  /** The daemon stops: every open request gets null, which means no answer. */
  dispose(): void {
    this.#isDisposed = true;
    try {
      this.#sessions.clearAll();
      this.#found.clearAll();
    } finally {
      this.#sessions.dispose();
      this.#found.dispose();
    }
  }

  #askers({ subject }: AttentionItem): SessionNeeds | FoundRequests {
    return subject.kind === 'found' ? this.#found : this.#sessions;
  }

  #openItem(id: string): AttentionItem {
    const item = this.get(id);
    if (item.cleared_at !== null) throw alreadyCleared(item);
    return item;
  }
}

/** With the command that leads to the item. */
function notAnswerable(item: AttentionItem): AppError {
  const place =
    item.task === null
      ? 'this can only be answered in the terminal; open it with'
      : 'this item does not take an answer; check the task with';
  return new AppError('not_answerable', `${place}: ${openCommand(item)}`);
}

/** With how the item ended and by whom. */
function alreadyCleared({ outcome, by }: AttentionItem): AppError {
  const who = by === null ? '' : ` by ${by}`;
  const message = `this item is already cleared: ${outcome ?? 'cleared'}${who}`;
  return new AppError('attention_cleared', message, { outcome, by });
}
