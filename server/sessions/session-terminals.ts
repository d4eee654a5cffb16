/**
 * What can be done with the terminal of a session while it is open. Every call names the terminal
 * by the identity stored with the session, so that nothing reaches one that replaced it.
 */
import type { Screen } from '../../shared/schema/model.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import {
  COLS_BOUNDS,
  type Foreground,
  ROWS_BOUNDS,
  type Scrollback,
  type ScreenSnapshot,
  type TapListener,
  type TerminalHost,
  type TerminalIdentity,
  type TerminalTap,
  type TypeOutcome,
  type TypeRequest,
} from '../terminals/terminal.ts';
import { Serial } from '../lib/serial.ts';
import type { Snapshot } from './showing/screen-update.ts';
import type { SessionStore } from './session-store.ts';

export interface TerminalSize {
  cols: number;
  rows: number;
}

/** Called after the terminal of a session was resized. */
export type SizeListener = (session: string, size: TerminalSize) => void;

/** Called with every snapshot taken of a session's terminal. */
export type SnapshotListener = (session: string, snapshot: Snapshot) => void;

export class SessionTerminals {
  /** Opening and closing one terminal never overlap. */
  protected readonly lifecycle = new Serial();
  readonly #store: SessionStore;
  readonly #host: TerminalHost;
  readonly #clock: Clock;
  /** Two who type never interleave within one text. */
  readonly #typing = new Serial();
  readonly #sizeListeners = new Set<SizeListener>();
  readonly #snapshotListeners = new Set<SnapshotListener>();
  #captures = 0;

  constructor(options: { store: SessionStore; host: TerminalHost; clock: Clock }) {
    this.#store = options.store;
    this.#host = options.host;
    this.#clock = options.clock;
  }

  /** Snapshots taken since the daemon started. */
  get captures(): number {
    return this.#captures;
  }

  async screen(name: string): Promise<Screen> {
    const { cols, rows, cursor, lines } = await this.snapshot(name);
    return { session: name, cols, rows, cursor, lines, at: toIso(this.#clock.now()) };
  }

  /** The screen with everything the terminal reports about it. Throws `terminal_failed`. */
  async snapshot(name: string): Promise<ScreenSnapshot> {
    return this.#taken(name, await this.#host.screen(name, this.#identity(name)));
  }

  /** When the terminal was last written to, in milliseconds since 1970; null when it has ended. */
  changedAt(name: string): number | null {
    const identity = this.identityOf(name);
    return identity === null ? null : this.#host.changedAt(identity);
  }

  /** Runs `act` while no other caller of this method types into the session. */
  async exclusively<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    return this.#typing.run(name, act);
  }

  foreground(name: string): Foreground {
    const identity = this.identityOf(name);
    return identity === null ? { kind: 'lost' } : this.#host.foreground(identity);
  }

  async type(name: string, request: TypeRequest): Promise<TypeOutcome> {
    return this.#host.type(name, this.#identity(name), request);
  }

  async interrupt(name: string): Promise<TypeOutcome> {
    return this.#host.press(name, this.#identity(name), 'ctrl_c');
  }

  async escape(name: string): Promise<TypeOutcome> {
    return this.#host.press(name, this.#identity(name), 'escape');
  }

  async tagOf(name: string): Promise<string | null> {
    return this.#host.tagOf(name, this.#identity(name));
  }

  /** Follows the terminal until the tap is closed. Throws `session_unknown`, `terminal_failed`. */
  async tap(name: string, listener: TapListener): Promise<TerminalTap> {
    // A session is listed before its terminal is open.
    await this.lifecycle.run(name, async () => Promise.resolve());
    const tap = await this.#host.tap(name, this.#identity(name), listener);
    return {
      snapshot: async () => this.#taken(name, await tap.snapshot()),
      write: (bytes) => tap.write(bytes),
      close: () => tap.close(),
    };
  }

  /**
   * Resizes the terminal, within the bounds of the port, and returns the new size. Throws
   * `session_unknown`, `terminal_failed`.
   */
  async resize(name: string, wanted: TerminalSize): Promise<TerminalSize> {
    const size = { cols: inside(wanted.cols, COLS_BOUNDS), rows: inside(wanted.rows, ROWS_BOUNDS) };
    await this.#host.resize(name, this.#identity(name), size.cols, size.rows);
    for (const listener of this.#sizeListeners) listener(name, size);
    return size;
  }

  /** `from` counts from the oldest row kept, negative from the newest. Throws `terminal_failed`. */
  async scrollback(name: string, page: { from: number; lines: number }): Promise<Scrollback> {
    return this.#host.scrollback(name, this.#identity(name), page);
  }

  /** Returns the function that stops it. */
  onResized(listener: SizeListener): () => void {
    this.#sizeListeners.add(listener);
    return () => void this.#sizeListeners.delete(listener);
  }

  /** `listener` must not throw. Returns the function that stops it. */
  onSnapshot(listener: SnapshotListener): () => void {
    this.#snapshotListeners.add(listener);
    return () => void this.#snapshotListeners.delete(listener);
  }

  /** The session's current terminal, or null when none is open or there is no such session. */
  identityOf(name: string): TerminalIdentity | null {
    return this.#store.get(name)?.identity ?? null;
  }

  #taken(name: string, snapshot: ScreenSnapshot): ScreenSnapshot {
    this.#captures += 1;
    for (const listener of this.#snapshotListeners) listener(name, snapshot);
    return snapshot;
  }

  #identity(name: string): TerminalIdentity {
    const { identity } = this.#store.known(name);
    if (identity === null)
      throw new AppError('terminal_failed', `the terminal of ${name} is not open`);
    return identity;
  }
}

function inside(value: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, Math.trunc(value)));
}
