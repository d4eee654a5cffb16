import type { TaskMergePreview } from '$shared/schema/tasks/project.ts';
import { countText } from '$shared/words/count-text.ts';

/** What a merge would bring and what is checked, in two sentences. */
export function previewText({ commits, files, uncommitted, checks }: TaskMergePreview): string {
  const parts = [countText(commits, 'commit'), countText(files, 'file')];
  if (uncommitted > 0)
    parts.push(`${countText(uncommitted, 'uncommitted file')} that would be committed first`);
  const proof =
    checks.length === 0 ? 'No checks run on the result.' : `Checks: ${checks.join(', ')}.`;
  return `${parts.join(', ')}. ${proof}`;
}
