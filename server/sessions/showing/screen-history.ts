/**
 * The history of screens. From the snapshots that are taken anyway it keeps those that may be
 * needed later: one every few seconds while the text changes, and the one before each moment that
 * matters. Captures only one itself, when an agent has ended, of what it left behind.
 */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { PastScreen, ScreenMoment, ScreensPage } from '../../../shared/schema/past-screen.ts';
import type { EncodedEvent, EventLog } from '../../events/event-log.ts';
import { AppError } from '../../lib/app-error.ts';
import { type Clock, type Timer, toIso } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { momentOf } from './screen-moment.ts';
import type { ScreenStore } from './screen-store.ts';
import type { Snapshot } from './screen-update.ts';
import { type KeptSnapshot, ScreenWriter } from './screen-writer.ts';

/** Per session, so that one full of noise displaces no other's. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Minimum between two kept snapshots of a session whose text keeps changing. */
const APART_MS = 5_000;
const PRUNE_EVERY_MS = 60 * 60_000;
const PAGE_EVENTS = 500;

/** One session: the snapshot that was kept last, and a newer one that is not kept yet. */
interface Reel {
  kept: KeptSnapshot | null;
  keptAtMs: number;
  shown: KeptSnapshot | null;
  timer: Timer | null;
  /** The last one before its agent ended: if that was a crash, it shows the crash. */
  atEnd: KeptSnapshot | null;
}

export interface ScreenHistoryOptions {
  log: EventLog;
  store: ScreenStore;
  clock: Clock;
  logger: Log;
  /** Snapshots per session; 0 keeps none. */
  limit: number;
  /** How many days events are kept, and the snapshots of moments with them. */
  retentionDays: number;
  isOpen: (session: string) => boolean;
  /** Captures a session's terminal; the snapshot is then offered like any other. */
  capture: (session: string) => Promise<unknown>;
}

export class ScreenHistory {
  readonly #options: ScreenHistoryOptions;
  readonly #writer: ScreenWriter;
  readonly #reels = new Map<string, Reel>();
  #readSeq: number;
  #unlisten: () => void = () => undefined;
  #timer: Timer | null = null;

  constructor(options: ScreenHistoryOptions) {
    const { limit, retentionDays } = options;
    const bounds = { limit, maxBytes: MAX_BYTES, momentsMs: retentionDays * 86_400_000 };
    this.#options = options;
    this.#writer = new ScreenWriter({ ...options, bounds });
    this.#readSeq = options.log.head;
  }

  /** Follows the events and removes what is too old, until disposed. */
  start(): void {
    const { log, clock } = this.#options;
    this.#unlisten = log.listen(() => this.#readEvents());
    const prune = () => {
      this.#writer.prune();
      this.#timer = clock.after(PRUNE_EVERY_MS, prune);
    };
    prune();
  }

