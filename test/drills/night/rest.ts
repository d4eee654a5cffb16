/** When a night is at rest: every agent waits for a later time, and the daemon has nothing to do. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { markOf } from '../../../server/lib/files/hostile-file.ts';
import { SIGNAL_FILE, STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import type { Seen, Spectator } from './spectator.ts';

const POLL_MS = 25;
/** So many polls without a change are rest. */
const STILL = 5;
/** What is not at rest after so many polls without a change never is, such as an agent that asks. */
const PATIENCE = 60;

/** Waits for it; `hasDaemon` is false while none runs. Returns what is seen then, and whether it is rest. */
export async function rest(
  spectator: Spectator,
  waitsDirectory: string,
  { nowMs, hasDaemon }: { nowMs: () => number; hasDaemon: boolean },
): Promise<Seen & { isAtRest: boolean }> {
  let before = '';
  let seen = spectator.look();
  for (let still = 0; still < PATIENCE; still += 1) {
    seen = spectator.look();
    const waits = waitingAgents(waitsDirectory);
    const now = JSON.stringify([seen, [...waits]]);
    if (now !== before) [before, still] = [now, 0];
    const isOverdue = [...waits.values()].some((atMs) => atMs <= nowMs());
    const isQuiet = !hasDaemon || (isAtRest(seen, waits.size) && !isDue(seen, nowMs()));
    if (still >= STILL && !isOverdue && isQuiet) return { ...seen, isAtRest: true };
    await pause(POLL_MS);
  }
  return { ...seen, isAtRest: false };
}

/** Until when each agent waits, wall time of the night, by its process. */
export function waitingAgents(directory: string): Map<number, number> {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const found = names
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}`))
    .map((name) => [Number(name), Number(textOf(`${directory}/${name}`))] as const)
    .filter(([, atMs]) => atMs > 0);
  return new Map(found);
}

/**
 * Every turn and every loop that is at work has an agent that waits, and knows if it is to stop. What
 * it last signalled was read, however slow the machine: it decides whether the agent continues.
 */
function isAtRest({ turns, loops }: Seen, waits: number): boolean {
  const working = loops.filter(({ status, waitsFor }) => {
    return (
      ['starting', 'running', 'quota_wait', 'stopping'].includes(status) &&
      waitsFor !== 'login_needed'
    );
  });
  const isAsked = loops.every(({ status, taskDir }) => {
    return status !== 'stopping' || existsSync(`${taskDir}/${STOP_FILE}`);
  });
  const isRead = working.every(({ taskDir, signalMark }) => {
    const mark = markOf(`${taskDir}/${SIGNAL_FILE}`);
    return mark === null || mark === signalMark;
  });
  return isAsked && isRead && waits >= turns + working.length;
}

/** A step of an alert. */
function isDue({ incidents }: Seen, nowMs: number): boolean {
  return incidents.some(({ dueMs }) => dueMs !== null && dueMs <= nowMs);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
