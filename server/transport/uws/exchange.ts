/** One request and its answer: knows whether the client is still connected. */
import { STATUS_CODES } from 'node:http';
import { headerHas } from '../judge-head.ts';
import type { RequestHead } from '../transport.ts';
import type { LiveResponse } from './live-response.ts';

/** Written by the engine itself. */
const ENGINE_HEADERS = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);
/** An answer that is complete at once is sent with its length, up to this size. */
const MAX_WHOLE_BYTES = 1024 * 1024;
const BODY_QUEUE_BYTES = 64 * 1024;
/** After this much of one answer, others get the event loop. */
const TICK_BYTES = 16 * 1024;

type Reading = ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>;

export class Exchange {
  /** Aborts when the client disconnects before the answer has ended. */
  readonly gone = new AbortController();
  readonly #response: LiveResponse;
  readonly #head: RequestHead;
  /** Held: the signal of a garbage-collected request never aborts. */
  #request: Request | null = null;
  #sinceTick = 0;
  #writable: () => void = () => undefined;

  /** `ended` is called once, when the exchange is over. */
  constructor(response: LiveResponse, head: RequestHead, ended: () => void) {
    this.#response = response;
    this.#head = head;
    response.watch({
      over: ended,
      aborted: () => {
        this.gone.abort();
        this.#request = null;
        this.#writable();
      },
      writable: () => this.#writable(),
    });
  }

  /** Throws for a target that is no address. Must be called at once. */
  request(): Request {
    const { method, target, headers } = this.#head;
    const host = headers.find(([name]) => name === 'host')?.[1] ?? '';
    const path = target.split('?')[0] ?? '';
    if (!path.startsWith('/') || path.includes('\\')) throw new TypeError('not a path');
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
    this.#request = new Request(`http://${host}${target}`, {
      method,
      headers: headers as [string, string][],
      signal: this.gone.signal,
      ...(hasBody ? { body: this.#body(), duplex: 'half' } : {}),
    });
    return this.#request;
  }

  /**
   * Sends the response, streaming a slow body as fast as the client takes it; cancels it when the
   * client disconnects. With `closing`, nothing that follows on this connection is taken for a
   * request.
   */
  async answer(response: Response, closing = false): Promise<void> {
    const close = closing || headerHas(this.#head, 'connection', 'close');
    const reader = response.body?.getReader();
    const cancel = () => void reader?.cancel().catch(() => undefined);
    this.gone.signal.addEventListener('abort', cancel, { once: true });
    try {
      // Data from the same read is processed first: the engine cuts a client that sends two
      // requests at a time.
      if (closing) await nextTick();
      const { chunks, rest } = await readAtOnce(reader);
      if (this.#response.isOver) cancel();
      else if (reader === undefined || rest === null) this.#sendWhole(response, chunks, close);
      else await this.#stream(response, chunks, { rest, reader }, close);
    } catch {
      // The body failed under way: the client must not take it for a whole one.
      this.#response.cut();
    }
  }

  /** Ends the connection without an answer. */
  cut(): void {
    this.#response.cut();
  }

  #sendWhole(response: Response, chunks: readonly Uint8Array[], close: boolean): void {
    const isEmpty = response.status === 204 || response.status === 304;
    const hasBody = this.#head.method !== 'HEAD' && !isEmpty;
    this.#response.cork(() => {
      this.#writeHead(response);
      this.#response.end(hasBody ? Buffer.concat(chunks) : null, close);
    });
  }

  async #stream(
    response: Response,
    chunks: readonly Uint8Array[],
    { rest, reader }: { rest: Reading; reader: ReadableStreamDefaultReader<Uint8Array> },
    close: boolean,
  ): Promise<void> {
    this.#writeHead(response);
    for (const chunk of chunks) await this.#write(chunk);
    // Each read is awaited: an unhandled failure after a disconnect would end the daemon.
    for (let read = await rest; !read.done; read = await reader.read()) {
      await this.#write(read.value);
    }
    this.#response.end(null, close);
  }

  /** Resolves when more may be written. */
  async #write(chunk: Uint8Array): Promise<void> {
    if (this.#response.isOver || chunk.length === 0) return;
    const writable = new Promise<void>((resolve) => (this.#writable = resolve));
    if (this.#response.write(chunk)) this.#writable();
    await writable;
    this.#sinceTick += chunk.length;
    if (this.#sinceTick < TICK_BYTES) return;
    this.#sinceTick = 0;
    await nextTick();
  }

  #writeHead(response: Response): void {
    const headers = [...response.headers].filter(([name]) => !ENGINE_HEADERS.has(name));
    this.#response.writeHead(statusLine(response), headers);
  }

  /** The body as it arrives; the client is paused while nothing reads it. */
  #body(): ReadableStream<Uint8Array> {
    let isOpen = true;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#response.onBody((chunk, isLast) => {
            if (!isOpen) return;
            if (chunk.length > 0) controller.enqueue(chunk);
            if (isLast) {
              isOpen = false;
              controller.close();
            } else if ((controller.desiredSize ?? 0) <= 0) this.#response.pause();
          });
          this.gone.signal.addEventListener('abort', () => {
            if (isOpen) controller.error(new Error('the client disconnected'));
            isOpen = false;
          });
        },
        pull: () => this.#response.resume(),
        cancel: () => {
          isOpen = false;
          this.#response.resume();
        },
      },
      { highWaterMark: BODY_QUEUE_BYTES, size: (chunk) => chunk.byteLength },
    );
  }
}

/** As in the first line of the answer. */
function statusLine({ status, statusText }: Response): string {
  return `${status} ${statusText || (STATUS_CODES[status] ?? 'Unknown')}`;
}

/**
 * Reads the part of a body available by the next tick; `rest` is the read that is then still
 * pending.
 */
async function readAtOnce(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined) {
    const reading = reader.read();
    const read = await Promise.race([reading, nextTick()]);
    if (read === 'later' || size > MAX_WHOLE_BYTES) return { chunks, rest: reading };
    if (read.done) break;
    chunks.push(read.value);
    size += read.value.length;
  }
  return { chunks, rest: null };
}

async function nextTick(): Promise<'later'> {
  return new Promise((resolve) => setImmediate(() => resolve('later')));
}
