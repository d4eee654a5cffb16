/**
 * The live state of the page: what the daemon listed, updated by its events. Owns the link and the
 * time at which the shown data was last known to be current.
 */
import { EventLink } from '$lib/client/event-link.ts';
import { isCurrent, type LinkStatus } from '$lib/client/link-status.ts';
import { isEvent, type News, type ScreenFrame } from '$lib/client/link-news.ts';
import { initialLink } from '$lib/client/link-history.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { ResetReason } from '$shared/schema/events/cursor.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { DaemonStatus, Loop, Session } from '$shared/schema/model.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import { apply, applyViews } from './apply.ts';
import type { DaemonUpdate } from './daemon-update.ts';
import { coalesceReads } from './coalesce.ts';
import { EMPTY_WORK, type LiveWork } from './live-work.ts';
import { withCleared, withOpenItems } from './inbox.ts';
import { hostBase } from './host-path.ts';
import { Listeners } from './listeners.ts';
import { now } from './now.svelte.ts';
import { readCopies, readWork } from './read-work.ts';
import { WorkReader } from './work-reader.ts';

/** A burst of events is shown together: one frame of a 60 Hz screen. */
const BATCH_MS = 16;
/** A burst of reasons to read is followed by one read. */
const READ_DELAY_MS = 50;
/** How long messages about the connection are shown. */
const UPDATE_MS = 12_000;

/** The point in the log after which every event is delivered; `reason`: why earlier ones were not. */
export interface Beginning {
  epoch: string;
  head: number;
  reason: ResetReason | null;
}

export class Feed {
  work = $state.raw<LiveWork>(EMPTY_WORK);
  daemon = $state.raw<DaemonStatus | null>(null);
  /** When `daemon` was read. */
  daemonAt = $state.raw(0);
  link = $state.raw<LinkStatus>(initialLink(Date.now()).status);
  /** Messages shown briefly after a break or a restart of the daemon; the newest last. */
  updates = $state.raw<readonly DaemonUpdate[]>([]);
  /** Where the current run of events began; a new one when some were skipped. */
  beginning = $state.raw<Beginning | null>(null);
  /** The lists were read from copies: their host cannot be reached. */
  isCopied = $state(false);
  isLoaded = $derived(this.daemon !== null || this.isCopied);
  isStale = $derived(!isCurrent(this.link.state));
  /** Frozen when the page stopped being current. */
  asOf = $state.raw(Date.now());

  readonly rest: Rest;
  /** For separate connections, such as a terminal's. */
  readonly socketUrl: string;
  /** As in its addresses; null: the host that serves the page. */
  readonly host: string | null;

  /** The time up to which shown numbers may advance; frozen while the page is stale. */
  get clock(): number {
    return this.isStale ? this.asOf : now.current;
  }

  readonly #screens = new Listeners<ScreenFrame>();
  readonly #events = new Listeners<EventRecord>();
  readonly #views = new Listeners<Views>();
  #eventLink: EventLink;
  #heardAt = Date.now();
  #batch: News[] = [];
  #batchTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #reader: WorkReader;
  readonly #readCopies: (key: string) => void;

