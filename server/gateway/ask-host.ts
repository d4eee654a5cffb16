/** A request of a person here, carried to another host, and its answer as it arrives. */
import { KEY_HEADER } from '../../shared/rules/idempotency.ts';
import type { Carrier, Channel, ChannelHead } from '../fleet/carrier.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/within.ts';
import { addBearer, type Identity, removeBearer } from '../people/identity.ts';
import { type AnswerHead, readAnswerHead } from './answer-head.ts';
import { answerHeaders } from './forwarded-headers.ts';
import { Taken } from './send-window.ts';

const ANSWER_MS = 30_000;
const ENDED = 1000;
const LEFT = 1001;

export interface Asked {
  head: Omit<ChannelHead, 'bodyBytes'>;
  body: Uint8Array;
  /** Of the person, here: what is open ends with it. */
  identity: Identity;
  /** Aborts when the person has left. */
  signal: AbortSignal;
  /** The host answers only after this, as it was asked to. */
  waitMs: number;
}

/** Throws `host_unreachable` when nothing was done, `outcome_unknown` when that is not certain. */
export async function askHost(
  carrier: Carrier,
  clock: Clock,
  { id, name }: { id: string; name: string },
  { head, body, identity, signal, waitMs }: Asked,
): Promise<Response> {
  const channel = await carrier.request(id, { ...head, bodyBytes: body.length });
  const incoming = new IncomingAnswer(channel, () => removeBearer(identity, bearer));
  const leave = () => incoming.leave('the person has left');
  const bearer = { identityEnded: leave };
  addBearer(identity, bearer);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  if (body.length > 0) channel.sendBytes(body);
  const found = await within(clock, ANSWER_MS + waitMs, incoming.head);
  if (found !== null) return incoming.response(found.answer);
  incoming.leave('no answer in time');
  if (head.method === 'GET') {
    throw new AppError('host_unreachable', `host ${name} did not answer; try again`, {
      host: name,
    });
  }
  const hasKey = head.headers.some(([header]) => header.toLowerCase() === KEY_HEADER);
  const next = hasKey
    ? 'It is safe to repeat it with the same idempotency key: it is done once'
    : 'Check there before you repeat it';
  throw new AppError(
    'outcome_unknown',
    `host ${name} did not answer in time: what was asked may have been done. ${next}`,
    { host: name, repeatable: hasKey },
  );
}

/** The other end of `serveRequest`. */
class IncomingAnswer {
  /** Rejects when the channel ends before it. */
  readonly head: Promise<AnswerHead>;
  readonly #channel: Channel;
  readonly #over: () => void;
  readonly #taken: Taken;
  readonly #parts: Uint8Array[] = [];
  #hasHead = false;
  #end: number | null = null;
  #reject: (error: Error) => void = () => undefined;
  #wake: () => void = () => undefined;

  /** `over` is called when nothing more comes. */
  constructor(channel: Channel, over: () => void) {
    this.#channel = channel;
    this.#over = over;
    this.#taken = new Taken((text) => channel.sendText(text));
    this.head = new Promise((resolve, reject) => {
      this.#reject = reject;
      channel.handle({
        text: (text) => {
          const head = this.#hasHead ? null : readAnswerHead(text);
          this.#hasHead = true;
          if (head === null) return this.leave('not an answer');
          resolve(head);
        },
        bytes: (data) => {
          this.#parts.push(data);
          this.#wake();
        },
        drained: () => undefined,
        closed: (code) => this.#ended(code),
      });
    });
    // Not every end is waited for.
    this.head.catch(() => undefined);
  }

  /** Cancels the request at the other host. */
  leave(reason: string): void {
    this.#ended(LEFT);
    this.#channel.close(LEFT, reason);
  }

  response({ status, headers }: AnswerHead): Response {
    const all = answerHeaders(headers);
    const isEmpty = status < 200 || status === 204 || status === 205 || status === 304;
    if (status < 200) throw new AppError('host_unreachable', 'not an answer; update that host');
    return new Response(isEmpty ? null : this.#body(), { status, headers: all });
  }

  /** Pulled: a slow reader holds back the host that answers. */
  #body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.#parts.length === 0 && this.#end === null) {
            await new Promise<void>((resolve) => (this.#wake = resolve));
          }
          const part = this.#parts.shift();
          if (part !== undefined) {
            controller.enqueue(part);
            this.#taken.add(part.length);
          } else if (this.#end === ENDED) controller.close();
          else controller.error(new Error('the host was lost within its answer'));
        },
        cancel: () => this.leave('the person has left'),
      },
      { highWaterMark: 0 },
    );
  }

  #ended(code: number): void {
    this.#end ??= code;
    this.#over();
    this.#reject(new Error('the channel ended'));
    this.#wake();
  }
}
