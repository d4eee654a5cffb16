/** The calls of a subagent, from the transcript of its own that its client writes. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TranscriptFiles } from '../../../server/agents/records/transcript-files.ts';
import { TranscriptSteps } from '../../../server/agents/records/transcript-steps.ts';
import { writeSubagent } from '../../support/agents/write-subagent.ts';
import { callLine, resultLine } from '../../support/agents/transcript-lines.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const CONVERSATION = '01d7a2da-a8ba-4d5a-a613-4e4a6cb9ddd3';
let config: string;
let transcript: string;
let steps: TranscriptSteps;
beforeEach(() => {
  config = mkdtempSync(join(TEST_ROOT, 's'));
  const folder = join(config, 'projects', 'p');
  mkdirSync(folder, { recursive: true });
  transcript = join(folder, `${CONVERSATION}.jsonl`);
  writeFileSync(transcript, `${callLine('toolu_1', 'Agent', { description: 'Look around' })}\n`);
  steps = new TranscriptSteps(new TranscriptFiles({ CLAUDE_CONFIG_DIR: config }));
});
afterEach(() => rmSync(config, { recursive: true }));

const read = (subagent: string, more: { before?: string; after?: string } = {}) => {
  const { status, steps: found, ...rest } = steps.read(CONVERSATION, { subagent, ...more });
  return { ...rest, status, ids: found.map(({ id }) => id) };
};
const call = (id: string) =>
  callLine(
    id,
    'Bash',
    { command: 'echo one' },
    { isSidechain: true, agentId: 'a019444c243e7e048' },
  );

it('SA10 each subagent is found by the call that started it, in pages', () => {
  writeSubagent(transcript, 'a019444c243e7e048', 'toolu_1', [call('a'), resultLine('a', 'one')]);
  const other = writeSubagent(transcript, 'a44134a579420e6d6', 'toolu_2', [call('b')]);
  const first = read('toolu_2');
  expect(first).toMatchObject({ status: 'shown', ids: ['b'] });
  expect(read('toolu_1')).toMatchObject({ ids: ['a'], results: [{ id: 'a', failed: false }] });
  other.write(call('c'));
  expect(read('toolu_2', { after: first.newer ?? '' }).ids).toEqual(['c']);
  other.write(...Array.from({ length: 400 }, (_, n) => `${call(`n${n}`)}${' '.repeat(4_000)}`));
  const newest = read('toolu_2');
  expect(newest.ids.at(-1)).toBe('n399');
  const older = read('toolu_2', { before: newest.older ?? '' });
  expect(older).toMatchObject({ is_continued: true });
  expect(Number(older.ids.at(-1)?.slice(1))).toBe(Number(newest.ids[0]?.slice(1)) - 1);
  expect(steps.read(CONVERSATION, {}).steps.map(({ id }) => id)).toEqual(['toolu_1']);
});

it('SA10 one without a transcript of its own, and an id that looks like a path, show nothing', () => {
  writeSubagent(transcript, 'a1', 'toolu_1', [call('a')]);
  for (const id of ['toolu_9', '../../x', 'agent-a1', 'a1', '/etc/passwd', '\0']) {
    expect(read(id)).toMatchObject({ status: 'no_transcript', ids: [] });
  }
});

it('SA5 SA10 links, several names and odd descriptions show nothing', () => {
  const { path, meta } = writeSubagent(transcript, 'a1', 'toolu_1', [call('a')]);
  const away = join(config, 'away');
  const expectNothing = () => expect(read('toolu_1').ids).toEqual([]);
  const replaced = (file: string, odd: () => void) => {
    renameSync(file, away);
    odd();
    expectNothing();
    rmSync(file);
    renameSync(away, file);
    expect(read('toolu_1').ids).toEqual(['a']);
  };
  for (const file of [path, meta]) {
    replaced(file, () => symlinkSync(away, file));
    replaced(file, () => linkSync(away, file));
  }
  const texts = [
    '',
    '{',
    '[]',
    '{"toolUseId":7}',
    `{"toolUseId":"toolu_1","x":"${'x'.repeat(70_000)}"}`,
  ];
  for (const text of texts) replaced(meta, () => writeFileSync(meta, text));
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    replaced(folder, () => symlinkSync(away, folder));
  }
});
