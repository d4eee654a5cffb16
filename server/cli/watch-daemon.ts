/**
 * Watches the daemon from a process of its own: reports once when it has not answered for too long,
 * and once when it answers again.
 */
import { type Clock, toIso } from '../lib/clock.ts';
import { linkSignals } from '../lib/link-signals.ts';

/** Questions in the time after which it counts as gone: one lost answer is no alarm. */
const QUESTIONS = 6;
const MAX_PAUSE_MS = 10_000;

export interface DaemonNews {
  state: 'gone' | 'back';
  at: string;
  /** The last answer before it was gone, or the start of the watch. */
  last_answer_at: string;
  /** Why there was no answer; null when it is back. */
  error: string | null;
}

export interface WatchDaemonOptions {
  /** Null for an answer, else why there is none. Rejects when watching makes no sense. */
  ask: (signal: AbortSignal) => Promise<string | null>;
  report: (news: DaemonNews) => void;
  /** False: it is called again after the next question. */
  deliver: (news: DaemonNews) => Promise<boolean>;
  goneAfterMs: number;
  clock: Clock;
}

/** Until `signal` aborts. */
export async function watchDaemon(options: WatchDaemonOptions, signal: AbortSignal): Promise<void> {
  const { report, deliver, goneAfterMs, clock } = options;
  const pauseMs = Math.min(goneAfterMs / QUESTIONS, MAX_PAUSE_MS);
  let [answeredMs, answeredAtMs] = [clock.monotonic(), clock.now()];
  let isGone = false;
  let undelivered: DaemonNews | null = null;
  const isOver = () => signal.aborted;
  while (!isOver()) {
    const leftMs = answeredMs + goneAfterMs - clock.monotonic();
    const error = await ask(options, leftMs > 0 ? leftMs : goneAfterMs, signal);
    if (isOver()) return;
    const isLate = clock.monotonic() - answeredMs >= goneAfterMs;
    if (isGone ? error === null : error !== null && isLate) {
      isGone = !isGone;
      const [at, last_answer_at] = [toIso(clock.now()), toIso(answeredAtMs)];
      undelivered = { state: isGone ? 'gone' : 'back', at, last_answer_at, error };
      report(undelivered);
    }
    if (error === null) [answeredMs, answeredAtMs] = [clock.monotonic(), clock.now()];
    if (undelivered !== null && (await deliver(undelivered))) undelivered = null;
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}

/** A daemon that hangs counts as one that does not answer. */
async function ask(
  { ask: question, clock }: WatchDaemonOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const late = new AbortController();
  const timer = clock.after(timeoutMs, () => late.abort());
  using either = linkSignals(late.signal, signal);
  try {
    return await question(either.signal);
  } catch (error) {
    if (signal.aborted) return null;
    if (late.signal.aborted) return 'it takes connections and does not answer';
    throw error;
  } finally {
    timer.cancel();
  }
}
