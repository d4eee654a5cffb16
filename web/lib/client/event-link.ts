/**
 * Keeps the page on the event stream: a socket first, long polling when the socket fails twice, the
 * socket again as soon as it works. One cursor for both, so nothing is lost or delivered twice.
 */
import type { ResetReason } from '$shared/schema/events/cursor.ts';
import type { EventsPage } from '$shared/schema/requests.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { CloseCode } from '$shared/rules/wire.ts';
import type { ServerFrame } from '$shared/schema/events/protocol.ts';
import { probeDelayMs, retryDelayMs } from '$shared/rules/backoff.ts';
import { isEvent, type News, type ScreenFrame } from './link-news.ts';
import { LinkReporter, type LinkReporterOptions } from './link-reporter.ts';
import { LiveSocket } from './live-socket.ts';
import { pollEvents } from './long-poll.ts';
import { Pause } from './pause.ts';
import type { Rest } from './rest.ts';
import { WatchPacer } from './watch-pacer.ts';

/** Failed socket attempts in a row before polling starts. */
const POLL_AFTER_FAILURES = 2;

export interface EventLinkOptions extends LinkReporterOptions {
  rest: Rest;
  socketUrl: string;
  /** Reads the whole state at `head` or later; `reason` says why events were skipped. */
  readState: (epoch: string, head: number, reason: ResetReason | null) => Promise<void>;
  onNews: (news: readonly News[]) => void;
  onScreen: (frame: ScreenFrame) => void;
  /** Called for every sign of life from the daemon. */
  onHeard: () => void;
}

export class EventLink {
  /** Views follow the events; false: what they changed must be read. */
  carriesViews = false;
  readonly #options: EventLinkOptions;
  readonly #reporter: LinkReporter;
  readonly #pause = new Pause();
  readonly #watches = new WatchPacer({ send: (frame) => this.#socket?.send(frame) });
  readonly #pollPause = new Pause();
  #cursor: { epoch: string; seq: number } | null = null;
  #epoch = '';
  #socket: LiveSocket | null = null;
  #polling: AbortController | null = null;
  /** What arrived while the state was being read again. */
  #held: News[] | null = null;
  #failures = 0;
  #refusedCode: number | null = null;
  #stopped = false;

  constructor(options: EventLinkOptions) {
    this.#options = options;
    this.#reporter = new LinkReporter(options);
  }

