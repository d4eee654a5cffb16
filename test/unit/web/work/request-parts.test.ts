/** What a person reads of a request: nothing of its input may be missing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginningOf } from '../../../../web/lib/attention/beginning-of.ts';
import { lineDiff } from '../../../../shared/rules/text/line-diff.ts';
import { requestParts } from '../../../../web/lib/attention/request-parts.ts';

const text = (before: string, after: string) =>
  lineDiff(before, after).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
  );

it('IB3 an edit is a change of lines: kept, removed and added', () => {
  expect(text('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(text('', 'a')).toEqual(['+a']);
  expect(text('a\na', 'a')).toEqual([' a', '-a']);
  expect(text('same', 'same')).toEqual([' same']);
});

it('IB3 a change contains both texts; one too large to compare is all removed and all added', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, (old, made) => {
      const diff = lineDiff(old.join('\n'), made.join('\n'));
      const side = (other: string) =>
        diff.flatMap((line) => (line.kind === other ? [] : [line.text])).join('\n');
      expect([side('added'), side('removed')]).toEqual([old.join('\n'), made.join('\n')]);
    }),
  );
  const many = (word: string) => Array.from({ length: 900 }, (_, n) => `${word}${n}`).join('\n');
  expect(lineDiff(many('a'), many('b'))).toHaveLength(1_800);
});

it('IB3 commands, changes and whole files have their own style, and every other key is listed', () => {
  const kinds = (input: Record<string, unknown>) =>
    requestParts({ input }).map(({ kind, label }) => `${kind} ${label}`);
  expect(kinds({ command: 'ls', description: 'List' })).toEqual([
    'command command',
    'fact description',
  ]);
  const edit = { old_string: 'a', new_string: 'b' };
  expect(kinds({ file_path: '/a', ...edit, replace_all: true })).toEqual([
    'fact file_path',
    'change change',
    'fact replace_all',
  ]);
  expect(kinds({ file_path: '/a', edits: [edit, { ...edit, replace_all: true }] })).toEqual([
    'fact file_path',
    'change change 1',
    'change change 2 {"replace_all":true}',
  ]);
  expect(kinds({ file_path: '/a', content: 'x' })).toEqual(['fact file_path', 'change content']);
  // Half an edit is no edit.
  expect(kinds({ old_string: 'a', plan: 'x\ny', limit: 3 })).toEqual([
    'fact old_string',
    'text plan',
    'fact limit',
  ]);
});

it('IB8 a long text is cut at lines and characters, and its length is that of the whole', () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, () => ({ kind: 'same' as const, text: word }));
  expect(beginningOf(lines(16, 'ab'))).toMatchObject({ isCut: false, characters: 47 });
  expect(beginningOf(lines(17, 'ab'))).toMatchObject({ isCut: true, characters: 50 });
  const long = beginningOf(lines(1, 'x'.repeat(5_000)));
  expect(long).toMatchObject({ isCut: true, characters: 5_000 });
  expect(long.lines[0]?.text).toHaveLength(1_600);
  expect(beginningOf([])).toEqual({ lines: [], isCut: false, characters: 0 });
});
