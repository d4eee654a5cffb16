/** A request that came through a channel, answered by this host's own application. */
import type { Channel, ChannelHead } from '../fleet/carrier.ts';
import type { RequestHead } from '../transport/transport.ts';
import { encodeAnswerHead } from './answer-head.ts';
import { SendWindow } from './send-window.ts';

/** Of an answer, in one message. */
const PART_BYTES = 64 * 1024;
const BROKEN = 1011;
const WRONG = 1002;

type Answer = (request: Request, head: RequestHead) => Promise<Response>;

/** `head` was checked: what is in it is what the application may see. */
export function serveRequest(head: ChannelHead, channel: Channel, answer: Answer): void {
  const gone = new AbortController();
  const window = new SendWindow();
  let isBegun = head.bodyBytes === 0;
  let wake: () => void = () => undefined;
  // Held: the signal of a garbage-collected request never aborts.
  let request: Request | null = null;
  channel.handle({
    text(text) {
      window.confirm(text);
      wake();
    },
    bytes(data) {
      if (isBegun || data.length !== head.bodyBytes) channel.close(WRONG, 'not the body');
      else void respond(new Uint8Array(data));
      isBegun = true;
    },
    drained: () => wake(),
    closed() {
      gone.abort();
      request = null;
      wake();
    },
  });
  if (isBegun) void respond(null);

  async function respond(body: Uint8Array<ArrayBuffer> | null): Promise<void> {
    try {
      const headers = [...head.headers] as [string, string][];
      if (body !== null) headers.push(['content-length', String(body.length)]);
      request = new Request(`http://host${head.target}`, {
        method: head.method,
        headers,
        body,
        signal: gone.signal,
      });
      const requestHead = { ...head, headers, remoteAddress: `host:${channel.host}` };
      await sendAnswer(await answer(request, requestHead), channel, {
        signal: gone.signal,
        roomFor: async (bytes) => {
          window.sent(bytes);
          while (!gone.signal.aborted && (window.isFull || channel.queuedBytes > PART_BYTES)) {
            await new Promise<void>((resolve) => (wake = resolve));
          }
        },
      });
    } catch {
      channel.close(BROKEN, 'the answer broke off');
    }
  }
}

/**
 * Sends a whole answer and closes the channel. `roomFor` resolves when more may be sent after so
 * many bytes. Rejects when the body fails.
 */
export async function sendAnswer(
  response: Response,
  channel: Channel,
  { signal, roomFor }: { signal: AbortSignal; roomFor: (bytes: number) => Promise<void> },
): Promise<void> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  // Read again each time: it changes during an await.
  const isGone = () => signal.aborted;
  if (isGone()) {
    cancel();
    return;
  }
  signal.addEventListener('abort', cancel, { once: true });
  channel.sendText(encodeAnswerHead({ status: response.status, headers: [...response.headers] }));
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    for (let from = 0; from < read.value.length; from += PART_BYTES) {
      if (isGone()) return;
      const part = read.value.subarray(from, from + PART_BYTES);
      channel.sendBytes(part);
      await roomFor(part.length);
    }
  }
  if (!isGone()) channel.close(1000, '');
}
