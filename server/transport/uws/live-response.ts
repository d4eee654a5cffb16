/**
 * The only holder of a native response. The engine throws at every call after an answer has ended
 * or the client has disconnected, and an exception in one of its callbacks ends the daemon. Here
 * the native response is dropped at that moment, so a late call has nothing left to reach.
 */
import type { UwsContext, UwsResponse } from './engine.ts';

const NOTHING = new Uint8Array(0);

interface ResponseWatcher {
  /** Called once: answered, aborted, cut or upgraded. From then on no call has an effect. */
  over(): void;
  /** Called after `over` if the client disconnected, or was cut, before the answer had ended. */
  aborted(): void;
  /** The kernel accepts more. */
  writable(): void;
}

interface UpgradeAnswer {
  data: unknown;
  key: string;
  protocol: string;
  context: UwsContext;
}

export class LiveResponse {
  #native: UwsResponse | null;
  #watcher: ResponseWatcher | null = null;
  #isPaused = false;

  /** Must be created in the engine's call that brought the response. */
  constructor(native: UwsResponse) {
    this.#native = native;
    // The engine ends the process if a handler returns without an answer and without this.
    native.onAborted(() => this.#abort());
  }

  get isOver(): boolean {
    return this.#native === null;
  }

  watch(watcher: ResponseWatcher): void {
    this.#watcher = watcher;
    this.#native?.onWritable(() => {
      watcher.writable();
      return true;
    });
  }

  /** Calls `take` for each part of the body, with a copy, until the exchange is over. */
  onBody(take: (chunk: Uint8Array, isLast: boolean) => void): void {
    this.#native?.onData((chunk, isLast) => {
      // The rest of a body whose answer has been sent still arrives here.
      if (this.#native !== null) take(new Uint8Array(chunk.slice(0)), isLast);
    });
  }

  /** Address of the client, empty once the exchange is over. */
  address(): Uint8Array {
    return new Uint8Array(this.#native?.getRemoteAddress() ?? new ArrayBuffer(0));
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#native?.pause();
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#native?.resume();
    this.#isPaused = false;
  }

  writeHead(status: string, headers: Iterable<readonly [name: string, value: string]>): void {
    this.cork(() => {
      this.#native?.writeStatus(status);
      for (const [name, value] of headers) this.#native?.writeHeader(name, value);
    });
  }

  /** False: not all of it went into the kernel; `writable` is called when it accepts more. */
  write(chunk: Uint8Array): boolean {
    let isTaken = true;
    this.cork(() => (isTaken = this.#native?.write(chunk) ?? true));
    return isTaken;
  }

  /** `body` is null for an answer without one. */
  end(body: Uint8Array | null, closing: boolean): void {
    this.cork(() => {
      // A paused socket would stay open without reading: the engine has no timeout for it.
      this.resume();
      const native = this.#leave();
      if (body === null && !closing) native?.endWithoutBody();
      else native?.end(body ?? NOTHING, closing);
      this.#watcher?.over();
    });
  }

  /** Ends the connection without an answer. */
  cut(): void {
    this.#native?.close();
    this.#abort();
  }

  upgrade({ data, key, protocol, context }: UpgradeAnswer): void {
    const native = this.#leave();
    this.#watcher?.over();
    native?.upgrade(data, key, protocol, '', context);
  }

  /** Everything `task` writes leaves in one packet. Nothing runs once the exchange is over. */
  cork(task: () => void): void {
    this.#native?.cork(task);
  }

  #abort(): void {
    if (this.#leave() === null) return;
    this.#watcher?.over();
    this.#watcher?.aborted();
  }

  #leave(): UwsResponse | null {
    const native = this.#native;
    this.#native = null;
    return native;
  }
}
