/** A subscriber that goes away and comes back with its cursor, and knows all it was ever told. */
import type { EdgeReady, EdgeRow } from './edge-protocol.ts';
import { ageOf, FILTERS } from './numbered-event.ts';
import { RawSocket, type SocketEnd } from './raw-socket.ts';

const EVENT_FRAME = '{"type":"event","event":{"seq":';
const CURSOR_FRAME = '{"type":"cursor","seq":';
const SUBSCRIBED_FRAME = '{"type":"subscribed"';
const RESET_FRAME = '{"type":"reset"';
/** As a client does: often enough for 2,000 events and 1 MiB, and far from 50 frames a second. */
const ACK_AFTER_MS = 50;

export interface ReaderOptions {
  /** Which of the filters; all events unless given. */
  filter?: number;
  acks?: Reader['acks'];
  /** Gets the age in milliseconds of each event that tells when it was made. */
  onAge?: (ms: number) => void;
}

export class Reader {
  readonly seqs: number[] = [];
  /** How its connections ended, but for those it cut itself. */
  readonly ends: SocketEnd[] = [];
  resets = 0;
  /** The newest seq it knows to have passed; the start is 0, the oldest kept. */
  cursor = 0;
  isLive = false;
  /** Tells what it has seen; `once` says so when it subscribes and never again. */
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
    const socket = new RawSocket({ port, token, frames, onText: (text) => this.#hear(text) });
    this.#socket = socket;
    void socket.ended.then((end) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.isLive = false;
      this.ends.push(end);
    });
  }

  /** Reads nothing more until it goes on. */
  stall(): void {
    this.#socket?.stall();
  }

  goOn(): void {
    this.#socket?.goOn();
  }

  /** Goes without a word. */
  async cut(abruptly = false): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    this.isLive = false;
    await socket?.cut(abruptly);
  }

  /** Takes the rows of the log; tells whether it was told the newest of those it wants. */
  isThrough(rows: readonly EdgeRow[]): boolean {
    return this.seqs.at(-1) === rows.findLast((row) => this.#wants(row))?.[0];
  }

  /** Takes the rows of the log; gives how many it missed and how many it got twice or out of turn. */
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

  #hear(text: string): void {
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