  async run(): Promise<void> {
    while (!this.#stopped && this.#refusedCode === null) {
      const code = await this.#connectOnce();
      if (this.#isStopped()) return;
      this.#failures += 1;
      // The next ticket shows whether access remains, and as whom: requested at once.
      const isOfAccess = code === CloseCode.accessEnded || code === CloseCode.identityChanged;
      if (code >= 4400 && code <= 4499 && !isOfAccess) this.#refusedCode = code;
      this.#reporter.report({ kind: 'broke', refusedCode: this.#refusedCode });
      if (isOfAccess && this.#failures === 1) continue;
      if (this.#failures >= POLL_AFTER_FAILURES || this.#refusedCode !== null) this.#startPolling();
      if (this.#refusedCode !== null) return;
      const isPolling = this.#reporter.state === 'polling';
      const delayMs = isPolling ? probeDelayMs() : retryDelayMs(this.#failures);
      this.#reporter.waitFor({ socket: Date.now() + delayMs });
      await this.#pause.wait(delayMs);
      this.#reporter.waitFor({ socket: null });
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#reporter.stop();
    this.#polling?.abort();
    this.#socket?.close();
    this.#pause.cut();
    this.#pollPause.cut();
  }

  /** The machine woke up or the network came back: check now, not after the next delay. */
  nudge(): void {
    if (this.#reporter.state === 'live') return this.#socket?.ping();
    this.#pause.cut();
    this.#pollPause.cut();
  }

  watch(session: string): void {
    this.#watches.watch(session);
  }

  unwatch(session: string): void {
    this.#watches.unwatch(session);
  }

  /** The close code of the socket; 0 when there was none. */
  async #connectOnce(): Promise<number> {
    try {
      const { ticket } = await this.#options.rest.call('createTicket');
      if (this.#stopped) return 0;
      return await new Promise<number>((resolve) => {
        this.#socket = new LiveSocket({
          url: this.#options.socketUrl,
          ticket,
          onFrame: (frame) => this.#receive(frame),
          onClose: resolve,
        });
      });
    } catch {
      return 0;
    } finally {
      this.#watches.close();
      this.#socket = null;
      this.#held = null;
      this.carriesViews = false;
    }
  }

  #receive(frame: ServerFrame): void {
    this.#options.onHeard();
    switch (frame.type) {
      case 'welcome':
        this.carriesViews = frame.views === true;
        return void this.#subscribe(frame.epoch, frame.head);
      case 'subscribed':
        this.#failures = 0;
        this.#reporter.report({ kind: 'subscribed', head: frame.head, seen: this.#seen });
        return this.#watches.open();
      case 'event':
      case 'views':
        return this.#take([frame.type === 'event' ? (frame.event as EventRecord) : frame]);
      case 'cursor':
        this.#advance(frame.seq);
        this.#reporter.report({ kind: 'advanced', events: 0, seen: this.#seen });
        return;
      case 'reset':
        return void this.#restart(this.#epoch, frame.head, frame.reason);
      case 'screen':
      case 'screen_closed':
      case 'error':
        if (frame.type !== 'screen') this.#watches.sessionClosed(frame.session);
        return this.#options.onScreen(frame);
      // The page only watches; it attaches to no terminal.
      default:
    }
  }

  async #subscribe(epoch: string, head: number): Promise<void> {
    const socket = this.#socket;
    this.#epoch = epoch;
    this.#polling?.abort();
    this.#polling = null;
    if (this.#cursor?.epoch !== epoch) {
      // In another database the page's position means nothing.
      await this.#restart(epoch, head, this.#cursor === null ? null : 'epoch');
    }
    if (this.#cursor === null) return;
    const { seq } = this.#cursor;
    // 0 means "from the oldest stored", where the epoch does not matter.
    const from = { after: seq, ...(seq > 0 ? { epoch } : {}) };
    const all = { types: ['*'], views: this.carriesViews || undefined };
    socket?.send({ type: 'subscribe', id: 1, ...all, ...from });
  }

  /** Reads the state again and continues from `head`; a failure ends the connection instead. */
  async #restart(epoch: string, head: number, reason: ResetReason | null): Promise<void> {
    const held: News[] = [];
    this.#held = held;
    try {
      await this.#options.readState(epoch, head, reason);
      this.#cursor = { epoch, seq: head };
    } catch {
      this.#cursor = null;
      this.#socket?.close();
      return;
    } finally {
      if (this.#held === held) this.#held = null;
    }
    if (reason !== null) this.#reporter.report({ kind: 'state_read', reason, seen: head });
    this.#take(held);
  }

  #take(news: readonly News[]): void {
    if (this.#held !== null) return void this.#held.push(...news);
    const after = this.#seen;
    const fresh = news.filter((each) => !isEvent(each) || each.seq > after);
    if (fresh.length === 0) return;
    const events = fresh.filter(isEvent);
    for (const event of events) {
      this.#advance(event.seq);
      this.#watches.follow(event);
    }
    this.#options.onNews(fresh);
    this.#reporter.report({ kind: 'advanced', events: events.length, seen: this.#seen });
  }

  /** The last seq the page has seen. */
  get #seen(): number {
    return this.#cursor?.seq ?? 0;
  }

  #advance(seq: number): void {
    if (this.#cursor !== null && seq > this.#cursor.seq) this.#cursor.seq = seq;
  }

  #startPolling(): void {
    if (this.#polling !== null) return;
    const polling = new AbortController();
    this.#polling = polling;
    void pollEvents({
      rest: this.#options.rest,
      signal: polling.signal,
      pause: this.#pollPause,
      onWait: (until) => this.#reporter.waitFor({ poll: until }),
      after: () => this.#cursor && (this.#seen === 0 ? '0' : `${this.#cursor.epoch}:${this.#seen}`),
      begin: async () => {
        const { epoch, head } = await this.#options.rest.callLive('status');
        await this.#options.readState(epoch, head, null);
        this.#cursor = { epoch, seq: head };
      },
      onPage: (page) => this.#takePage(page),
      onUnreachable: () => this.#reporter.report({ kind: 'unreachable' }),
    });
  }

  async #takePage(page: EventsPage): Promise<void> {
    this.#options.onHeard();
    if (page.reset === undefined) {
      this.#take(page.events as EventRecord[]);
    } else {
      await this.#options.readState(page.epoch, page.head, page.reset.reason);
      this.#cursor = { epoch: page.epoch, seq: page.next };
      this.#reporter.report({ kind: 'state_read', reason: page.reset.reason, seen: page.next });
    }
    this.#advance(page.next);
    // The daemon is back: the socket may work again too.
    if (this.#reporter.state === 'offline') this.#pause.cut();
    this.#reporter.report({ kind: 'polled', head: page.head, seen: this.#seen });
  }

  #isStopped(): boolean {
    return this.#stopped;
  }
}