  /** How much is kept, and how many were lost because the disk was slow or full. */
  status(): { limit: number; bytes: number; lost: number } {
    return { limit: this.#options.limit, bytes: this.#writer.bytes, lost: this.#writer.lost };
  }

  /** Sessions whose newest screen is held in memory. */
  get held(): number {
    return this.#reels.size;
  }

  /** `snapshot` was taken just now. Never throws. */
  offer(session: string, snapshot: Snapshot): void {
    const { limit, clock, log, logger, isOpen } = this.#options;
    // One in progress when its session closed would be held forever.
    if (limit === 0 || (!this.#reels.has(session) && !isOpen(session))) return;
    try {
      const reel = this.#reel(session);
      if (reel.kept !== null && !reel.kept.isLost && isSameText(reel.kept.snapshot, snapshot)) {
        this.#forgetShown(reel);
        return;
      }
      const { cols, rows, cursor, lines } = snapshot;
      reel.shown = {
        session,
        atMs: clock.now(),
        seq: log.head,
        moment: null,
        number: null,
        isLost: false,
        snapshot: { cols, rows, cursor, lines },
      };
      const waitMs = reel.keptAtMs + APART_MS - clock.monotonic();
      if (waitMs <= 0) this.#keep(reel, false);
      else reel.timer ??= clock.after(waitMs, () => this.#keep(reel, false));
    } catch (error) {
      logger.warn({ err: error, session }, 'cannot check a snapshot for retention');
    }
  }

  /** True when snapshots of the session are kept, open or not. */
  has(session: string): boolean {
    return this.#options.store.has(session);
  }

  /** At most `limit` snapshots with a number below `before`, newest first. */
  list(session: string, before: number | undefined, limit: number): ScreensPage {
    const { store } = this.#options;
    const screens = store.list(session, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const page = screens.slice(0, limit);
    const next = screens.length > limit ? (page.at(-1)?.number ?? null) : null;
    return { session, screens: page, next };
  }

  /** By number, or the newest up to a time in ISO 8601. Throws `screen_unknown`. */
  find(session: string, at: string): PastScreen {
    const { store } = this.#options;
    const wallMs = Date.parse(at);
    const found = /^\d{1,15}$/.test(at)
      ? store.get(session, Number(at))
      : Number.isNaN(wallMs)
        ? null
        : store.asOf(session, wallMs);
    if (found !== null) return found;
    const oldest = store.kept(session)[0];
    const hint = oldest === undefined ? '' : `; the oldest is from ${toIso(oldest.atMs)}`;
    throw new AppError(
      'screen_unknown',
      `no such snapshot of ${session}; use a snapshot number or a time such as ${toIso(this.#options.clock.now())}${hint}`,
    );
  }

  /** Keeps what is not kept yet and writes all of it. */
  dispose(): void {
    this.#unlisten();
    this.#timer?.cancel();
    for (const reel of this.#reels.values()) this.#keep(reel, false);
    this.#writer.end();
  }

  #reel(session: string): Reel {
    let reel = this.#reels.get(session);
    if (reel === undefined) {
      const newest = this.#options.store.newest(session);
      const kept = newest === null ? null : fromStore(newest);
      reel = { kept, keptAtMs: -Infinity, shown: null, timer: null, atEnd: null };
      this.#reels.set(session, reel);
    }
    return reel;
  }

  #forgetShown(reel: Reel): void {
    reel.timer?.cancel();
    reel.timer = null;
    reel.shown = null;
  }

  #keep(reel: Reel, atOnce: boolean): void {
    const { shown } = reel;
    this.#forgetShown(reel);
    if (shown === null) return;
    reel.kept = shown;
    reel.keptAtMs = this.#options.clock.monotonic();
    this.#writer.add(shown, atOnce);
  }

  #readEvents(): void {
    const { log, logger } = this.#options;
    try {
      while (this.#readSeq < log.head) {
        const page = log.read(this.#readSeq, PAGE_EVENTS);
        this.#readSeq = page.at(-1)?.seq ?? log.head;
        for (const event of page) this.#handleEvent(event);
      }
    } catch (error) {
      logger.warn({ err: error }, 'cannot keep some snapshots');
    }
  }

  #handleEvent({ type, session, json }: EncodedEvent): void {
    const moment = momentOf(type);
    if (moment === null || session === null) return;
    const reel = this.#reels.get(session);
    if (moment === 'crash' && reel?.atEnd) this.#writer.mark(reel.atEnd, moment);
    else this.#moment(session, moment);
    if (type === 'session.agent_changed' && reel !== undefined) {
      const isOver = hasEnded(json);
      reel.atEnd = isOver ? reel.kept : null;
      if (isOver) void this.#captureAfterEnd(session);
    }
    if (type !== 'session.closed') return;
    this.#reels.delete(session);
    this.#writer.forget(session);
  }

  #moment(session: string, moment: ScreenMoment): void {
    const reel = this.#reels.get(session);
    if (reel === undefined) return;
    if (reel.shown !== null) {
      reel.shown.moment = moment;
      this.#keep(reel, true);
    } else if (reel.kept !== null) this.#writer.mark(reel.kept, moment);
  }

  /** Terminals without an agent are not captured otherwise, and this one shows why it ended. */
  async #captureAfterEnd(session: string): Promise<void> {
    if (this.#options.limit === 0) return;
    try {
      await this.#options.capture(session);
      this.#moment(session, 'agent');
    } catch {
      // Its terminal ended too.
    }
  }
}

function fromStore({ number, seq, moment, session, at, ...snapshot }: PastScreen): KeptSnapshot {
  return { number, seq, moment, session, atMs: Date.parse(at), snapshot, isLost: false };
}

function isSameText(one: Snapshot, other: Snapshot): boolean {
  return (
    one.cols === other.cols &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, row) => line === other.lines[row])
  );
}

function hasEnded(json: string): boolean {
  const { data } = JSON.parse(json) as { data: { agent: AgentState | null } };
  return data.agent?.state === 'exited';
}
