/** Which stored runs a cleanup removes. Pure. */
import type { z } from 'zod';
import type { RUN_ENDPOINTS } from '$shared/endpoints/work/run-endpoints.ts';
import { count } from '$lib/ui/text/amounts.ts';

export type CleanupKind = 'completed' | 'stale' | 'invalid' | 'corrupt';
export type CleanupAnswer = z.infer<(typeof RUN_ENDPOINTS)['cleanUpRuns']['responses'][200]>;

export const CLEANUP_KINDS: readonly { value: CleanupKind; label: string }[] = [
  { value: 'completed', label: 'Completed' },
  { value: 'stale', label: 'Stale' },
  { value: 'invalid', label: 'Directory missing' },
  { value: 'corrupt', label: 'Corrupt' },
];

export const CLEANUP_AGES: readonly { hours: number | null; label: string }[] = [
  { hours: null, label: 'Any age' },
  { hours: 24, label: 'Older than a day' },
  { hours: 7 * 24, label: 'Older than 7 days' },
  { hours: 30 * 24, label: 'Older than 30 days' },
];

export interface CleanupChoice {
  kinds: readonly CleanupKind[];
  includeStopped: boolean;
  /** Null: of any age. */
  olderThanHours: number | null;
}

/** The request; a dry run only says what would be removed. */
export function cleanupBody(choice: CleanupChoice, isDry: boolean) {
  const { kinds, includeStopped, olderThanHours } = choice;
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, true])),
    include_stopped: includeStopped,
    ...(olderThanHours === null ? {} : { older_than_hours: olderThanHours }),
    dry_run: isDry,
  };
}

/** What is left to do before the preview, or null. */
export function cleanupProblem({ kinds }: CleanupChoice): string | null {
  return kinds.length === 0 ? 'Choose at least one kind.' : null;
}

export function cleanupText({ dry_run: isDry, removed, kept }: CleanupAnswer): string {
  if (removed.length === 0) return 'Nothing to remove.';
  const what = count(removed.length, 'run');
  const rest = kept.length === 0 ? '' : `, ${kept.length} kept`;
  return isDry ? `${what} would be removed${rest}.` : `${what} removed${rest}.`;
}
