/**
 * One live terminal: carries out what `stepLink` decides, on its own connection, and connects it to
 * the emulator. Keys reach the terminal or are visibly refused.
 */
import { retryDelayMs } from '$shared/rules/backoff.ts';
import { LiveSocket } from '$lib/client/live-socket.ts';
import { Pause } from '$lib/client/pause.ts';
import type { Rest } from '$lib/client/rest.ts';
import { DetachKeys } from '$shared/rules/detach-keys.ts';
import type { ServerFrame } from '$shared/schema/events/protocol.ts';
import { DisplayIntake } from './display-intake.ts';
import type { Emulator } from './emulator.ts';
import type { TerminalSize } from './fitting-font.ts';
import { readScrollback } from './read-scrollback.ts';
import {
  isLive,
  type LinkEffect,
  type LinkInput,
  openLink,
  stepLink,
  type TerminalLink,
  type TerminalMode,
} from './terminal-link.ts';

/** One binary frame holds at most 64 KiB. */
const MAX_KEYS_BYTES = 32 * 1024;
/** Layout changes come in bursts. */
const RESIZE_AFTER_MS = 150;
/** Keys without any answer for this long make the page ping. */
const QUIET_MS = 2_000;

export interface LiveTerminalOptions {
  rest: Rest;
  socketUrl: string;
  session: string;
  emulator: Emulator;
  mode: TerminalMode;
  /** The detach keys were pressed. */
  onLeave: () => void;
}

export class LiveTerminal {
  link = $state.raw<TerminalLink>(openLink('view').link);
  /** The terminal was shown at least once. */
  isShown = $state(false);
  /** Why the last key was refused, until the next one. `away`: there was no connection. */
  refusal = $state<'viewing' | 'away' | null>(null);
  /** The connection broke after unanswered keys; until the next one. */
  mayHaveLostKeys = $state(false);

