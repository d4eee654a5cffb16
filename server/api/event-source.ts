/** The event stream as Server-Sent Events. Pulled, so a slow reader pauses it and costs no memory. */
import { type Cursor, formatCursor } from '../../shared/schema/events/cursor.ts';
import type { EventLog } from '../events/event-log.ts';
import { type EventFilter, eventStream, type StreamItem } from '../events/event-stream.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { type LinkedSignal, linkSignals } from '../lib/link-signals.ts';
import type { EventReaders } from './event-readers.ts';

/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 20_000;
/** A reader that takes nothing for this long is cut off; it resumes from its last id. */
const PAUSED_LIMIT_MS = 30_000;
const RETRY_MS = 2_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  // A compressing proxy collects events first; one like nginx buffers unless this disables it.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** Frames to send in place of the events; the one marked last closes the stream. */
export interface Frames {
  greeting: () => Frame;
  next: (item: StreamItem) => Frame;
}

export interface Frame {
  text: string;
  isLast: boolean;
}

/**
 * The streaming response from a cursor on. Ends when one of `stopped` aborts. Counts open streams
 * and sent events in `readers`.
 */
export function eventSource(
  log: EventLog,
  clock: Clock,
  readers: EventReaders,
  { cursor, filter, frames }: { cursor: Cursor; filter: EventFilter; frames?: Frames },
  ...stopped: readonly AbortSignal[]
): Response {
  const nextFrame =
    frames?.next ?? ((item: StreamItem) => ({ text: eventText(log, item), isLast: false }));
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<StreamItem, void>> | null = null;
  let slowTimer: Timer | null = null;
  let hasGreeted = false;
  let open: { items: ReturnType<typeof eventStream>; over: LinkedSignal } | null = null;

  /** The first request for an event makes it a reader; a request for the head alone never does. */
  function begin(): ReturnType<typeof eventStream> {
    if (open !== null) return open.items;
    readers.streams += 1;
    const over = linkSignals(gone.signal, ...stopped);
    const items = eventStream(log, cursor, filter, over.signal);
    open = { items, over };
    return items;
  }

  function end(): void {
    slowTimer?.cancel();
    gone.abort();
    if (open === null) return;
    // Between two items it receives no signal, and would listen to the log forever.
    void open.items.return();
    open.over.release();
    open = null;
    readers.streams -= 1;
  }

  function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    end();
    controller.close();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        slowTimer?.cancel();
        if (!hasGreeted) {
          hasGreeted = true;
          const greeting = frames?.greeting() ?? { text: '', isLast: false };
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n${greeting.text}`));
          if (greeting.isLast) close(controller);
          return;
        }
        next ??= begin().next();
        const heartbeat = after(clock, HEARTBEAT_MS);
        const result = await Promise.race([next, heartbeat.passed]);
        heartbeat.timer.cancel();
        if (result === 'passed') {
          controller.enqueue(encoder.encode(': still here\n\n'));
          return;
        }
        next = null;
        if (result.done === true) {
          close(controller);
          return;
        }
        if (result.value.kind === 'events') readers.streamed += result.value.events.length;
        const { text, isLast } = nextFrame(result.value);
        // Never empty: otherwise nothing would ask for what comes after.
        controller.enqueue(encoder.encode(text));
        if (isLast) {
          close(controller);
          return;
        }
        slowTimer = clock.after(PAUSED_LIMIT_MS, () => {
          end();
          controller.error(new Error('the client reads too slowly'));
        });
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: HEADERS });
}

function eventText(log: EventLog, item: StreamItem): string {
  const id = (seq: number) => `id: ${formatCursor(log.epoch, seq)}\n`;
  if (item.kind === 'reset') {
    const { reason, oldest, head } = item;
    return `${id(head)}event: reset\ndata: ${JSON.stringify({ reason, oldest, head })}\n\n`;
  }
  const events = item.events.map(({ seq, json }) => `${id(seq)}data: ${json}\n\n`).join('');
  if (item.cursor === item.events.at(-1)?.seq) return events;
  return `${events}${id(item.cursor)}event: cursor\ndata: {"seq":${item.cursor}}\n\n`;
}

function after(clock: Clock, delayMs: number): { passed: Promise<'passed'>; timer: Timer } {
  let timer: Timer = { cancel: () => undefined };
  const passed = new Promise<'passed'>((resolve) => {
    timer = clock.after(delayMs, () => resolve('passed'));
  });
  return { passed, timer };
}
