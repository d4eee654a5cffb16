/** One request and its answer: knows whether the other side is still there. */
import { STATUS_CODES } from 'node:http';
import { headerHas } from '../judge-head.ts';
import type { RequestHead } from '../transport.ts';
import type { LiveResponse } from './live-response.ts';

/** Written by the engine itself. */
const ENGINE_HEADERS = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);
/** An answer that is there at once is sent with its length, up to this size. */
const MAX_WHOLE_BYTES = 1024 * 1024;
const BODY_QUEUE_BYTES = 64 * 1024;
/** After so much of one answer, others have their turn. */
const TURN_BYTES = 16 * 1024;

type Reading = ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>;

export class Exchange {
  /** Aborts when the other side goes before the answer has ended. */
  readonly gone = new AbortController();
  readonly #response: LiveResponse;
  readonly #head: RequestHead;
  /** Held: the signal of a request that is collected as garbage never aborts. */
  #request: Request | null = null;
  #sinceTurn = 0;
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

  /** The request for application code. Throws for a target that is no address. To be called at once. */
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
   * Sends the response, a body that takes longer as fast as it is taken; cancels it when nobody takes
   * it. With `closing`, nothing that follows on this connection is taken for a request.
   */
  async answer(response: Response, closing = false): Promise<void> {
    const close = closing || headerHas(this.#head, 'connection', 'close');
    const reader = response.body?.getReader();
    const cancel = () => void reader?.cancel().catch(() => undefined);
    this.gone.signal.addEventListener('abort', cancel, { once: true });
    try {
      // What came with it in one read is looked at first: the engine cuts who asks twice at a time.
      if (closing) await nextTurn();
      const { chunks, rest } = await readAtOnce(reader);
      if (this.#response.isOver) cancel();
      else if (reader === undefined || rest === null) this.#sendWhole(response, chunks, close);
      else await this.#stream(response, chunks, { rest, reader }, close);
    } catch {
      // The body failed under way: whoever reads must not take it for a whole one.
      this.#response.cut();
    }
  }

  /** Ends it without an answer. */
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
    // Each read is awaited, or one that fails after the client has gone would end the daemon.
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
    this.#sinceTurn += chunk.length;
    if (this.#sinceTurn < TURN_BYTES) return;
    this.#sinceTurn = 0;
    await nextTurn();
  }

  #writeHead(response: Response): void {
    const headers = [...response.headers].filter(([name]) => !ENGINE_HEADERS.has(name));
    this.#response.writeHead(statusLine(response), headers);
  }

  /** The body as it comes; the other side is held up while nobody reads it. */
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

/** Takes a response; gives its status as it stands in the first line of the answer. */
function statusLine({ status, statusText }: Response): string {
  return `${status} ${statusText || (STATUS_CODES[status] ?? 'Unknown')}`;
}

/** Reads what of a body is there by the next turn; `rest` is the read that then still waits. */
async function readAtOnce(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined) {
    const reading = reader.read();
    const read = await Promise.race([reading, nextTurn()]);
    if (read === 'later' || size > MAX_WHOLE_BYTES) return { chunks, rest: reading };
    if (read.done) break;
    chunks.push(read.value);
    size += read.value.length;
  }
  return { chunks, rest: null };
}

async function nextTurn(): Promise<'later'> {
  return new Promise((resolve) => setImmediate(() => resolve('later')));
}
