/**
 * The conversation of a task on the page: pages without a gap, folded tools, safe text, images that
 * fit.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ConversationPage,
  type ConversationPart,
  KEPT_ENTRIES,
  newestPart,
  withEarlier,
  withLater,
} from '../../../../web/lib/conversation/conversation-pages.ts';
import {
  imageProblem,
  MAX_IMAGE_BYTES,
  readBase64,
} from '../../../../web/lib/tasks/conversation/input-images.ts';
import { INPUT_STYLE } from '../../../../web/lib/conversation/input-style.ts';
import { sentText } from '../../../../web/lib/tasks/conversation/sent-text.ts';
import { groupEntries } from '../../../../web/lib/conversation/entry-groups.ts';
import { textBlocks, textSpans } from '../../../../web/lib/conversation/text-blocks.ts';
import { exampleInteraction } from '../../../support/tasks/example-task.ts';

/** The daemon's answer for a conversation of that many interactions. */
function pageOf(
  total: number,
  query: { before?: number; after?: number },
  limit: number,
): ConversationPage {
  const all = Array.from({ length: total }, (_, n) => exampleInteraction(n + 1));
  const { before = Infinity, after } = query;
  const within = all.filter(({ id }) => id < before && id > (after ?? 0));
  const entries = after === undefined ? within.slice(-limit) : within.slice(0, limit);
  const [first, last] = [entries[0]?.id ?? 0, entries.at(-1)?.id ?? 0];
  return {
    entries,
    total,
    next: last < total && last > 0 ? last : null,
    previous: first > 1 ? first : null,
  };
}

const ids = ({ entries }: ConversationPart) => entries.map(({ id }) => id);
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

it('TA5 pages read in any order show no gap and no duplicate', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('earlier' as const) }),
    fc.record({ kind: fc.constant('later' as const), grown: fc.integer({ min: 0, max: 30 }) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 80 }), fc.array(step), (begun, steps) => {
      let total = begun;
      let part = newestPart(pageOf(total, {}, 7));
      for (const one of steps) {
        if (one.kind === 'earlier' && part.before !== null) {
          part = withEarlier(part, pageOf(total, { before: part.before }, 7));
        } else if (one.kind === 'later') {
          total += one.grown;
          const after = part.entries.at(-1)?.id ?? 0;
          part = withLater(part, pageOf(total, { after }, 50), false);
        }
        const shown = ids(part);
        expect(shown).toEqual(from(shown[0] ?? 1, shown.at(-1) ?? 0));
        expect(part.before).toBe(shown[0] === 1 ? null : shown[0]);
        expect(part.total).toBe(total);
      }
    }),
  );
});

it('TA5 at its end a conversation of 10,000 keeps a thousand, and the rest can be read again', () => {
  let part = newestPart(pageOf(200, {}, 200));
  for (let total = 400; total <= 10_000; total += 200) {
    part = withLater(part, pageOf(total, { after: part.entries.at(-1)?.id ?? 0 }, 200), true);
  }
  expect(ids(part)).toEqual(from(10_000 - KEPT_ENTRIES + 1, 10_000));
  expect(part.before).toBe(10_000 - KEPT_ENTRIES + 1);
  const more = withEarlier(part, pageOf(10_000, { before: part.before ?? 0 }, 200));
  expect(ids(more)).toEqual(from(10_000 - KEPT_ENTRIES - 199, 10_000));
  // A person reading further up loses nothing.
  const up = withLater(more, pageOf(10_100, { after: 10_000 }, 200), false);
  expect(up.entries).toHaveLength(KEPT_ENTRIES + 300);
});

