/** What a cleanup would remove. Pure. */
import type { SessionList } from '../../shared/schema/runs/checkpoint.ts';

export interface CleanupOptions {
  /** Complete sessions. */
  completed?: boolean;
  /** Stopped ones too, with `completed`. */
  includeStopped?: boolean;
  /** Not complete, and not saved for more than 24 hours. */
  stale?: boolean;
  /** Not complete, and its working directory does not exist. */
  invalid?: boolean;
  /** Its checkpoint cannot be read. One of a newer version is not corrupt. */
  corrupt?: boolean;
  /** Only what was last saved longer ago than this. What has no known time is kept then. */
  olderThanMs?: number;
}

export type CleanupReason = 'completed' | 'stopped' | 'stale' | 'invalid' | 'corrupt';

export interface CleanupStep {
  id: string;
  why: CleanupReason;
}

const BY_PROBLEM = { stale: 'stale', invalid_directory: 'invalid', corrupt: 'corrupt' } as const;

/** Each session at most once, by its first reason; none that is in `locked`, and none without an option. */
export function planCleanup(
  { sessions, problems }: SessionList,
  options: CleanupOptions,
  nowMs: number,
  locked: ReadonlySet<string>,
): CleanupStep[] {
  const found: (CleanupStep & { savedAt: string | null })[] = [];
  for (const { session_id: id, checkpoint_time: savedAt, ...session } of sessions) {
    if (options.completed !== true) continue;
    if (session.phase === 'complete') found.push({ id, why: 'completed', savedAt });
    else if (session.force_stopped && options.includeStopped === true) {
      found.push({ id, why: 'stopped', savedAt });
    }
  }
  for (const { id, problem, modified_at: savedAt } of problems) {
    if (problem === 'version' || problem === 'unreadable') continue;
    const why = BY_PROBLEM[problem];
    if (options[why] === true) found.push({ id, why, savedAt });
  }
  const isOld = (savedAt: string | null) =>
    options.olderThanMs === undefined ||
    (savedAt !== null && nowMs - Date.parse(savedAt) > options.olderThanMs);
  const steps = new Map<string, CleanupStep>();
  for (const { id, why, savedAt } of found) {
    if (!locked.has(id) && isOld(savedAt) && !steps.has(id)) steps.set(id, { id, why });
  }
  return [...steps.values()];
}
