/** The worktrees of a task as lines for a person. File names are foreign text. */
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import type { WorkDiff, WorkState } from '../../../shared/schema/tasks/project.ts';

const MAX_LINE = 200;

/** What a removal would do with the work in each worktree. */
export function removalLines(worktrees: readonly WorkState[]): string[] {
  return worktrees.flatMap(({ path, branch, exists, on_removal, obstacle }) => [
    `  ${oneLine(path, MAX_LINE)}, branch ${oneLine(branch, MAX_LINE)}${exists ? '' : ' (missing)'}`,
    ...on_removal.map((sentence) => `    ${oneLine(sentence, 2 * MAX_LINE)}`),
    ...(obstacle === null ? [] : [`    Cannot be removed: ${oneLine(obstacle, MAX_LINE)}`]),
  ]);
}

/** The changed files of one repository, then the patch if wanted. */
export function diffLines(
  { repository, branch, base, files, patch, cut }: WorkDiff,
  withPatch: boolean,
): string[] {
  const head = `${oneLine(repository, MAX_LINE)}: ${oneLine(branch, MAX_LINE)} since ${oneLine(base, MAX_LINE)}`;
  if (files.length === 0) return [`${head}: no changes`];
  return [
    head,
    ...files.map(({ path, status, additions, deletions, dirty }) => {
      const count = additions === null || deletions === null ? '' : ` +${additions} -${deletions}`;
      return `  ${status}  ${oneLine(path, MAX_LINE)}${count}${dirty ? ' (uncommitted)' : ''}`;
    }),
    ...(withPatch ? ['', plainText(patch).trimEnd()] : []),
    ...(cut ? ['… truncated; see the rest in the worktree'] : []),
  ];
}