it('TA15 consecutive tool calls are one, each with its result, and keep their place while they grow', () => {
  const call = (id: number, tool: string) => exampleInteraction(id, { tool });
  const result = (id: number, tool: string, is_error = false) =>
    exampleInteraction(id, { type: 'tool_result', tool, is_error });
  const silence = exampleInteraction(5, { content: ' ' });
  const run = [call(2, 'Read'), call(3, 'Read'), result(4, 'Read'), silence, result(6, 'Read')];
  const more = [...run, call(7, 'Bash'), result(8, 'Bash', true)];
  expect(groupEntries([exampleInteraction(1), ...more, exampleInteraction(9)])).toMatchObject([
    { kind: 'word', id: 1 },
    {
      kind: 'tools',
      id: 2,
      summary: 'Read × 2, Bash',
      failed: 1,
      steps: [
        { id: 2, call: { id: 2 }, result: { id: 4 } },
        { id: 3, call: { id: 3 }, result: { id: 6 } },
        { id: 7, call: { id: 7 }, result: { id: 8 } },
      ],
    },
    { kind: 'word', id: 9 },
  ]);
  expect(groupEntries(run)).toMatchObject([{ kind: 'tools', id: 2 }]);
  // Its call is in an earlier page.
  expect(groupEntries([result(4, 'Read')])).toMatchObject([{ steps: [{ call: null }] }]);
  // The sums of a turn are kept, also where it ends without text.
  const ended = exampleInteraction(9, { content: '', output_tokens: 10 });
  expect(groupEntries([...run, ended])).toMatchObject([{ kind: 'tools' }, { kind: 'word', id: 9 }]);
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, n) => call(n, name));
  expect(groupEntries(many)).toMatchObject([{ summary: 'a, b, c, d and 2 more' }]);
});

it('TA6 code and headings are set apart, and no text is lost or becomes anything else', () => {
  const text = '# Done\n\nSee:\n```ts\nconst a = `b`;\n# no heading\n```\nafter **it** and `x`';
  expect(textBlocks(text)).toEqual([
    { kind: 'heading', text: 'Done' },
    { kind: 'text', text: 'See:' },
    { kind: 'code', text: 'const a = `b`;\n# no heading', language: 'ts' },
    { kind: 'text', text: 'after **it** and `x`' },
  ]);
  expect(textSpans('after **it** and `x`')).toEqual([
    { kind: 'plain', text: 'after ' },
    { kind: 'strong', text: 'it' },
    { kind: 'plain', text: ' and ' },
    { kind: 'code', text: 'x' },
  ]);
  // An unclosed fence, and one inside a longer one.
  expect(textBlocks('```\nopen')).toEqual([{ kind: 'code', text: 'open', language: '' }]);
  expect(textBlocks('````md\n```\nin\n```\n````')).toEqual([
    { kind: 'code', text: '```\nin\n```', language: 'md' },
  ]);
  const marks = fc.constantFrom('`', '```', '**', '\n', '# ', '~~~', 'a', ' ', '<b>', '\u202e');
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 40 }), (parts) => {
      const said = parts.join('');
      const letters = (value: string) => value.replaceAll(/[^a<b>\u202e]/g, '');
      const blocks = textBlocks(said).map((block) =>
        block.kind === 'code' ? `${block.language}\n${block.text}` : block.text,
      );
      expect(letters(blocks.join(''))).toBe(letters(said));
      const spans = textSpans(said).map((span) => span.text);
      expect(letters(spans.join(''))).toBe(letters(said));
    }),
  );
});

it('TA7 an image that does not fit says why, and one that fits travels as it is', async () => {
  const file = (type: string, size: number) => ({ name: 'a.png', type, size });
  expect(imageProblem(file('image/png', 1000), 0)).toBeNull();
  expect(imageProblem(file('image/svg+xml', 1000), 0)).toMatch('not a PNG');
  expect(imageProblem(file('image/png', MAX_IMAGE_BYTES + 1), 0)).toMatch('smaller');
  expect(imageProblem(file('image/png', 0), 0)).toMatch('empty');
  expect(imageProblem(file('image/png', 1000), 5)).toMatch('5 images at most');
  const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 251);
  const text = await readBase64(new Blob([bytes]));
  expect(Buffer.from(text, 'base64').equals(Buffer.from(bytes))).toBe(true);
});

it('TA16 the state of an input is shown, also when it is unknown', () => {
  const sent = {
    message: '',
    task_name: 'a',
    id: 'x',
    input_preview: '',
    queue_priority: 'HIGH' as const,
    guaranteed_processing: true,
    immediate_processing: false,
    task_executor_restarted: false,
    processing_type: 'QUEUED_FOR_EXECUTOR' as const,
  };
  expect(sentText(sent)).toMatch('when the agent’s turn ends');
  expect(sentText({ ...sent, guaranteed_processing: false })).toMatch('when the task runs again');
  expect(sentText({ ...sent, processing_type: 'REAL_TIME_INTERRUPT' })).toMatch('now');
  expect(sentText({ ...sent, blocked_reason: 'duplicate' })).toMatch('not queued again');
  expect(INPUT_STYLE.unknown.meaning).toMatch('never sent twice automatically');
});