  constructor(rest: Rest, host: string | null) {
    this.rest = rest;
    this.socketUrl = `${location.origin.replace(/^http/, 'ws')}${hostBase(host)}/ws`;
    this.host = host;
    this.#eventLink = this.#createLink();
    this.#reader = new WorkReader({
      rest,
      work: () => this.work,
      setLoop: (name, loop) => this.#setLoop(name, loop),
      setOpenItems: (open) => {
        this.work = { ...this.work, inbox: withOpenItems(this.work.inbox, open) };
      },
    });
    this.#readCopies = coalesceReads(
      READ_DELAY_MS,
      async () => readCopies(this.rest),
      (_, copies) => {
        if (copies === null || this.isLoaded) return;
        this.asOf = copies.at;
        this.work = copies.work;
        this.isCopied = true;
      },
    );
  }

  /** Connects; call the result to disconnect. */
  start(): () => void {
    void this.#eventLink.run();
    return () => {
      this.#eventLink.stop();
      clearTimeout(this.#batchTimer);
      this.#reader.stop();
    };
  }

  /** Retries the live connection at once, even after a refusal. */
  reconnect(): void {
    if (this.link.refusedCode === null) {
      this.#eventLink.nudge();
      return;
    }
    this.#eventLink.stop();
    this.link = initialLink(Date.now()).status;
    this.#eventLink = this.#createLink();
    void this.#eventLink.run();
  }

  /** Checks whether the connection still works, for example after the machine slept. */
  probe(): void {
    this.#eventLink.nudge();
  }

  /** Delivers every event from now on; call the result to stop. */
  listen(listener: (event: EventRecord) => void): () => void {
    return this.#events.add(listener);
  }

  /** What events changed is sent behind them, to `listenViews`; false: it must be read. */
  get carriesViews(): boolean {
    return this.#eventLink.carriesViews;
  }

  /** Delivers what events changed; call the result to stop. */
  listenViews(listener: (views: Views) => void): () => void {
    return this.#views.add(listener);
  }

  /** Watches a session's screen; call the result to stop. */
  watchScreen(session: string, listener: (frame: ScreenFrame) => void): () => void {
    const ignore = this.#screens.add(listener);
    this.#eventLink.watch(session);
    return () => {
      ignore();
      this.#eventLink.unwatch(session);
    };
  }

  /** Shows a session that was just opened without waiting for its event. */
  addSession(session: Session): void {
    this.work = { ...this.work, sessions: { ...this.work.sessions, [session.name]: session } };
  }

  /** Reads the inbox again, when the shown one turned out to be stale. */
  readInbox(): void {
    this.#reader.readInbox();
  }

  /** Reads how an item that turned out to be closed ended, and shows it. */
  async readCleared(id: string): Promise<void> {
    const item = await this.rest.call('getAttention', { item: id });
    if (item.cleared_at === null) return;
    this.work = { ...this.work, inbox: withCleared(this.work.inbox, item) };
  }

  async readStatus(): Promise<void> {
    this.#setDaemon(await this.rest.call('status'));
  }

  /** The daemon can be replaced while the page keeps running. */
  #setDaemon(daemon: DaemonStatus): void {
    const before = this.daemon;
    this.daemon = daemon;
    this.daemonAt = Date.now();
    if (before === null || before.pid === daemon.pid) return;
    this.#addUpdate({ kind: 'restarted', startedAt: daemon.started_at, version: daemon.version });
  }

  #addUpdate(update: DaemonUpdate): void {
    this.updates = [...this.updates, update];
    setTimeout(() => (this.updates = this.updates.filter((one) => one !== update)), UPDATE_MS);
  }

  #createLink(): EventLink {
    return new EventLink({
      rest: this.rest,
      socketUrl: this.socketUrl,
      readState: (epoch, head, reason) => this.#readState({ epoch, head, reason }),
      onNews: (news) => this.#enqueue(news),
      onScreen: (frame) => this.#screens.notify(frame),
      onStatus: (status) => {
        if (!isCurrent(status.state) && !this.isCopied) this.asOf = this.#heardAt;
        this.link = status;
        const isAway = status.state === 'offline' && this.host !== null;
        if (isAway && !this.isLoaded) this.#readCopies('lists');
      },
      onUpdate: (update) => this.#addUpdate({ kind: 'back', ...update }),
      onHeard: () => (this.#heardAt = Date.now()),
    });
  }

  async #readState(beginning: Beginning): Promise<void> {
    const { work, daemon } = await readWork(this.rest, beginning.epoch, beginning.head);
    // Pending events belong to the time before.
    this.#flush();
    this.isCopied = false;
    this.beginning = beginning;
    this.work = work;
    for (const [name, { loop }] of Object.entries(work.loops)) this.#reader.followDue(name, loop);
    this.#setDaemon(daemon);
  }

  #enqueue(news: readonly News[]): void {
    this.#batch.push(...news);
    this.#batchTimer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    const news = this.#batch;
    this.#batch = [];
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.work = news.reduce<LiveWork>(
      (work, each) => (isEvent(each) ? apply(work, each) : applyViews(work, each, Date.now())),
      this.work,
    );
    for (const each of news) {
      if (isEvent(each)) {
        this.#reader.after(each, this.carriesViews);
        if (each.type === 'daemon.started') void this.readStatus().catch(() => undefined);
        this.#events.notify(each);
      } else {
        for (const loop of each.loops) this.#reader.followDue(loop.session_name, loop);
        this.#views.notify(each);
      }
    }
  }

  #setLoop(name: string, loop: Loop | null): void {
    this.#reader.followDue(name, loop);
    const others = Object.entries(this.work.loops).filter(([key]) => key !== name);
    const reading = loop === null ? [] : [[name, { loop, readAt: Date.now() }] as const];
    this.work = { ...this.work, loops: Object.fromEntries([...others, ...reading]) };
  }
}
