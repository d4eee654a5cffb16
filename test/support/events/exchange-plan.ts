/** A request as a fuzz test sends it, how the application handles it, and the right answer. */
import type { Random } from '../house/random.ts';

const KIB = 1024;
const SIZES = [0, 1, KIB, 63 * KIB, 64 * KIB, 66 * KIB, 200 * KIB, 1024 * KIB];
/** Fits into the buffers of any system: it is on its way before an answer can come back. */
const MAX_SENT_AT_ONCE = 64 * KIB;
const STREAMED_CHUNKS = 12;
const STREAMED_CHUNK = 'x'.repeat(64 * KIB);

/** Answers before the body was read: at the gate, at once, later, after one part of it. */
const EARLY = ['gate', 'at-once', 'later', 'after-one-part'] as const;
/** Answers after the whole body; the last two fail. */
const READING = ['whole', 'streamed', 'broken', 'rejected'] as const;
type Behavior = (typeof EARLY)[number] | (typeof READING)[number];

export interface Exchange {
  behavior: Behavior;
  framing: 'length' | 'chunked' | 'expect';
  size: number;
  /** The number of writes for the body. */
  pieces: number;
  /** The client disconnects after this many pieces. */
  abortAfter: number | null;
  /** The client reads nothing for this many ticks. */
  deafTurns: number;
}

export interface ConnectionPlan {
  exchanges: Exchange[];
  /** All requests are sent before any answer came. */
  pipelined: boolean;
}

export function randomConnection(random: Random): ConnectionPlan {
  const exchanges = Array.from({ length: random.int(1, 3) }, () => randomExchange(random));
  return { exchanges, pipelined: random.chance(0.2) };
}

function randomExchange(random: Random): Exchange {
  const pieces = random.int(1, 6);
  return {
    behavior: random.pick([...EARLY, ...READING]),
    framing: random.pick(['length', 'chunked', 'expect'] as const),
    size: random.pick(SIZES),
    pieces,
    abortAfter: random.chance(0.15) ? random.int(0, pieces) : null,
    deafTurns: random.chance(0.2) ? random.int(1, 30) : 0,
  };
}

/** Status and body, as the client compares them; null for one that breaks off. */
export function rightAnswer({ behavior, size }: Exchange): string | null {
  if (behavior === 'broken') return null;
  if (behavior === 'streamed') return `200 ${STREAMED_CHUNK.repeat(STREAMED_CHUNKS)}`;
  if (behavior === 'whole') return `200 ${size}`;
  return behavior === 'rejected' ? '500 ' : `403 ${behavior}`;
}

/** Whether a connection may end instead of answering `exchanges[next]`. */
export function mayEndBefore({ exchanges, pipelined }: ConnectionPlan, next: number): boolean {
  const exchange = exchanges[next];
  if (exchange === undefined) return false;
  // With everything sent at once, an end after this answer may overtake it.
  const coming = pipelined ? exchanges.slice(next) : [exchange];
  // The rest of an unread body may cost the connection, after its answer.
  return (
    coming.some(isEnding) || exchanges.slice(0, next).some(({ behavior }) => isEarly(behavior))
  );
}

function isEnding({ behavior, size, deafTurns }: Exchange): boolean {
  if (behavior === 'broken' || behavior === 'rejected') return true;
  return isEarly(behavior) && (size > MAX_SENT_AT_ONCE || deafTurns > 0);
}

function isEarly(behavior: Behavior): boolean {
  return (EARLY as readonly string[]).includes(behavior);
}

export function behaviorOf(target: string): Behavior {
  return target.slice(1) as Behavior;
}

/** The application: the path names how it handles a request. */
export async function respond(request: Request): Promise<Response> {
  const behavior = behaviorOf(new URL(request.url).pathname);
  if (behavior === 'later') await ticks(5);
  if (behavior === 'after-one-part') {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  if (isEarly(behavior)) return new Response(behavior, { status: 403 });
  const { byteLength } = await request.arrayBuffer();
  if (behavior === 'rejected') throw new Error('the application failed');
  if (behavior === 'whole') return new Response(String(byteLength));
  let left = STREAMED_CHUNKS;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await ticks(1);
      left -= 1;
      controller.enqueue(Buffer.from(STREAMED_CHUNK));
      if (behavior === 'broken') controller.error(new Error('the body failed'));
      else if (left === 0) controller.close();
    },
  });
  return new Response(body);
}

export async function ticks(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
