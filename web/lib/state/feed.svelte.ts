/**
 * The live state of the page: what the daemon listed, updated by its events. Owns the link and the
 * time at which the shown data was last known to be current.
 */
import { EventLink, type ScreenFrame } from '$lib/client/event-link.ts';
import { isCurrent, type LinkStatus } from '$lib/client/link-status.ts';
import { initialLink } from '$lib/client/link-history.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { AttentionItem } from '$shared/schema/attention.ts';
import type { ResetReason } from '$shared/schema/cursor.ts';
import type { EventRecord } from '$shared/schema/events.ts';
import type { DaemonStatus, Loop, Session } from '$shared/schema/model.ts';
import { apply, touchedLoop, touchesInbox } from './apply.ts';
import type { DaemonUpdate } from './daemon-update.ts';
import { coalesceReads } from './coalesce.ts';
import { DueReads } from './due-reads.ts';
import { createFleet, EMPTY_FLEET, type Fleet } from './fleet.ts';
import { withCleared, withOpenItems } from './inbox.ts';
import { Listeners } from './listeners.ts';
import { now } from './now.svelte.ts';

/** Newest events that are read first: several times what is shown, since lists leave some out. */
const READ_BACK = 200;
/** A burst of events is shown together: one frame of a 60 Hz screen. */
const BATCH_MS = 16;
/** A burst of events is followed by one read. */
const READ_DELAY_MS = 50;
/** The most items one answer holds. */
const OPEN_ITEMS = { state: 'open', limit: '1000' };

/** The point in the log after which every event is delivered; `reason`: why earlier ones were not. */
export interface Beginning {
  epoch: string;
  head: number;
  reason: ResetReason | null;
}
/** How long messages about the connection are shown. */
const UPDATE_MS = 12_000;

export class Feed {
  fleet = $state.raw<Fleet>(EMPTY_FLEET);
  daemon = $state.raw<DaemonStatus | null>(null);
  /** When `daemon` was read. */
  daemonAt = $state.raw(0);
  link = $state.raw<LinkStatus>(initialLink(Date.now()).status);
  /** Messages shown briefly after a break or a restart of the daemon; the newest last. */
  updates = $state.raw<readonly DaemonUpdate[]>([]);
  /** Where the current run of events began; a new one when some were skipped. */
  beginning = $state.raw<Beginning | null>(null);
  isLoaded = $derived(this.daemon !== null);
  isStale = $derived(!isCurrent(this.link.state));
  /** Frozen when the page stopped being current. */
  asOf = $state.raw(Date.now());

  readonly rest: Rest;
  /** For separate connections, such as a terminal's. */
  readonly socketUrl: string;

  /** The time up to which shown numbers may advance; frozen while the page is stale. */
  get clock(): number {
    return this.isStale ? this.asOf : now.current;
  }

  readonly #screens = new Listeners<ScreenFrame>();
  readonly #events = new Listeners<EventRecord>();
  #eventLink: EventLink;
  #heardAt = Date.now();
  #batch: EventRecord[] = [];
  #batchTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #readLoop: (name: string) => void;
  readonly #dueReads = new DueReads((name) => this.#readLoop(name));
  readonly #readInbox: (key: string) => void;

  constructor(rest: Rest, socketUrl: string) {
    this.rest = rest;
    this.socketUrl = socketUrl;
    this.#eventLink = this.#createLink();
    this.#readLoop = coalesceReads(
      READ_DELAY_MS,
      (name) => this.#fetchLoop(name),
      (name, loop) => this.#setLoop(name, loop),
    );
    this.#readInbox = coalesceReads(
      READ_DELAY_MS,
      async () => this.rest.call('listAttention', { query: OPEN_ITEMS }),
      (_, { items: open }) => this.#setOpenItems(open),
    );
  }

  /** Connects; call the result to disconnect. */
  start(): () => void {
    void this.#eventLink.run();
    return () => {
      this.#eventLink.stop();
      clearTimeout(this.#batchTimer);
      this.#dueReads.stop();
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
    this.fleet = { ...this.fleet, sessions: { ...this.fleet.sessions, [session.name]: session } };
  }

  /** Reads the inbox again, when the shown one turned out to be stale. */
  readInbox(): void {
    this.#readInbox('inbox');
  }

  /** Reads how an item that turned out to be closed ended, and shows it. */
  async readCleared(id: string): Promise<void> {
    const item = await this.rest.call('getAttention', { item: id });
    if (item.cleared_at === null) return;
    this.fleet = { ...this.fleet, inbox: withCleared(this.fleet.inbox, item) };
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
      onEvents: (events) => this.#enqueue(events),
      onScreen: (frame) => this.#screens.notify(frame),
      onStatus: (status) => {
        if (!isCurrent(status.state)) this.asOf = this.#heardAt;
        this.link = status;
      },
      onUpdate: (update) => this.#addUpdate({ kind: 'back', ...update }),
      onHeard: () => (this.#heardAt = Date.now()),
    });
  }

  async #readState(beginning: Beginning): Promise<void> {
    const { epoch, head } = beginning;
    const oldest = Math.max(0, head - READ_BACK);
    const after = oldest === 0 ? '0' : `${epoch}:${oldest}`;
    const [{ sessions }, { loops }, { items }, daemon, page] = await Promise.all([
      this.rest.call('listSessions'),
      this.rest.call('listAuto'),
      this.rest.call('listAttention', { query: OPEN_ITEMS }),
      this.rest.call('status'),
      this.rest.call('listEvents', { query: { after, limit: String(READ_BACK) } }),
    ]);
    // Pending events belong to the time before.
    this.#flush();
    this.beginning = beginning;
    this.fleet = createFleet(sessions, loops, items, page.events as EventRecord[], Date.now());
    for (const loop of loops) this.#dueReads.follow(loop.session_name, loop.wait?.until ?? null);
    this.#setDaemon(daemon);
  }

  #enqueue(events: readonly EventRecord[]): void {
    this.#batch.push(...events);
    this.#batchTimer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    const events = this.#batch;
    this.#batch = [];
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.fleet = events.reduce(apply, this.fleet);
    for (const event of events) {
      const name = touchedLoop(this.fleet, event);
      if (name !== null) this.#readLoop(name);
      if (touchesInbox(event)) this.readInbox();
      if (event.type === 'daemon.started') void this.readStatus().catch(() => undefined);
      this.#events.notify(event);
    }
  }

  async #fetchLoop(name: string): Promise<Loop | null> {
    const loop =
      this.fleet.sessions[name] === undefined
        ? (await this.rest.call('listAuto')).loops.find((other) => other.session_name === name)
        : await this.rest.call('getAuto', { session: name });
    return loop === undefined || loop.status === 'stopped' ? null : loop;
  }

  #setOpenItems(open: readonly AttentionItem[]): void {
    this.fleet = { ...this.fleet, inbox: withOpenItems(this.fleet.inbox, open) };
  }

  #setLoop(name: string, loop: Loop | null): void {
    this.#dueReads.follow(name, loop?.wait?.until ?? null);
    const others = Object.entries(this.fleet.loops).filter(([key]) => key !== name);
    const reading = loop === null ? [] : [[name, { loop, readAt: Date.now() }] as const];
    this.fleet = { ...this.fleet, loops: Object.fromEntries([...others, ...reading]) };
  }
}
