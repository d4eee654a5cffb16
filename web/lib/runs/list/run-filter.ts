/** Which runs are listed, kept in the page's URL. Pure. */
import type { RunStatus } from '$shared/schema/runs/run-phase.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import { RUN_STATUSES } from '../run-style.ts';

export interface RunFilter {
  status: RunStatus | null;
  text: string;
}

/** Drops values that no run can have. */
export function readRunFilter(query: URLSearchParams): RunFilter {
  const status = query.get('status');
  return {
    status: RUN_STATUSES.find((one) => one === status) ?? null,
    text: query.get('q') ?? '',
  };
}

export function writeRunFilter({ status, text }: RunFilter): Record<string, string | null> {
  return { status, q: text.trim() === '' ? null : text };
}

/** Every word of the filter must be in id, title, branch or directory. */
export function passesRunFilter(
  run: Pick<RunSummary, 'id' | 'title' | 'branch' | 'working_dir' | 'status'>,
  { status, text }: RunFilter,
): boolean {
  if (status !== null && run.status !== status) return false;
  const all = [run.id, run.title, run.branch ?? '', run.working_dir].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
