/** What an edit removes and adds, line by line. Pure. */

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** More comparisons take too long in a page: then all lines count as removed and added. */
const MAX_COMPARISONS = 250_000;

/** In order, removed lines before added ones. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const updated = linesOf(after);
  const start = countEqual(old, updated);
  const rest = Math.min(old.length, updated.length) - start;
  const end = Math.min(rest, countEqual(old.toReversed(), updated.toReversed()));
  const changed = compare(
    old.slice(start, old.length - end),
    updated.slice(start, updated.length - end),
  );
  const asSame = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...old.slice(0, start).map(asSame),
    ...changed,
    ...old.slice(old.length - end).map(asSame),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function countEqual(one: readonly string[], other: readonly string[]): number {
  const first = one.findIndex((line, place) => line !== other[place]);
  return first === -1 ? one.length : first;
}

function compare(old: readonly string[], updated: readonly string[]): DiffLine[] {
  if (old.length * updated.length > MAX_COMPARISONS) return replaced(old, updated);
  // common[i][j]: the longest common run of lines of old from i and updated from j.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(updated.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i];
    for (let j = updated.length - 1; j >= 0 && row !== undefined; j -= 1) {
      row[j] = old[i] === updated[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < updated.length) {
    if (old[i] === updated[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: updated[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...replaced(old.slice(i), updated.slice(j))];
}

function replaced(old: readonly string[], updated: readonly string[]): DiffLine[] {
  return [
    ...old.map((text): DiffLine => ({ kind: 'removed', text })),
    ...updated.map((text): DiffLine => ({ kind: 'added', text })),
  ];
}
