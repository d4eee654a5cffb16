/** What changed, for an agent to read: one line for each file. Pure. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { WorkDiff } from '../../../shared/schema/tasks/project.ts';
import { MAX_DIFF_FILES } from './work-diff.ts';

/** Of a path, in characters. */
const PATH_LENGTH = 200;

export function changedFiles({ files, cut }: Pick<WorkDiff, 'files' | 'cut'>): string {
  const lines = files.map(({ path, status, additions, deletions }) => {
    const size = additions === null ? 'binary' : `+${additions} -${deletions ?? 0}`;
    return `${status} ${oneLine(path, PATH_LENGTH)} (${size})`;
  });
  const isMore = cut && files.length >= MAX_DIFF_FILES;
  return [...lines, ...(isMore ? ['and more files'] : [])].join('\n');
}
