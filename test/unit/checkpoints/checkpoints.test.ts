/** The file of a phased run: its fields, its rights, and how it is saved. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCheckpoint, loadPrevious } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import {
  checkpointPath,
  PREVIOUS_FILE,
  sessionsDirectory,
} from '../../../server/checkpoints/session-directory.ts';
import { cutText } from '../../../shared/rules/text/cut-text.ts';
import type { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import {
  checkpoint,
  failureOf,
  LEAST,
  namesBelow,
  newHome,
  putCheckpoint,
} from '../../support/runs/checkpoint-home.ts';

const FIELDS = [
  'version session_id checkpoint_time original_start_time phase phase_started_offset iteration model',
  'claude_session_id exec_session_id review_session_id fix_session_id claude_events claude_full_text',
  'exec_events exec_full_text review_events review_full_text fix_events fix_full_text',
  'plan_cursor exec_cursor review_cursor fix_cursor lines plan_path last_checklist working_dir',
  'force_stopped force_stop_reason prompt usage stuck completed_at',
].join(' ');

it('CK1 B4-3 a session has a directory and a file of its own, for its owner only', () => {
  const home = newHome();
  saveCheckpoint(home, checkpoint());
  const path = checkpointPath(home, 'one');
  expect(path).toBe(join(home, 'sessions/one/checkpoint.json'));
  const modes = [sessionsDirectory(home), dirname(path), path].map((each) => statSync(each).mode);
  expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600']);
});

it('CK1 directories that others may read are closed by the next save', () => {
  const home = newHome();
  saveCheckpoint(home, checkpoint());
  const directory = dirname(checkpointPath(home, 'one'));
  for (const each of [directory, sessionsDirectory(home)]) chmodSync(each, 0o755);
  saveCheckpoint(home, checkpoint());
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(sessionsDirectory(home)).mode & 0o777).toBe(0o700);
});

it.each([
  '../x',
  '..',
  '.',
  '',
  '/etc',
  'a/b',
  'a.b',
  '-a',
  '_a',
  'a\0',
  'a\n',
  'ä',
  'a'.repeat(65),
])('CK1 B4-3 %j is no session', async (id) => {
  const home = newHome();
  mkdirSync(join(home, 'x'));
  writeFileSync(join(home, 'x/checkpoint.json'), JSON.stringify(LEAST));
  expect(await failureOf(() => loadCheckpoint(home, id))).toMatch(
    /^run_unknown: Session not found/,
  );
  expect(await failureOf(() => checkpointPath(home, id))).toMatch(/^run_unknown: /);
  const wrong = { ...checkpoint(), session_id: id };
  expect(await failureOf(() => saveCheckpoint(home, wrong))).toMatch(/^checkpoint_corrupt: /);
  expect(namesBelow(home)).toEqual(['x', 'x/checkpoint.json']);
});

it('CK1 an absent session is not found', async () => {
  const home = newHome();
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toBe(
    'run_unknown: Session not found: "one"; list them with: loopwatch run ls',
  );
  mkdirSync(join(home, 'sessions/one'), { recursive: true });
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toMatch(/^run_unknown: /);
});

it('CK2 G-32 a file with the least has the default of every other field', () => {
  const home = newHome();
  putCheckpoint(home, 'one', LEAST);
  const loaded = loadCheckpoint(home, 'one');
  expect(Object.keys(loaded).sort()).toEqual(FIELDS.split(' ').sort());
  expect(loaded).toMatchObject({
    iteration: 0,
    exec_cursor: 0,
    exec_events: [],
    review_session_id: null,
    last_checklist: null,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    stuck: { signatures: [], unchanged_rounds: 0 },
    completed_at: null,
  });
  loaded.stuck.signatures.push('x');
  expect(loadCheckpoint(home, 'one').stuck.signatures).toEqual([]);
});

it('CK2 G-32 what is saved is loaded again, with events and fields of other programs', () => {
  const home = newHome();
  const full: Checkpoint = checkpoint({
    phase: 'review',
    phase_started_offset: 1800.5,
    model: 'claude-x',
    exec_events: [
      { Text: 'hello' },
      { Tool: { name: 'Bash', params: '{}', done: true, is_error: false, output: 'ok', own: 1 } },
      { ToolProgress: { tool_name: 'Bash', elapsed_secs: 1.5 } },
      { Foreign: { deep: [1, { two: null }] } },
      { Tool: 'not ours' },
    ],
    exec_cursor: 3,
    lines: [{ text: 'a', timestamp: 0.5, status: 'Success', section: 'Claude', own: true }],
    last_checklist: { build: { passed: false, message: 'no', details: 'why' } },
    prompt: 'do "it" \ud83d\ude00 \u0000',
    acp_events: [{ any: 'thing' }],
    sub_state: { rounds: [1, 2] },
  });
  saveCheckpoint(home, full);
  expect(loadCheckpoint(home, 'one')).toEqual(full);
  saveCheckpoint(home, loadCheckpoint(home, 'one'));
  expect(loadCheckpoint(home, 'one')).toEqual(full);
});

it('CK2 G-32 times are in UTC for any offset in a file', () => {
  const home = newHome();
  putCheckpoint(home, 'one', { ...LEAST, checkpoint_time: '2024-01-15T10:30:00.123456789+02:00' });
  expect(loadCheckpoint(home, 'one').checkpoint_time).toBe('2024-01-15T08:30:00.123Z');
  putCheckpoint(home, 'one', { ...LEAST, checkpoint_time: '2024-01-15T10:30:00Z' });
  expect(loadCheckpoint(home, 'one').checkpoint_time).toBe('2024-01-15T10:30:00Z');
});

it('CK3 G-32 a newer version is refused and stays as it is', async () => {
  const home = newHome();
  const text = JSON.stringify({ ...LEAST, version: 2, phase: 'unheard of' });
  putCheckpoint(home, 'one', text);
  expect(await failureOf(() => loadCheckpoint(home, 'one'))).toMatch(
    /^checkpoint_version: Checkpoint has version 2, .*Update Loopwatch/,
  );
  expect(readFileSync(checkpointPath(home, 'one'), 'utf8')).toBe(text);
});

const WHOLE = JSON.stringify(LEAST);

it('CK6 the directory of a session that is a link, a file or of another user is left alone', async () => {
  const home = newHome();
  const elsewhere = join(home, 'elsewhere');
  const directory = join(home, 'sessions/one');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'checkpoint.json'), WHOLE);
  mkdirSync(join(home, 'sessions'));
  const refused = async () => {
    for (const act of [
      loadCheckpoint.bind(null, home, 'one'),
      () => saveCheckpoint(home, checkpoint()),
    ]) {
      expect(await failureOf(act)).toMatch(/^checkpoint_unreadable: .*nothing was read or changed/);
    }
  };
  symlinkSync(elsewhere, directory);
  await refused();
  expect(namesBelow(elsewhere)).toEqual(['checkpoint.json']);
  rmSync(directory);
  writeFileSync(directory, 'a file');
  await refused();
  rmSync(directory);
  mkdirSync(directory);
  chownSync(directory, 12_345, 12_345);
  await refused();
  expect(namesBelow(directory)).toEqual([]);
});

it('CK8 long output of a tool and details of a check are cut at a whole character', () => {
  const home = newHome();
  const tool = { name: 'Bash', params: 'p'.repeat(9_000), done: true, is_error: false };
  saveCheckpoint(
    home,
    checkpoint({
      exec_events: [{ Tool: { ...tool, output: `x${'\ud83d\ude00'.repeat(3_000)}` } }],
      last_checklist: { build: { passed: false, message: 'm', details: 'ä'.repeat(3_000) } },
    }),
  );
  const { exec_events, last_checklist } = loadCheckpoint(home, 'one');
  const output = `x${'\ud83d\ude00'.repeat(1_249)}`;
  expect(exec_events).toEqual([{ Tool: { ...tool, output } }]);
  expect(last_checklist?.['build']?.details).toBe('ä'.repeat(1_000));
});

it('CK8 B4-8 a text is cut to bytes, never inside a character', () => {
  const text = 'aä€\ud83d\ude00';
  const cuts = Array.from({ length: 11 }, (_, bytes) => cutText(text, bytes));
  expect(cuts).toEqual(['', 'a', 'a', 'aä', 'aä', 'aä', 'aä€', 'aä€', 'aä€', 'aä€', text]);
});

it('CK8 a checkpoint that could not be read again is not saved, and the old one stays', async () => {
  const home = newHome();
  saveCheckpoint(home, checkpoint());
  const huge = checkpoint({ exec_full_text: 'x'.repeat(65 * 2 ** 20) });
  expect(await failureOf(() => saveCheckpoint(home, huge))).toMatch(/^payload_too_large: /);
  const wrong = { ...checkpoint(), iteration: -1 };
  expect(await failureOf(() => saveCheckpoint(home, wrong))).toMatch(
    /^checkpoint_corrupt: Checkpoint not saved: iteration/,
  );
  expect(loadCheckpoint(home, 'one')).toEqual(checkpoint());
  expect(namesBelow(home)).toEqual(['sessions', 'sessions/one', 'sessions/one/checkpoint.json']);
});

it('CK4 B4-2 the one before stays next to it, and nothing else does', () => {
  const home = newHome();
  for (const iteration of [1, 2, 3]) saveCheckpoint(home, checkpoint({ iteration }));
  expect(loadCheckpoint(home, 'one').iteration).toBe(3);
  expect(loadPrevious(home, 'one')?.iteration).toBe(2);
  expect(namesBelow(join(home, 'sessions/one'))).toEqual(['checkpoint.json', PREVIOUS_FILE]);
  expect(statSync(checkpointPath(home, 'one')).nlink).toBe(1);
});

it('CK4 what is at the name of the one before stops no save', () => {
  const home = newHome();
  saveCheckpoint(home, checkpoint({ iteration: 1 }));
  const previous = join(home, 'sessions/one', PREVIOUS_FILE);
  symlinkSync(join(home, 'target'), previous);
  saveCheckpoint(home, checkpoint({ iteration: 2 }));
  expect(loadPrevious(home, 'one')?.iteration).toBe(1);
  rmSync(previous);
  mkdirSync(previous);
  saveCheckpoint(home, checkpoint({ iteration: 3 }));
  expect(loadCheckpoint(home, 'one').iteration).toBe(3);
  expect(namesBelow(home)).not.toContain('target');
});
