/** The stand-in with `-p`, as its caller sees it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { STAND_IN, Talk } from '../../support/terminals/talk.ts';

async function run(talk: Talk, args: readonly string[], input = '') {
  const [node, script] = STAND_IN;
  const { cwd, options } = talk;
  return execFile(node, [script, ...args], {
    cwd,
    env: options.environment,
    input,
    timeoutMs: 600_000,
  });
}

it('SI9 without directives it works a little, and says in the third turn that it is done', async () => {
  using talk = new Talk();
  const first = await talk.say('Do it.');
  const conversationId = first.conversationId;
  expect(readFileSync(join(talk.cwd, 'stand-in-1.md'), 'utf8')).toContain('turn 1');
  expect(await talk.say('Go on.', { conversationId })).toMatchObject({ ok: true, conversationId });
  const third = await talk.say('Go on.', { conversationId });
  expect(third).toMatchObject({ ok: true, text: 'All steps are done. The task is complete.' });
  expect(existsSync(join(talk.cwd, 'stand-in-3.md'))).toBe(false);
  expect(talk.calls()).toHaveLength(3);
});

it('SI9 it refuses what the real client refuses, with the same text', async () => {
  using talk = new Talk();
  expect(await run(talk, ['-p', 'x', '--output-format', 'stream-json'])).toMatchObject({
    ok: false,
    code: 1,
    stderr: 'Error: When using --print, --output-format=stream-json requires --verbose\n',
  });
  const unknown = '11111111-2222-4333-8444-555555555555';
  expect(await run(talk, ['-r', unknown, '-p', 'x'])).toMatchObject({
    stderr: `No conversation found with session ID: ${unknown}\n`,
  });
  // Read as an option, like every argument that begins with a dash.
  expect(await run(talk, ['-p', '- a list'])).toMatchObject({ ok: false, code: 1 });
  expect(await run(talk, ['-p'], 'stand-in: say read')).toEqual({ ok: true, stdout: 'read\n' });
});

it('SI10 a directive belongs to the turn of its message, or to the one it names', async () => {
  using talk = new Talk();
  const begin = ['say one', 'turn 2 say two', 'turn 3 say three', 'turn 3 cost 1.5'];
  const first = await talk.say(begin.map((step) => `  stand-in: ${step}`).join('\n'));
  const { conversationId } = first;
  const second = await talk.say('stand-in: tokens 7', { conversationId });
  const third = await talk.say('stand-in: ask What now?', { conversationId });
  expect([first, second, third]).toMatchObject([
    { text: 'one' },
    { text: 'two', usage: { outputTokens: 7 } },
    { text: 'What now?', costUsd: 1.5 },
  ]);
});

it('SI10 an invalid directive ends the turn as an error', async () => {
  using talk = new Talk();
  const outcome = await talk.say('stand-in: dance');
  expect(outcome).toMatchObject({ ok: false, error: 'crashed' });
  expect(outcome.ok ? '' : outcome.detail).toContain('knows no step "dance');
});

it('SI10 commits are those of git', async () => {
  using talk = new Talk();
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: talk.cwd, encoding: 'utf8' }).trim();
  git('init', '-q');
  await talk.say('stand-in: write a.txt one\nstand-in: commit Add a file');
  expect([git('log', '--format=%s'), git('status', '--short')]).toEqual(['Add a file', '']);
});

it('SI11 asked for a verdict it gives the scripted one, or reads the last reply', async () => {
  using talk = new Talk();
  const ask = (end: string) =>
    talk.say(`Answer with is_complete, reasoning, confidence.\n<data-1>\n${end}`, {
      tools: 'none',
    });
  const given = '{"is_complete":false,"reasoning":"no","confidence":1}';
  expect(await ask(`stand-in: verdict ${given}`)).toMatchObject({ text: given });
  const verdicts = await Promise.all(
    ['complete', 'not complete', 'half done'].map((words) => ask(`Last reply: It is ${words}.`)),
  );
  const complete = verdicts.map((answer) =>
    answer.ok ? (JSON.parse(answer.text) as { is_complete: boolean }).is_complete : null,
  );
  expect(complete).toEqual([true, false, false]);
});

it('SI19 it says how full its context is, and compacts without a turn', async () => {
  using talk = new Talk();
  const steps = ['context 72', 'say one', 'turn 2 say two'].map((step) => `stand-in: ${step}`);
  const first = await talk.say(steps.join('\n'));
  expect(first.context).toMatchObject({ percent: 72, isCompacted: false });
  const { conversationId } = first;
  const compacted = await talk.say('/compact', { conversationId });
  expect(compacted).toMatchObject({ conversationId, context: { percent: 5, isCompacted: true } });
  const second = await talk.say('Go on.', { conversationId });
  expect(second).toMatchObject({ text: 'two', context: { percent: null } });
  const other = await talk.say('stand-in: compact-fails');
  const failed = await talk.say('/compact', { conversationId: other.conversationId });
  expect(failed).toMatchObject({ ok: true, context: { isCompacted: false } });
});
