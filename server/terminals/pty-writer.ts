/**
 * Writes to a terminal, in order. node-pty writes from another thread, to a file descriptor that
 * may have been closed and reused by then; here both happen on one thread.
 */
import { writeSync } from 'node:fs';
import type { IPty } from '@lydell/node-pty';
import type { Clock } from '../lib/clock.ts';
import { systemCode } from '../lib/app-error.ts';

/** Delay before a retry when the program does not read: the kernel buffers 4 KB for it. */
const RETRY_MS = 5;
/** Bytes buffered for a program that does not read. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** What node-pty has beyond its types (version 1.1.0). */
interface OpenFile {
  fd: number;
  _socket: { destroyed: boolean };
}

export class PtyWriter {
  readonly #file: OpenFile;
  readonly #clock: Clock;
  #waiting: Buffer[] = [];
  #size = 0;
  #scheduled = false;

  constructor(pty: IPty, clock: Clock) {
    this.#file = pty as unknown as OpenFile;
    this.#clock = clock;
  }

  /** False, with nothing written, when too much is buffered or the terminal is known to have ended. */
  write(input: string | Uint8Array): boolean {
    const bytes = typeof input === 'string' ? Buffer.from(input) : Buffer.from(input);
    if (this.#closed || this.#size + bytes.length > MAX_WAITING_BYTES) return false;
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    if (!this.#scheduled) this.#flush();
    return true;
  }

  get #closed(): boolean {
    return this.#file._socket.destroyed;
  }

  #flush(): void {
    this.#scheduled = false;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const written = this.#closed ? null : tryWrite(this.#file.fd, first);
      if (written === null) {
        this.#waiting = [];
        this.#size = 0;
        return;
      }
      this.#size -= written;
      if (written === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(written);
      if (written > 0 || first.length === 0) continue;
      this.#scheduled = true;
      this.#clock.after(RETRY_MS, () => this.#flush());
      return;
    }
  }
}

/** The number of bytes written, 0 when the kernel takes none now, null when the terminal has ended. */
function tryWrite(file: number, bytes: Buffer): number | null {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    return systemCode(error) === 'EAGAIN' ? 0 : null;
  }
}
