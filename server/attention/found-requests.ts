/**
 * What sessions ask that Loopwatch did not start, through hooks in the user's settings: items that
 * can be answered here as long as their hook waits. The dialog in the terminal stays open; the first
 * answer counts.
 */
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  AgentRequest,
  AttentionAnswer,
  AttentionItem,
} from '../../shared/schema/attention/attention.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Clock } from '../lib/clock.ts';
import { foundRequestNeed, isDialog, type Need } from './attention-for.ts';
import type { AttentionRecord } from './attention-record.ts';
import type { AttentionStore } from './attention-store.ts';
import { RequestProbe, type RequestProbeOptions } from './request-probe.ts';
import { MAX_REQUESTS, SessionWatch } from './session-watch.ts';
import type { TaskNeeds } from './task-needs.ts';

export interface FoundAsked {
  request: AgentRequest;
  /** Of the session, now. */
  agent: AgentState;
  /** Names the session, because everyone sees titles. */
  folder: string;
  /** Called when the last dialog should have left the screen. */
  settled: () => void;
}

interface FoundRequestsOptions {
  store: AttentionStore;
  clock: Clock;
  /** By the id of the session. */
  probe: RequestProbeOptions['probe'];
  /** Stores what a person is needed for besides the requests. */
  lasting: TaskNeeds;
}

export class FoundRequests {
  readonly #record: AttentionRecord;
  readonly #options: FoundRequestsOptions;
  readonly #watches = new Map<string, SessionWatch>();
  readonly #probe: RequestProbe;

  constructor(record: AttentionRecord, options: FoundRequestsOptions) {
    this.#record = record;
    this.#options = options;
    const over = (id: string, item: string) => record.quietly(() => this.#end(id, [item]));
    this.#probe = new RequestProbe({ clock: options.clock, probe: options.probe, over });
  }

  observe(id: string, agent: AgentState): void {
    const watch = this.#watches.get(id);
    if (watch !== undefined) this.#end(id, watch.observe(agent));
  }

  /** Besides the requests, which cover a dialog. Throws storage errors. */
  require(id: string, need: Need | null): void {
    const watch = this.#watches.get(id);
    const isCovered = need !== null && isDialog(need.reason) && watch?.isAsked === true;
    if (isCovered) return;
    this.#options.lasting.require(subjectOf(id), need, new Set(watch?.live.keys()));
  }

  /** As `Attention.ask`. */
  async ask(
    id: string,
    { request, agent, folder, settled }: FoundAsked,
    signal: AbortSignal,
  ): Promise<AttentionAnswer | null> {
    const watch = this.#watchOf(id, settled);
    if (watch.live.size >= MAX_REQUESTS) return null;
    watch.agent = agent;
    const open = this.#options.store.openOf(subjectOf(id));
    const need = foundRequestNeed(request, folder);
    const item = this.#record.raiseRequest(subjectOf(id), need, request, open);
    return new Promise((resolve) => {
      const abandon = () => this.#record.quietly(() => this.#end(id, [item]));
      signal.addEventListener('abort', abandon, { once: true });
      const live = watch.add(item, request, (answer) => {
        signal.removeEventListener('abort', abandon);
        this.#probe.end(item);
        resolve(answer);
      });
      this.#probe.begin(id, item, live);
    });
  }

  /** Null when no hook waits for its answer. */
  requestBehind({ id, subject }: AttentionItem): AgentRequest | null {
    return this.#watches.get(subject.id)?.live.get(id)?.request ?? null;
  }

  /** As `Attention.settle`. */
  async settle({ id, subject }: AttentionItem): Promise<void> {
    const live = this.#watches.get(subject.id)?.live.get(id);
    if (live !== undefined) await this.#probe.settle(subject.id, id, live);
  }

  /** The end of the item is written; with null it was dismissed. */
  release({ id, subject }: AttentionItem, answer: AttentionAnswer | null): void {
    this.#watches.get(subject.id)?.remove(id)?.release(answer);
  }

  /** The session ended. */
  close(id: string): void {
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
  }

  /** No hook waits when a daemon starts or stops; one that still does asks again. */
  clearAll(): void {
    const open = this.#options.store.openOfKind('found');
    this.#record.clearGone(open.filter(({ request }) => request !== null));
  }

  dispose(): void {
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  #watchOf(id: string, settled: () => void): SessionWatch {
    const known = this.#watches.get(id);
    if (known !== undefined) return known;
    const created = new SessionWatch(this.#options.clock, () => {
      if (created.isAsked) return;
      this.#watches.delete(id);
      settled();
    });
    this.#watches.set(id, created);
    return created;
  }

  /** Answered in the terminal, or no hook waits any more: writes first, then releases the hooks. */
  #end(id: string, items: readonly string[]): void {
    const watch = this.#watches.get(id);
    const open = this.#options.store
      .openOf(subjectOf(id))
      .filter((item) => items.includes(item.id));
    if (open.length > 0) {
      this.#record.write((append) => {
        for (const item of open) this.#record.clear(append, item, { outcome: 'resolved' });
      });
    }
    for (const item of items) watch?.remove(item)?.release(null);
  }
}

function subjectOf(id: string): Subject {
  return { kind: 'found', id };
}
