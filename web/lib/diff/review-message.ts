/** Comments on lines of a diff, and the one message that carries them to the agent. Pure. */
import { cut, plainText } from '$shared/rules/text/plain-text.ts';
import type { PatchLine } from './parse-patch.ts';

/** The line a comment is about. */
export interface LineRef {
  repository: string;
  path: string;
  /** Of the number: the file before the change, for removed lines, or after it. */
  side: 'before' | 'after';
  line: number;
  /** The line as it was when it was commented on. */
  quote: string;
}

export interface ReviewComment extends LineRef {
  /** Unique within the review; later comments have higher ones. */
  id: number;
  text: string;
}

/** Longer lines are cut in the message. In characters. */
const LONGEST_QUOTE = 300;

/** Null for lines that cannot be commented on: places and notes. */
export function lineRef(repository: string, path: string, line: PatchLine): LineRef | null {
  const [side, number] =
    line.after === null ? (['before', line.before] as const) : (['after', line.after] as const);
  if (number === null) return null;
  return { repository, path, side, line: number, quote: line.text };
}

/** The same for the same line of one file only: a line that moved or changed has another. */
export function lineKey({ side, line, quote }: LineRef): string {
  return `${side} ${line} ${quote}`;
}

export function byLine(comments: readonly ReviewComment[]): Map<string, ReviewComment[]> {
  const grouped = new Map<string, ReviewComment[]>();
  for (const comment of comments) {
    const key = lineKey(comment);
    grouped.set(key, [...(grouped.get(key) ?? []), comment]);
  }
  return grouped;
}

/** “line 12” or “removed line 12”. */
export function lineName({ side, line }: LineRef): string {
  return side === 'before' ? `removed line ${line}` : `line ${line}`;
}

/** In the order of files and lines. Repositories are named when there are several. */
export function reviewMessage(comments: readonly ReviewComment[]): string {
  const repositories = new Set(comments.map(({ repository }) => repository));
  const parts = comments.toSorted(byPlace).map((comment, index) => {
    const place = `${comment.path}, ${lineName(comment)}`;
    const where = repositories.size > 1 ? `${place}, in ${comment.repository}` : place;
    return `${index + 1}. ${where}:\n> ${cut(plainText(comment.quote), LONGEST_QUOTE)}\n${comment.text}`;
  });
  const head =
    parts.length === 1
      ? 'A review comment on your changes. Address it, or say why not.'
      : `${parts.length} review comments on your changes. Address each one, or say why not.`;
  return [head, ...parts].join('\n\n');
}

function byPlace(a: ReviewComment, b: ReviewComment): number {
  return (
    a.repository.localeCompare(b.repository) ||
    a.path.localeCompare(b.path) ||
    a.line - b.line ||
    a.id - b.id
  );
}
