/** The items of a plan, from any Markdown an agent or a person writes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planItems } from '../../../shared/rules/work/plan-items.ts';

const FENCE = '```';

/** `x 1 text`: done, level, text. */
function read(text: string): string[] {
  return planItems(text).map(({ text, level, done }) => `${done ? 'x' : '-'} ${level} ${text}`);
}

it.each([
  ['- [ ] one\n- [x] two\n- [X] three', ['- 0 one', 'x 0 two', 'x 0 three']],
  ['* one\n+ two\n1. three\n2) four', ['- 0 one', '- 0 two', '- 0 three', '- 0 four']],
  ['1. [x] one\n2. [ ] two', ['x 0 one', '- 0 two']],
  ['# Plan\n\nText - here\n-no item\n1.5 times\n- yes', ['- 0 yes']],
  ['- a\n  - b\n    - c\n  - d\n- e', ['- 0 a', '- 1 b', '- 2 c', '- 1 d', '- 0 e']],
  ['- a\n\t- b\n\t\t- c\n    - d', ['- 0 a', '- 1 b', '- 2 c', '- 1 d']],
  ['   - a\n      - b\n - c', ['- 0 a', '- 1 b', '- 0 c']],
  // Notes below a checkbox, and a checkbox below a note.
  ['- [ ] a\n  - a note\n- Part 2\n  - [x] b\n    - [ ] c', ['- 0 a', 'x 1 b', '- 2 c']],
  [`- a\n${FENCE}\n- [x] code\n${FENCE}\n- b`, ['- 0 a', '- 0 b']],
  [`- a\n  ${FENCE}md\n  - code\n  ${FENCE}\n~~~\n${FENCE}\n- code\n~~~\n- b`, ['- 0 a', '- 0 b']],
  [`${FENCE}\n- never closed`, []],
  [`${FENCE} inline ${FENCE}\n- a`, ['- 0 a']],
  ['- \n- [ ]\n- [ ]  \n---\n* * *\n- - -', []],
  ['- [y] odd\n- [ ]tight', ['- 0 [y] odd', '- 0 [ ]tight']],
  ['- [ ] a\r\n- [x] b\r\n', ['- 0 a', 'x 0 b']],
  ['- [ ] gp\u202ej.exe \u001b[31mred', ['- 0 gp\\u{202e}j.exe \\u{1b}[31mred']],
  ['', []],
])('RN58 %j', (text, items) => {
  expect(read(text)).toEqual(items);
});

it('RN58 there are at most 500 items of 300 characters', () => {
  const items = planItems(`- [ ] ${'😀'.repeat(400)}\n`.repeat(600));
  expect(items).toHaveLength(500);
  expect(items[0]?.text.length).toBeLessThanOrEqual(300);
  expect(Buffer.from(items[0]?.text ?? '').toString()).toBe(items[0]?.text);
  for (const piece of ['- ', '\t', '1', '- [', '`', '* *', '\n- '])
    planItems(piece.repeat(100_000));
});

it('RN58 any tree of items is read as it was written', () => {
  // A level is at most one below the item before it.
  const item = fc.record({ deeper: fc.integer({ min: -3, max: 1 }), done: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (tree, width) => {
        let last = -1;
        const expected = tree.map(({ deeper, done }, index) => {
          last = Math.max(0, last + deeper);
          return { text: `step ${index}`, level: last, done };
        });
        const lines = expected.map(
          ({ text, level, done }) => `${' '.repeat(level * width)}- [${done ? 'x' : ' '}] ${text}`,
        );
        expect(planItems(lines.join('\n\n'))).toEqual(expected);
      },
    ),
  );
});
