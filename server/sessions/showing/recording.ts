/**
 * Records one terminal into one file, asciicast v2: a header, then a line per event. Bounded in
 * size and time; a quiet terminal costs nothing.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { DetachReason } from '../../../shared/schema/events/protocol.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { DisplayViewer } from './display-stream.ts';
import type { TerminalSize } from '../session-terminals.ts';

export type RecordingEnd = 'stopped' | 'terminal_gone' | 'size' | 'time' | 'failed';

export const MAX_RECORDING_BYTES = 16 * 1024 * 1024;
export const MAX_RECORDING_MS = 60 * 60_000;
/** Lines are written in batches: after this time, or at this many bytes. */
const BATCH_MS = 1_000;
const BATCH_BYTES = 64 * 1024;
/** Reserved for the last line. */
const MARKER_BYTES = 200;

export class Recording implements DisplayViewer {
  /** The file accepts everything. */
  readonly bufferedBytes = 0;
  readonly startedAtMs: number;
  readonly #clock: Clock;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #file: number;
  readonly #startedAt: number;
  readonly #limit: Timer;
  #headed = false;
  #lines: string[] = [];
  #waitingBytes = 0;
  #written = 0;
  #timer: Timer | null = null;
  #end: RecordingEnd | null = null;

  /** `path` must not exist. Throws the system's error. */
  constructor(path: string, clock: Clock) {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    this.#file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    this.#clock = clock;
    this.startedAtMs = clock.now();
    this.#startedAt = clock.monotonic();
    this.#limit = clock.after(MAX_RECORDING_MS, () => this.end('time'));
  }

  get ending(): RecordingEnd | null {
    return this.#end;
  }

  /** Bytes of the file once all pending lines are written. */
  get length(): number {
    return this.#written + this.#waitingBytes;
  }

  size({ cols, rows }: TerminalSize): void {
    if (this.#headed) {
      this.#add('r', `${cols}x${rows}`);
      return;
    }
    this.#headed = true;
    const timestamp = Math.floor(this.startedAtMs / 1000);
    this.#keep(`${JSON.stringify({ version: 2, width: cols, height: rows, timestamp })}\n`);
  }

  bytes(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text !== '') this.#add('o', text);
  }

  ended(reason: DetachReason): void {
    this.end(reason === 'requested' || reason === 'daemon_stopping' ? 'stopped' : 'terminal_gone');
  }

  /** Writes what is pending, and a last line with the reason. Ends once. */
  end(why: RecordingEnd): void {
    if (this.#end !== null) return;
    this.#limit.cancel();
    this.#end = why;
    if (this.#headed) this.#keep(this.#line('m', `recording stopped: ${why}`));
    this.flush();
    this.#timer?.cancel();
    closeSync(this.#file);
  }

  /** Writes everything up to now. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#waitingBytes = 0;
    if (text === '') return;
    try {
      this.#written += writeSync(this.#file, text);
    } catch {
      // A full disk: what was written can still be played.
      if (this.#end === null) this.end('failed');
      this.#end = 'failed';
    }
  }

  #add(code: 'o' | 'r', data: string): void {
    if (this.#end !== null) return;
    const line = this.#line(code, data);
    if (this.length + Buffer.byteLength(line) > MAX_RECORDING_BYTES - MARKER_BYTES) {
      this.end('size');
      return;
    }
    this.#keep(line);
    if (this.#waitingBytes >= BATCH_BYTES) this.flush();
    else this.#timer ??= this.#clock.after(BATCH_MS, () => this.flush());
  }

  #line(code: 'o' | 'r' | 'm', data: string): string {
    const seconds = (this.#clock.monotonic() - this.#startedAt) / 1000;
    return `${JSON.stringify([Number(seconds.toFixed(6)), code, data])}\n`;
  }

  #keep(line: string): void {
    this.#lines.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
  }
}
