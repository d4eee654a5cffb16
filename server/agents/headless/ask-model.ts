/**
 * One question to a model, for checks: no tools, no user settings, an empty directory, a time
 * limit. What it is asked about may be hostile; it can do nothing but answer.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { randomId } from '../../lib/random-id.ts';
import type { Conversations, RunningTurn } from './conversations.ts';
import { endLeftovers } from './end-turn.ts';
import type { TurnOutcome } from './turn-outcome.ts';

/** `timedOut`: it was ended at its time limit. */
export type ModelAnswer = TurnOutcome & { timedOut: boolean };

export interface ModelOptions {
  conversations: Conversations;
  clock: Clock;
  /** Only for checks: everything in it may be removed. */
  scratchDirectory: string;
  timeoutMs?: number;
  /** The client's own default unless given. */
  model?: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const KILL_GRACE_MS = 5_000;

/**
 * The answer with its usage, or how it failed. `signal` cancels it. Throws the system's error when
 * nothing could be started.
 */
export async function askModel(
  options: ModelOptions,
  question: string,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const { conversations, clock, scratchDirectory, timeoutMs = DEFAULT_TIMEOUT_MS, model } = options;
  const id = randomId();
  const directory = join(scratchDirectory, id);
  const cwd = join(directory, 'empty');
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  return new Promise<ModelAnswer>((resolve, reject) => {
    let timedOut = false;
    const turn = startOrRemove(directory, () =>
      conversations.start(
        {
          id,
          cwd,
          directory: join(directory, 'turn'),
          message: question,
          conversationId: null,
          permissionMode: 'default',
          tools: 'none',
          addDirectories: [],
          model,
        },
        {
          spawned: () => undefined,
          events: () => undefined,
          ended: (outcome) => {
            resolve({ ...outcome, timedOut: timedOut && !outcome.ok });
            rmSync(directory, { recursive: true, force: true });
          },
        },
      ),
    );
    const stop = () => void turn.kill().catch(reject);
    const timer = clock.after(timeoutMs, () => {
      timedOut = true;
      stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    void turn.over.then(() => {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
      // Without an outcome: the daemon is stopping, and the next one ends what runs there.
      reject(new Error('the answer is no longer needed'));
    });
  });
}

function startOrRemove(directory: string, start: () => RunningTurn): RunningTurn {
  try {
    return start();
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/**
 * At the start of a daemon: ends the checks of the previous one, whose answers are no longer
 * needed.
 */
export async function endOldChecks({ clock, scratchDirectory }: ModelOptions): Promise<void> {
  for (const id of namesIn(scratchDirectory)) {
    await endLeftovers(id, KILL_GRACE_MS, clock);
    rmSync(join(scratchDirectory, id), { recursive: true, force: true });
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
