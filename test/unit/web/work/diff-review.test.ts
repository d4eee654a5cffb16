/** The pure parts of a review: rows of a diff, the list of files, and the message to the agent. */
import { describe, expect, it } from 'vitest';
import { diffRows } from '../../../../web/lib/diff/diff-rows.ts';
import { fileTree } from '../../../../web/lib/diff/file-tree.ts';
import { parsePatch } from '../../../../web/lib/diff/parse-patch.ts';
import { lineKey, lineRef, reviewMessage } from '../../../../web/lib/diff/review-message.ts';

const PATCH = `diff --git a/a.ts b/a.ts
--- a/a.ts
+++ b/a.ts
@@ -1,5 +1,5 @@
 first
-second
-third
+2
 fourth
+4.5
-fifth
+5
`;

const lines = parsePatch(PATCH)[0]?.lines ?? [];

const COMMENT = {
  repository: '/r',
  path: 'a.ts',
  side: 'after' as const,
  line: 2,
  quote: '2',
  id: 1,
  text: 'Why?',
};

describe('rows of a diff', () => {
  it('DV5 unified, each line is a row', () => {
    expect(diffRows(lines, 'unified')).toEqual(lines.map((line) => [line]));
  });

  it('DV5 side by side, what was removed shares a row with what replaced it', () => {
    const texts = diffRows(lines, 'split').map((cells) =>
      cells.map((line) => (line === null ? null : `${line.kind} ${line.text}`)),
    );
    expect(texts).toEqual([
      ['place @@ -1,5 +1,5 @@'],
      ['same first', 'same first'],
      ['removed second', 'added 2'],
      ['removed third', null],
      ['same fourth', 'same fourth'],
      [null, 'added 4.5'],
      ['removed fifth', 'added 5'],
    ]);
  });
});

describe('the list of files', () => {
  it('DV6 directories come first, and those that hold only one are one row with it', () => {
    const rows = fileTree(['z.md', 'src/deep/only/a.ts', 'src/b.ts', 'docs/x/y.md']);
    expect(rows.map(({ depth, name, path }) => [depth, name, path])).toEqual([
      [0, 'docs/x/', null],
      [1, 'y.md', 'docs/x/y.md'],
      [0, 'src/', null],
      [1, 'deep/only/', null],
      [2, 'a.ts', 'src/deep/only/a.ts'],
      [1, 'b.ts', 'src/b.ts'],
      [0, 'z.md', 'z.md'],
    ]);
  });
});

describe('comments', () => {
  it('DV1 a line is known by its side, number and text; places have no number', () => {
    const refs = lines.map((line) => lineRef('/r', 'a.ts', line));
    expect(refs.map((ref) => ref && lineKey(ref))).toEqual([
      null,
      'after 1 first',
      'before 2 second',
      'before 3 third',
      'after 2 2',
      'after 3 fourth',
      'after 4 4.5',
      'before 5 fifth',
      'after 5 5',
    ]);
  });

  it('DV2 the message names file, line and quoted line of each comment, in their order', () => {
    const message = reviewMessage([
      { ...COMMENT, id: 1, path: 'b.ts' },
      { ...COMMENT, id: 2, line: 10, text: 'Ten' },
      { ...COMMENT, id: 3, line: 9, side: 'before', quote: 'was', text: 'Nine' },
    ]);
    expect(message).toBe(`3 review comments on your changes. Address each one, or say why not.

1. a.ts, removed line 9:
> was
Nine

2. a.ts, line 10:
> 2
Ten

3. b.ts, line 2:
> 2
Why?`);
  });

  it('DV2 repositories are named when there are several', () => {
    expect(reviewMessage([COMMENT])).toContain('1. a.ts, line 2:\n');
    const two = reviewMessage([COMMENT, { ...COMMENT, id: 2, repository: '/other' }]);
    expect(two).toContain('1. a.ts, line 2, in /other:\n');
    expect(two).toContain('2. a.ts, line 2, in /r:\n');
  });

  it('DV2 a quoted line is cut, and its control characters are written out', () => {
    const quote = `\u001b[2J${'x'.repeat(400)}`;
    const [, quoted] = /^> (.*)$/m.exec(reviewMessage([{ ...COMMENT, quote }])) ?? [];
    expect(quoted).toMatch(/^\\u\{1b\}\[2Jx+…$/);
    expect(quoted).toHaveLength(300);
  });
});
