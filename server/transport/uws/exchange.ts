/** One request and its answer: knows whether the other side is still there. */
import { STATUS_CODES } from 'node:http';
import type { RequestHead } from '../transport.ts';
import type { UwsResponse } from './engine.ts';
import { headerHas } from './read-head.ts';

/** Written by the engine itself. */
const ENGINE_HEADERS = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);
/** An answer that is there at once is sent with its length, up to this size. */
const MAX_WHOLE_BYTES = 1024 * 1024;
const BODY_QUEUE_BYTES = 64 * 1024;
/** After so much of one answer, others have their turn. */
const TURN_BYTES = 16 * 1024;

export class Exchange {
  /** Aborts when the other side goes before the answer has ended. */
  readonly gone = new AbortController();
  readonly #response: UwsResponse;
  readonly #head: RequestHead;
  readonly #ended: () => void;
  #isOver = false;
  #sinceTurn = 0;
  #writable: () => void = () => undefined;

  /** Takes what the engine gave, in the same call, and whom to tell when it is over. */
  constructor(response: UwsResponse, head: RequestHead, ended: () => void) {
    this.#response = response;
    this.#head = head;
    this.#ended = ended;
    response.onAborted(() => {
      this.#finish();
      this.gone.abort();
      this.#writable();
    });
    response.onWritable(() => {
      this.#writable();
      return true;
    });
  }

  /** The request for application code. Throws for a target that is no address. To be called at once. */
  request(): Request {
    const { method, target, headers } = this.#head;
    const host = headers.find(([name]) => name === 'host')?.[1] ?? '';
    const path = target.split('?')[0] ?? '';
    if (!path.startsWith('/') || path.includes('\\')) throw new TypeError('not a path');
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
    return new Request(`http://${host}${target}`, {
      method,
      headers: headers as [string, string][],
      signal: this.gone.signal,
      ...(hasBody ? { body: this.#body(), duplex: 'half' } : {}),
    });
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
      if (this.#isOver) cancel();
      else if (rest === null) this.#sendWhole(response, Buffer.concat(chunks), close);
      else await this.#stream(response, chunks, rest, reader, close);
    } catch {
      // The body failed under way: whoever reads must not take it for a whole one.
      this.cut();
    }
  }

  /** There is no answer to come: the socket goes on as a WebSocket. */
  becomesPeer(): void {
    this.#finish();
  }

  /** Ends it without an answer. */
  cut(): void {
    if (!this.#isOver) this.#response.close();
  }

  #sendWhole(response: Response, body: Buffer, close: boolean): void {
    this.#corked(() => {
      this.#writeHead(response);
      const isEmpty = response.status === 204 || response.status === 304;
      if (this.#head.method === 'HEAD') this.#response.endWithoutBody(undefined, close);
      else if (isEmpty) this.#response.endWithoutBody(undefined, close);
      else this.#response.end(body, close);
      this.#finish();
    });
  }

  async #stream(
    response: Response,
    chunks: readonly Uint8Array[],
    rest: ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>,
    reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
    close: boolean,
  ): Promise<void> {
    this.#corked(() => this.#writeHead(response));
    for (const chunk of chunks) await this.#write(chunk);
    for (let next = rest; !this.#isOver;) {
      const read = await next;
      if (read.done) break;
      await this.#write(read.value);
      next = reader?.read() ?? next;
    }
    this.#corked(() => {
      this.#response.endWithoutBody(undefined, close);
      this.#finish();
    });
  }

  /** Resolves when more may be written. */
  async #write(chunk: Uint8Array): Promise<void> {
    if (this.#isOver || chunk.length === 0) return;
    const writable = new Promise<void>((resolve) => (this.#writable = resolve));
    this.#corked(() => {
      if (this.#response.write(chunk)) this.#writable();
    });
    await writable;
    this.#sinceTurn += chunk.length;
    if (this.#sinceTurn < TURN_BYTES) return;
    this.#sinceTurn = 0;
    await nextTurn();
  }

  #writeHead(response: Response): void {
    this.#response.writeStatus(statusLine(response));
    for (const [name, value] of response.headers) {
      if (!ENGINE_HEADERS.has(name)) this.#response.writeHeader(name, value);
    }
  }

  #corked(task: () => void): void {
    if (!this.#isOver) this.#response.cork(task);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended();
  }

  /** The body as it comes; the other side is held up while nobody reads it. */
  #body(): ReadableStream<Uint8Array> {
    const response = this.#response;
    let isPaused = false;
    let isOpen = true;
    const resume = () => {
      if (isPaused && !this.#isOver) response.resume();
      isPaused = false;
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          response.onData((chunk, isLast) => {
            if (!isOpen) return;
            if (chunk.byteLength > 0) controller.enqueue(new Uint8Array(chunk.slice(0)));
            if (isLast) {
              isOpen = false;
              controller.close();
            } else if ((controller.desiredSize ?? 0) <= 0) {
              isPaused = true;
              response.pause();
            }
          });
          this.gone.signal.addEventListener('abort', () => {
            if (isOpen) controller.error(new Error('the other side has gone'));
            isOpen = false;
          });
        },
        pull: resume,
        cancel: () => {
          isOpen = false;
          resume();
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
