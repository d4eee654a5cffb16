/** The event stream of a daemon, over restarts and lost connections, without a gap or a report of it. */
import { retryDelayMs } from '../shared/rules/backoff.ts';
import type { EventRecord } from '../shared/schema/events/events.ts';
import { RequestFailure } from './request-failure.ts';
import { type StreamFrame, streamFrames } from './stream-frames.ts';

/** The daemon writes at least every 20 s. */
const SILENCE_MS = 60_000;

export interface FollowOptions {
  /** `epoch:seq`, from an earlier item: continue after it. `0`: all that is kept. Left out: new ones. */
  after?: string;
  /** Exact types or `prefix.*`, separated by commas. */
  types?: string;
  /** Session names, separated by commas. */
  session?: string;
  /** Subjects such as `task:fix-login`, separated by commas. */
  subject?: string;
  /** Ends the iteration without an error. */
  signal?: AbortSignal;
}

/** Every item but `lost` has the cursor to continue from after it. */
export type Followed =
  | { kind: 'event'; event: EventRecord; cursor: string }
  /** Events that the filter leaves out have passed. */
  | { kind: 'cursor'; cursor: string }
  /** Events between are no longer kept: reload what you know, then continue from here. */
  | { kind: 'gap'; reason: 'expired' | 'epoch' | 'future'; cursor: string }
  /** The stream is open, at first and again. */
  | { kind: 'connected'; cursor: string }
  /** It is tried again after that time; nothing is missed. */
  | { kind: 'lost'; error: RequestFailure; retryInMs: number };

export interface StreamSource {
  /** `epoch:seq` of the newest event. */
  head(signal: AbortSignal): Promise<string>;
  /** Throws a RequestFailure. */
  open(options: FollowOptions, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves after that time, or once the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Throws a RequestFailure that no later attempt would cure, such as `unauthorized`. */
export async function* followEvents(
  source: StreamSource,
  options: FollowOptions = {},
): AsyncGenerator<Followed, void, void> {
  const over = options.signal ?? new AbortController().signal;
  let after = options.after;
  // A function: it changes while this waits.
  const isOver = (): boolean => over.aborted;
  for (let failures = 0; !isOver();) {
    const attempt = new AbortController();
    const { signal } = attempt;
    const end = () => attempt.abort();
    over.addEventListener('abort', end);
    try {
      after ??= await source.head(signal);
      const chunks = await source.open({ ...options, after }, signal);
      yield { kind: 'connected', cursor: after };
      for await (const frame of streamFrames(lively(chunks, end))) {
        failures = 0;
        const item = itemOf(frame);
        if (item === null) continue;
        after = item.cursor;
        yield item;
      }
      throw new RequestFailure('unreachable', 0, 'the daemon closed the stream');
    } catch (thrown) {
      if (isOver()) return;
      const error = asFailure(thrown);
      if (!error.isTemporary) throw error;
      failures += 1;
      const retryInMs = retryDelayMs(failures);
      yield { kind: 'lost', error, retryInMs };
      await source.pause(retryInMs, over);
    } finally {
      over.removeEventListener('abort', end);
      // Also when the reader leaves the loop.
      attempt.abort();
    }
  }
}

function itemOf({ event, id, data }: StreamFrame): Exclude<Followed, { kind: 'lost' }> | null {
  if (id === '') return null;
  if (event === 'cursor') return { kind: 'cursor', cursor: id };
  const value: unknown = JSON.parse(data);
  if (event === 'reset') {
    const { reason } = value as { reason: 'expired' | 'epoch' | 'future' };
    return { kind: 'gap', reason, cursor: id };
  }
  return { kind: 'event', event: value as EventRecord, cursor: id };
}

/** The same chunks; calls `onSilence` when none came for too long. */
async function* lively(
  chunks: AsyncIterable<Uint8Array>,
  onSilence: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let timer = setTimeout(onSilence, SILENCE_MS);
  try {
    for await (const chunk of chunks) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(onSilence, SILENCE_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

function asFailure(thrown: unknown): RequestFailure {
  if (thrown instanceof RequestFailure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const isOfData = thrown instanceof SyntaxError;
  return new RequestFailure(isOfData ? 'unreadable' : 'unreachable', 0, message);
}
