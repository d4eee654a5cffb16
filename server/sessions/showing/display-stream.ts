/**
 * The output of one terminal for all who follow it byte by byte; the tap passes only safe bytes.
 * Each viewer starts with a redraw; one that does not keep up misses bytes and gets another redraw
 * when it has drained. Viewers never wait for each other.
 */
import type { DetachReason } from '../../../shared/schema/events/protocol.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { ScreenSnapshot, TapListener, TerminalTap } from '../../terminals/terminal.ts';
import { screenRedraw } from './screen-redraw.ts';
import type { TerminalSize } from '../session-terminals.ts';

export interface DisplayViewer {
  /** Bytes received and not passed on yet. */
  readonly bufferedBytes: number;
  /** Before the redraw in a new size, the first one included. */
  size(size: TerminalSize): void;
  bytes(bytes: Uint8Array): void;
  /** The last call. */
  ended(reason: DetachReason): void;
}

interface Following {
  /** Gets bytes as they come; otherwise it waits for a redraw. */
  live: boolean;
  /** Has to drain before a redraw is useful. */
  behind: boolean;
  size: TerminalSize | null;
  /** Its other buffer differs from the terminal's: leaving the alternate one needs a redraw. */
  onAlternate: boolean;
}

/** Maximum unsent bytes of one viewer. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Bytes within one frame of a screen (60 Hz) are sent in one write. */
const PACE_MS = 16;
const MAX_PENDING_BYTES = 64 * 1024;
/** Minimum between two snapshots: a flood is shown as ten per second. */
const REDRAW_MS = 100;
/** On a busy machine a tap or snapshot may fail and succeed a little later. */
const MAX_FAILURES = 3;
const AGAIN_MS = 250;
// eslint-disable-next-line no-control-regex -- the way back from the alternate screen
const LEAVES_ALTERNATE = /\x1b\[\?(?:\d+;)*(?:47|1047|1049)(?:;\d+)*l/;

export class DisplayStream {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #openTap: (listener: TapListener) => Promise<TerminalTap>;
  readonly #viewers = new Map<DisplayViewer, Following>();
  #tap: TerminalTap | null = null;
  #over = false;
  #failures = 0;
  #againTimer: Timer | null = null;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #flushedAt = -Infinity;
  #flushTimer: Timer | null = null;
  #snapshotAt = -Infinity;
  #snapshotTimer: Timer | null = null;
  #snapshotting = false;
  /** Incremented by everything that makes a snapshot in progress too old to be shown. */
  #age = 0;

  constructor(options: {
    open: (listener: TapListener) => Promise<TerminalTap>;
    clock: Clock;
    onEnd: () => void;
  }) {
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
    this.#openTap = options.open;
    void this.#open();
  }

  /** Shows the terminal to a viewer, first as a redraw. */
  add(viewer: DisplayViewer): void {
    this.#viewers.set(viewer, { live: false, behind: false, size: null, onAlternate: false });
    this.#wantRedraw();
  }

  /** The last one to leave closes the tap. */
  remove(viewer: DisplayViewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) this.end('requested');
  }

  /** The viewer has passed on everything it received. */
  drained(viewer: DisplayViewer): void {
    const following = this.#viewers.get(viewer);
    if (following?.behind !== true) return;
    following.behind = false;
    this.#wantRedraw();
  }

  /** The terminal was resized: programs and emulators disagree about the effect. */
  redraw(): void {
    for (const following of this.#viewers.values()) following.live = false;
    this.#age += 1;
    this.#wantRedraw();
  }

  /** False when there is no terminal to receive the keys. */
  write(bytes: Uint8Array): boolean {
    this.#tap?.write(bytes);
    return this.#tap !== null;
  }

  end(reason: DetachReason): void {
    if (this.#over) return;
    this.#over = true;
    this.#flushTimer?.cancel();
    this.#snapshotTimer?.cancel();
    this.#againTimer?.cancel();
    this.#tap?.close();
    this.#tap = null;
    this.#onEnd();
    const viewers = [...this.#viewers.keys()];
    this.#viewers.clear();
    for (const viewer of viewers) viewer.ended(reason);
  }

  async #open(): Promise<void> {
    try {
      const tap = await this.#openTap({
        output: (bytes) => this.#append(bytes),
        skipped: () => this.#skipped(),
        ended: () => this.end('terminal_gone'),
      });
      if (this.#over) tap.close();
      else this.#tap = tap;
      this.#wantRedraw();
    } catch {
      this.#failed();
    }
  }

  /** Retries a little later, or ends the attachment. */
  #failed(): void {
    this.#tap?.close();
    this.#tap = null;
    this.#forgetPending();
    for (const following of this.#viewers.values()) following.live = false;
    this.#failures += 1;
    if (this.#failures >= MAX_FAILURES) this.end('terminal_failed');
    if (this.#over) return;
    this.#againTimer = this.#clock.after(AGAIN_MS, () => void this.#open());
  }

  #append(bytes: Uint8Array): void {
    if (this.#over || bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    const wait = this.#flushedAt + PACE_MS - this.#clock.monotonic();
    if (wait <= 0 || this.#pendingBytes >= MAX_PENDING_BYTES) this.#flush();
    else this.#flushTimer ??= this.#clock.after(wait, () => this.#flush());
  }

  #skipped(): void {
    this.#forgetPending();
    for (const following of this.#viewers.values()) following.live = false;
    this.#age += 1;
    this.#wantRedraw();
  }

  #forgetPending(): void {
    this.#flushTimer?.cancel();
    this.#flushTimer = null;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #flush(): void {
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#forgetPending();
    this.#flushedAt = this.#clock.monotonic();
    if (bytes === undefined || bytes.length === 0) return;
    for (const [viewer, following] of this.#viewers) {
      if (!following.live) continue;
      if (viewer.bufferedBytes > MAX_BUFFERED_BYTES) {
        Object.assign(following, { live: false, behind: true });
      } else viewer.bytes(bytes);
    }
    this.#redrawOtherBuffers(bytes);
  }

  #redrawOtherBuffers(bytes: Uint8Array): void {
    const others = [...this.#viewers.values()].filter(({ onAlternate }) => onAlternate);
    if (others.length === 0) return;
    if (!LEAVES_ALTERNATE.test(Buffer.from(bytes).toString('latin1'))) return;
    for (const following of others) Object.assign(following, { live: false });
    this.#age += 1;
    this.#wantRedraw();
  }

  #wantRedraw(): void {
    if (this.#tap === null || this.#snapshotting || this.#snapshotTimer !== null) return;
    if (![...this.#viewers.values()].some(({ live, behind }) => !live && !behind)) return;
    const wait = this.#snapshotAt + REDRAW_MS - this.#clock.monotonic();
    if (wait <= 0) void this.#takeSnapshot(this.#tap);
    else {
      this.#snapshotTimer = this.#clock.after(wait, () => {
        this.#snapshotTimer = null;
        if (this.#tap !== null) void this.#takeSnapshot(this.#tap);
      });
    }
  }

  async #takeSnapshot(tap: TerminalTap): Promise<void> {
    this.#snapshotting = true;
    const age = this.#age;
    this.#snapshotAt = this.#clock.monotonic();
    const snapshot = await tap.snapshot().catch(() => null);
    if (this.#over) return;
    this.#snapshotting = false;
    if (snapshot === null) {
      this.#failed();
      return;
    }
    this.#failures = 0;
    if (age === this.#age) this.#draw(snapshot);
    this.#wantRedraw();
  }

  #draw(snapshot: ScreenSnapshot): void {
    // Pending bytes come before the snapshot, which includes them: only viewers that are live get
    // them.
    this.#flush();
    const bytes = Buffer.from(screenRedraw(snapshot));
    const { cols, rows, alternate } = snapshot;
    for (const [viewer, following] of this.#viewers) {
      if (following.live || following.behind) continue;
      const same = following.size?.cols === cols && following.size.rows === rows;
      Object.assign(following, { live: true, size: { cols, rows }, onAlternate: alternate });
      if (!same) viewer.size({ cols, rows });
      viewer.bytes(bytes);
    }
  }
}
