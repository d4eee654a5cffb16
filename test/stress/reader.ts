/** A subscriber that disconnects and returns with its cursor, and remembers every event it received. */
import type { EdgeReady, EdgeRow } from './edge-protocol.ts';
import { ageOf, FILTERS } from './numbered-event.ts';
import { RawSocket, type SocketEnd } from './raw-socket.ts';

const EVENT_FRAME = '{"type":"event","event":{"seq":';
const CURSOR_FRAME = '{"type":"cursor","seq":';
const SUBSCRIBED_FRAME = '{"type":"subscribed"';
const RESET_FRAME = '{"type":"reset"';
/** As a client does: often enough for 2,000 events and 1 MiB, and far below 50 frames a second. */
const ACK_AFTER_MS = 50;

export interface ReaderOptions {
  /** The index of its filter; absent: all events. */
  filter?: number;
  acks?: Reader['acks'];
  /** Gets the age in milliseconds of each event that carries its creation time. */
  onAge?: (ms: number) => void;
}

export class Reader {
  readonly seqs: number[] = [];
  /** How its connections ended, except those it cut itself. */
  readonly ends: SocketEnd[] = [];
  resets = 0;
  /** The newest seq it knows to have passed; starts at 0, before the oldest kept event. */
  cursor = 0;
  isLive = false;
  /** Whether it acknowledges; `once` only when it subscribes. */
  acks: 'always' | 'once' | 'never';
  readonly #edge: EdgeReady;
  readonly #filter: number;
  readonly #onAge: ((ms: number) => void) | null;
  #socket: RawSocket | null = null;
  #acking = false;

  constructor(edge: EdgeReady, options: ReaderOptions = {}) {
    this.#edge = edge;
    this.#filter = options.filter ?? 0;
    this.acks = options.acks ?? 'always';
    this.#onAge = options.onAge ?? null;
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** Connects and subscribes after the cursor. */
  come(): void {
    const { port, token, epoch } = this.#edge;
    const place = this.cursor === 0 ? { after: 0 } : { after: this.cursor, epoch };
    const subscribe = { type: 'subscribe', id: 1, ...FILTERS[this.#filter], ...place };
    const ack = { type: 'ack', seq: this.cursor };
    const frames = this.acks === 'never' ? [subscribe] : [subscribe, ack];
    const socket = new RawSocket({ port, token, frames, onText: (text) => this.#receive(text) });
    this.#socket = socket;
    void socket.ended.then((end) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.isLive = false;
      this.ends.push(end);
    });
  }

  /** Reads nothing until it resumes. */
  stall(): void {
    this.#socket?.stall();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Closes without a close frame. */
  async cut(abruptly = false): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    this.isLive = false;
    await socket?.cut(abruptly);
  }

  /** Whether it received the newest row that passes its filter. */
  isThrough(rows: readonly EdgeRow[]): boolean {
    return this.seqs.at(-1) === rows.findLast((row) => this.#wants(row))?.[0];
  }

  /** How many rows it missed, and how many it got twice or out of order. */
  judge(rows: readonly EdgeRow[]): { gaps: number; doubles: number } {
    const due = rows.filter((row) => this.#wants(row)).map(([seq]) => seq);
    const seen = new Set(this.seqs);
    const gaps = due.filter((seq) => !seen.has(seq)).length;
    const inOrder = this.seqs.filter((seq, index) => seq > (this.seqs[index - 1] ?? 0)).length;
    const foreign = this.seqs.length - (due.length - gaps);
    return { gaps, doubles: Math.max(foreign, this.seqs.length - inOrder) };
  }

  #wants([, type, session]: EdgeRow): boolean {
    const { types, sessions } = FILTERS[this.#filter] ?? { types: ['*'] };
    const selected = types.some(
      (pattern) =>
        pattern === '*' ||
        pattern === type ||
        (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
    );
    return selected && (sessions === undefined || (session !== null && sessions.includes(session)));
  }

  #receive(text: string): void {
    if (text.startsWith(EVENT_FRAME)) {
      this.#pass(numberAt(text, EVENT_FRAME.length), true);
      const age = this.#onAge === null ? null : ageOf(text);
      if (age !== null) this.#onAge?.(age);
    } else if (text.startsWith(CURSOR_FRAME))
      this.#pass(numberAt(text, CURSOR_FRAME.length), false);
    else if (text.startsWith(SUBSCRIBED_FRAME)) this.isLive = true;
    else if (text.startsWith(RESET_FRAME)) this.resets += 1;
  }

  #pass(seq: number, isEvent: boolean): void {
    if (isEvent) this.seqs.push(seq);
    this.cursor = seq;
    if (this.acks !== 'always' || this.#acking) return;
    this.#acking = true;
    setTimeout(() => {
      this.#acking = false;
      this.#socket?.send({ type: 'ack', seq: this.cursor });
    }, ACK_AFTER_MS);
  }
}

function numberAt(text: string, from: number): number {
  return Number.parseInt(text.slice(from, from + 16), 10);
}