  readonly #options: LiveTerminalOptions;
  readonly #intake: DisplayIntake;
  readonly #pause = new Pause();
  #keys = new DetachKeys();
  #socket: LiveSocket | null = null;
  #heardAt = 0;
  #typedAt = 0;
  #hasPinged = false;
  #requestedSize = '';
  #resizeTimer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(options: LiveTerminalOptions) {
    const { emulator } = options;
    this.#options = options;
    this.#intake = new DisplayIntake({
      write: (bytes, done) => emulator.write(bytes, done),
      onIncomplete: () => this.#take({ type: 'redraw' }),
    });
  }

  start(): () => void {
    const { link, effects } = openLink(this.#options.mode);
    this.link = link;
    this.#perform(effects);
    return () => {
      this.#isStopped = true;
      clearTimeout(this.#resizeTimer);
      this.#pause.cut();
      this.#socket?.close();
    };
  }

  /** A person wants to watch or to type; `take`: even if someone else has control. */
  ask(mode: TerminalMode, take = false): void {
    this.#settle();
    this.#take({ type: 'ask', mode, take });
  }

  /** The network or the machine came back: check now. */
  nudge(): void {
    if (this.link.phase === 'waiting') this.#pause.cut();
    else this.#socket?.ping();
  }

  /** The element of the terminal changed its size. */
  layOut(): void {
    clearTimeout(this.#resizeTimer);
    this.#resizeTimer = setTimeout(() => this.#fit(), RESIZE_AFTER_MS);
  }

  type(typed: Uint8Array<ArrayBuffer>): void {
    const { pass, detach } = this.#keys.push(typed);
    for (let at = 0; at < pass.length; at += MAX_KEYS_BYTES) {
      this.#send(Uint8Array.from(pass.subarray(at, at + MAX_KEYS_BYTES)));
    }
    if (detach) this.#options.onLeave();
  }

  /** A key was pressed that cannot be typed. */
  refuse(): void {
    this.refusal = isLive(this.link) ? 'viewing' : 'away';
  }

  #settle(): void {
    this.refusal = null;
    this.mayHaveLostKeys = false;
  }

  #send(keys: Uint8Array<ArrayBuffer>): void {
    if (!this.link.controls) return this.refuse();
    if (this.#socket?.sendBytes(keys) !== true) {
      this.refusal = 'away';
      return;
    }
    this.#settle();
    this.#typedAt = performance.now();
    if (this.#hasPinged || this.#typedAt - this.#heardAt < QUIET_MS) return;
    this.#hasPinged = true;
    this.#socket.ping();
  }

  #take(input: LinkInput): void {
    if (this.#isStopped) return;
    const { link, effects } = stepLink(this.link, input);
    if (link.controls !== this.link.controls) this.#keys = new DetachKeys();
    this.link = link;
    this.#options.emulator.mayType = link.controls;
    this.#perform(effects);
  }

  #perform(effects: readonly LinkEffect[]): void {
    for (const effect of effects) {
      if (effect.do === 'connect') void this.#connect();
      else if (effect.do === 'disconnect') this.#socket?.close();
      else if (effect.do === 'wait') void this.#wait(effect.failures);
      else this.#attach(effect);
    }
  }

  async #wait(failures: number): Promise<void> {
    await this.#pause.wait(retryDelayMs(failures));
    this.#take({ type: 'retry' });
  }

  async #connect(): Promise<void> {
    const { rest, socketUrl } = this.#options;
    try {
      const { ticket } = await rest.call('createTicket');
      if (this.#isStopped) return;
      this.#socket = new LiveSocket({
        url: socketUrl,
        ticket,
        onFrame: (frame) => this.#receive(frame),
        onBytes: (bytes) => this.#show(bytes),
        onClose: (code) => this.#closed(code),
      });
    } catch {
      this.#closed(0);
    }
  }

  #closed(code: number): void {
    this.#socket = null;
    this.#hasPinged = false;
    if (this.link.controls && this.#typedAt > this.#heardAt) this.mayHaveLostKeys = true;
    this.#take({ type: 'closed', code });
  }

  #attach({ control, take }: { control: boolean; take: boolean }): void {
    const { session, emulator } = this.#options;
    const size = (control ? emulator.fit() : null) ?? { cols: 80, rows: 24 };
    this.#requestedSize = nameOf(size);
    this.#socket?.send({ type: 'attach', session, ...size, control, take });
  }

  #receive(frame: ServerFrame): void {
    this.#heard();
    if (frame.type === 'attached') this.#attached(frame);
    else if (frame.type === 'control' || frame.type === 'detached' || frame.type === 'welcome') {
      this.#take(frame);
    } else if (frame.type === 'error') {
      if (frame.code === 'not_controller' || frame.code === 'not_attached') this.refuse();
      this.#take(frame);
    }
  }

  #attached({ control, cols, rows }: Extract<ServerFrame, { type: 'attached' }>): void {
    const { emulator } = this.#options;
    const isNew = this.link.phase === 'attaching';
    this.#intake.restart();
    emulator.resize({ cols, rows });
    this.#take({ type: 'attached', control });
    if (!this.link.controls) emulator.scale();
    if (isNew && !this.isShown) void this.#showScrollback(rows);
    this.isShown = true;
    if (this.link.controls) {
      if (isNew) emulator.focus();
      this.layOut();
    }
  }

  /** Puts the earlier scrollback above the current screen. */
  async #showScrollback(rows: number): Promise<void> {
    const { rest, session, emulator } = this.#options;
    this.#intake.hold();
    emulator.write(await readScrollback(rest, session, rows));
    this.#intake.release();
  }

  #show(bytes: Uint8Array): void {
    this.#heard();
    this.#intake.push(bytes);
  }

  #heard(): void {
    this.#heardAt = performance.now();
    this.#hasPinged = false;
  }

  /** The person in control sets the size; others see it as large as possible. */
  #fit(): void {
    const { emulator } = this.#options;
    if (!this.link.controls) {
      emulator.scale();
      return;
    }
    const size = emulator.fit();
    if (size === null || nameOf(size) === this.#requestedSize || !isLive(this.link)) return;
    this.#requestedSize = nameOf(size);
    this.#socket?.send({ type: 'resize', ...size });
  }
}

function nameOf({ cols, rows }: TerminalSize): string {
  return `${cols}x${rows}`;
}
