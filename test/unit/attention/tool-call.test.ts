/** Tool calls in one line: in a conversation and as events. */
import { expect, it } from 'vitest';
import { toolCallSubject, toolCallText } from '../../../shared/rules/tool-call.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { eventRecord } from '../../support/events/event-record.ts';

const AT = '2026-01-01T00:00:00.000Z';
const subject = (input: unknown): string => toolCallSubject(toolCallText('Tool', input));

it('TA15 a tool call is shown as what it is about, never as JSON', () => {
  expect(subject({ command: 'npm test' })).toBe('npm test');
  expect(subject({ file_path: 'a "b".ts', content: 'x\n' })).toBe('a "b".ts');
  expect(subject({ file_path: 'é\\n\u0007.ts', content: '' })).toBe('é\\n\u0007.ts');
  expect(subject({ todos: [{ content: 'x' }], note: 'y' })).toBe('');
  expect(subject(undefined)).toBe('');
  expect(toolCallSubject('no call')).toBe('no call');
});

it('TA15 a call that was cut anywhere is still shown as text', () => {
  const call = toolCallText('Write', { file_path: 'tab\tquote"bell\u0007', content: 'x' });
  const seen = Array.from({ length: call.length + 1 }, (_, end) =>
    toolCallSubject(call.slice(0, end)),
  );
  expect(seen.at(-1)).toBe('tab\tquote"bell\u0007');
  expect(seen.filter((text) => text.includes('{'))).toEqual([]);
});

it('EP1 an event of a conversation says who said or used what, in one short line', () => {
  const text = (more: object) =>
    describeEvent(
      eventRecord(
        {
          type: 'task.interaction',
          data: {
            task: 'docs',
            id: 1,
            type: 'claude_response',
            turn: 2,
            tool: null,
            preview: 'Done.',
            output_tokens: null,
            cost_usd: null,
            ...more,
          },
        },
        1,
        AT,
      ),
    ).text;
  expect(text({})).toBe('docs: Done.');
  expect(text({ output_tokens: 20 })).toBe('Turn 2 of docs used 20 output tokens');
  expect(text({ type: 'user_request' })).toBe('Input to docs: Done.');
  expect(text({ type: 'simulated_human', preview: 'a\n b' })).toBe('Automatic input to docs: a b');
  const call = {
    tool: 'Write',
    preview: toolCallText('Write', { file_path: 'a.ts', content: '' }),
  };
  expect(text(call)).toBe('docs uses Write: a.ts');
  expect(text({ type: 'tool_result', tool: 'Bash', preview: '' })).toBe(
    'docs, result of Bash: empty',
  );
  expect(text({ preview: 'x'.repeat(300) })).toHaveLength('docs: '.length + 299);
});
