/** A unified diff as lines to show. Pure; unknown lines are shown as they are. */

export interface PatchLine {
  kind: 'same' | 'added' | 'removed' | 'place' | 'note';
  text: string;
  /** Line number in the file before and after; null if the line is not in it. */
  before: number | null;
  after: number | null;
}

export interface FilePatch {
  /** The path after the change. */
  path: string;
  lines: readonly PatchLine[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
/** Lines before the first change: names and modes that the list already shows. */
const HEAD =
  /^(diff --git|index |--- |\+\+\+ |new file|deleted file|old mode|new mode|similarity|dissimilarity|rename |copy )/;

export function parsePatch(patch: string): FilePatch[] {
  const files: { path: string; lines: PatchLine[] }[] = [];
  let [left, right, before, after] = [0, 0, 0, 0];
  const rows = patch.split('\n');
  if (rows.at(-1) === '') rows.pop();
  for (const row of rows) {
    const isInHunk = left > 0 || right > 0;
    let file = files.at(-1);
    if (!isInHunk && row.startsWith('diff --git ')) {
      files.push({ path: pathOf(row), lines: [] });
      continue;
    }
    if (file === undefined) files.push((file = { path: '', lines: [] }));
    const { lines } = file;
    const hunk = isInHunk ? null : HUNK.exec(row);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[3])];
      [left, right] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      lines.push({ kind: 'place', text: row, before: null, after: null });
    } else if (!isInHunk) {
      if (row.startsWith('+++ ') && row !== '+++ /dev/null') file.path = named(row.slice(4));
      else if (row.startsWith('--- ') && row !== '--- /dev/null') file.path = named(row.slice(4));
      else if (!HEAD.test(row)) lines.push(note(row));
    } else if (row.startsWith('+')) {
      lines.push({ kind: 'added', text: row.slice(1), before: null, after: after++ });
      right -= 1;
    } else if (row.startsWith('-')) {
      lines.push({ kind: 'removed', text: row.slice(1), before: before++, after: null });
      left -= 1;
    } else if (row.startsWith('\\')) {
      lines.push(note(row));
    } else {
      lines.push({ kind: 'same', text: row.slice(1), before: before++, after: after++ });
      [left, right] = [left - 1, right - 1];
    }
  }
  return files;
}

/** Git's own note about a line begins with a backslash. */
function note(row: string): PatchLine {
  return { kind: 'note', text: row.replace(/^\\ /, ''), before: null, after: null };
}

/** The path in the first line of a file, as far as it can be determined there. */
function pathOf(row: string): string {
  const names = row.slice('diff --git '.length);
  const half = names.slice((names.length + 1) / 2);
  return named(half);
}

function named(name: string): string {
  // Git adds a tab to a name with a blank in it, even to a quoted one.
  const whole = name.replace(/\t$/, '');
  const bare = whole.startsWith('"') ? unquoted(whole) : whole;
  return bare.replace(/^[ab]\//, '');
}

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** Git quotes names that are not plain ASCII: bytes as three octal digits. */
function unquoted(name: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, letter, plain] of name
    .slice(1, name.endsWith('"') ? -1 : undefined)
    .matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(plain ?? ESCAPES[letter ?? ''] ?? letter));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
