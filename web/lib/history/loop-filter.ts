/** Which loops are listed, and their totals. */
import type { Fleet } from '$lib/state/fleet.ts';
import type { StartPrefill } from '$lib/state/start-request.svelte.ts';
import type { PastLoop, LoopSeconds } from '$shared/schema/loops/past-loop.ts';
import { loopLength, loopOutcomeText, SHARES } from '$shared/words/loop-text.ts';
import { REASON_TEXT } from '$shared/words/reason-text.ts';
import type { Reason } from '$shared/schema/reasons.ts';
import { DEFAULT_RANGE, isRangeName, type RangeName, RANGES } from './ranges.ts';

/** A coarse outcome of a loop. */
export type LoopOutcome = 'running' | 'completed' | 'failed' | 'other';

export interface LoopFilter {
  readonly range: RangeName;
  readonly outcome: LoopOutcome | null;
  readonly reason: Reason | null;
  /** Part of a session's name or of a task directory, ignoring case. */
  readonly text: string;
}

export interface LoopTotals {
  count: number;
  /** Loops that are over, and those of them that reached their report. */
  over: number;
  completed: number;
  seconds: LoopSeconds;
}

export const OUTCOMES: readonly { value: LoopOutcome; label: string }[] = [
  { value: 'running', label: 'Running' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'other', label: 'Other' },
];

export function outcomeOf({ ended_at, outcome, reason }: PastLoop): LoopOutcome {
  if (ended_at === null) return 'running';
  if (outcome === 'failed') return 'failed';
  return reason === 'completed' ? 'completed' : 'other';
}

/** Drops values that no loop can have. */
export function readLoopFilter(query: URLSearchParams): LoopFilter {
  const range = query.get('range') ?? '';
  const outcome = OUTCOMES.find(({ value }) => value === query.get('outcome'))?.value ?? null;
  const reason = query.get('reason') ?? '';
  return {
    range: isRangeName(range) ? range : DEFAULT_RANGE,
    outcome,
    reason: Object.hasOwn(REASON_TEXT, reason) ? (reason as Reason) : null,
    text: query.get('text') ?? '',
  };
}

/** Query parameters; null for defaults. */
export function writeLoopFilter(filter: LoopFilter): Record<string, string | null> {
  const { range, outcome, reason, text } = filter;
  return {
    range: range === DEFAULT_RANGE ? null : range,
    outcome,
    reason,
    text: text === '' ? null : text,
  };
}

/** Whether range and text select it, with any outcome. */
export function isWithin(run: PastLoop, filter: LoopFilter, nowMs: number): boolean {
  const sinceMs = nowMs - RANGES[filter.range].seconds * 1000;
  if (run.ended_at !== null && Date.parse(run.ended_at) < sinceMs) return false;
  const words = filter.text.trim().toLowerCase();
  return `${run.session}\n${run.task_dir ?? ''}`.toLowerCase().includes(words);
}

export function hasOutcome(run: PastLoop, { outcome, reason }: LoopFilter): boolean {
  return (
    (outcome === null || outcomeOf(run) === outcome) && (reason === null || run.reason === reason)
  );
}

/** The seconds of `runs` must be up to date. */
export function loopTotals(runs: readonly PastLoop[]): LoopTotals {
  const seconds: LoopSeconds = { working: 0, waiting: 0, quota: 0, recovering: 0 };
  for (const run of runs) for (const share of SHARES) seconds[share] += run.seconds[share];
  const over = runs.filter(({ ended_at }) => ended_at !== null);
  const completed = over.filter((run) => outcomeOf(run) === 'completed');
  return { count: runs.length, over: over.length, completed: completed.length, seconds };
}

/** Without the breakdown of the time. */
export function totalsText({ count, over, completed, seconds }: LoopTotals): {
  loops: string;
  success: string;
  seconds: number;
} {
  const share = over === 0 ? 0 : Math.round((100 * completed) / over);
  return {
    loops: `${count} ${count === 1 ? 'loop' : 'loops'}`,
    success: over === 0 ? 'none ended' : `${completed} of ${over} completed (${share} %)`,
    seconds: loopLength({ seconds }),
  };
}

/** Newest first; a newly read loop replaces the known one. */
export function mergeLoops<Reading extends { run: PastLoop }>(
  known: readonly Reading[],
  read: readonly Reading[],
): Reading[] {
  const byKey = new Map([...known, ...read].map((reading) => [loopKey(reading.run), reading]));
  return [...byKey.values()].sort(
    (a, b) => Date.parse(b.run.started_at) - Date.parse(a.run.started_at),
  );
}

/** Unique per loop. */
export function loopKey({ session, run_id, started_at }: PastLoop): string {
  return `${session} ${run_id ?? started_at}`;
}

export function outcomeText(run: PastLoop): string {
  return run.ended_at === null ? 'Running' : loopOutcomeText(run);
}

/** What to start the loop again with; null when that makes no sense. */
export function restartPrefill(run: PastLoop, fleet: Fleet): StartPrefill | null {
  // Running the demo again makes no sense.
  if (run.ended_at === null || run.task_dir === null || run.agent !== 'claude') return null;
  const running = Object.values(fleet.loops).filter(({ loop }) => loop.status !== 'failed');
  if (running.some(({ loop }) => loop.task_dir === run.task_dir)) return null;
  const isFree =
    fleet.sessions[run.session] !== undefined &&
    running.every(({ loop }) => loop.session_name !== run.session);
  return { session: isFree ? run.session : null, taskDir: run.task_dir };
}
