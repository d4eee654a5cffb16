/** When reports of a loop count as no progress, and what they leave behind. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolCalls } from '../../../server/agents/records/tool-calls.ts';
import { freshLoop } from '../../../server/auto/machine/fresh-loop.ts';
import { measureReport } from '../../../server/auto/executor/measure-report.ts';
import { Git } from '../../../server/worktrees/git/git.ts';
import { ProjectCheckouts } from '../../../server/worktrees/project-checkouts.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { Life } from '../../support/auto/loop-life.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { temporaryDirectory } from '../../support/agents/stand-in.ts';

const SAME = { content: 'a', calls: ['x'] };

function measured(): Life {
  const life = Life.running({ maxIterations: 999 });
  life.policy = { ...life.policy, noProgressSignals: 3 };
  return life;
}

function reported(times: number, life = measured()): Life {
  for (let n = 0; n < times; n += 1) {
    life.signal({ iteration: undefined }).meet({ kind: 'measured', trace: SAME });
  }
  return life;
}

it('LP68 the first report is what the next ones are compared with', () => {
  expect(reported(3).said).not.toContain('stop_requested no_progress');
  const life = reported(4);
  expect(life.said.at(-1)).toBe('stop_requested no_progress');
  expect(life.done).toContain('write_stop_file');
});

it.each([
  ['a new tool call', { content: 'a', calls: ['x', 'y'] }],
  ['a changed file', { content: 'b', calls: ['x'] }],
])('LP68 %s begins the count again', (_, trace) => {
  const life = reported(3);
  life.signal({ iteration: undefined }).meet({ kind: 'measured', trace });
  expect(reported(2, life).said).not.toContain('stop_requested no_progress');
});

it('LP69 a report that cannot be measured neither counts nor begins the count again', () => {
  const life = reported(3);
  life.signal({ iteration: undefined }).meet({ kind: 'measured', trace: null });
  expect(life.said).not.toContain('stop_requested no_progress');
  expect(reported(1, life).said.at(-1)).toBe('stop_requested no_progress');
});

it('LP69 the loop keeps its row and says why; nothing is measured while it is off', () => {
  const life = reported(4).observe('gone');
  expect(life.state).toMatchObject({ status: 'failed', stop: { reason: 'no_progress' } });
  expect(life.state?.error).toContain('3 reports in a row');
  expect(measured().signal({}).done).toContain('measure');
  expect(Life.running().signal({}).done).not.toContain('measure');
});

it('LP68 calls differ by name and arguments, and hostile lines are skipped', () => {
  const line = (name: unknown, input: unknown) =>
    JSON.stringify({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', name, input }] },
    });
  const text = [
    line('Read', { file_path: 'a' }),
    line('Read', { file_path: 'b' }),
    '{"type":"assistant","message":{"content":[{"type":"tool_use"',
    '"tool_use" null',
    line(7, null),
    JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_use', name: 'x' }] } }),
  ].join('\n');
  expect(toolCalls(text)).toEqual([
    '["Read",{"file_path":"a"}]',
    '["Read",{"file_path":"b"}]',
    '[7,null]',
  ]);
});

it('LP69 the record of the task, its signal and a commit of the same files are no change', async () => {
  const directory = temporaryDirectory();
  gitRepository(directory);
  const transcript = join(temporaryDirectory(), 't.jsonl');
  writeFileSync(transcript, '');
  const checkouts = new ProjectCheckouts({
    git: new Git({ environment: process.env, fronts: join(temporaryDirectory(), 'git') }),
    clock: new ManualClock(),
    scratch: temporaryDirectory(),
  });
  const lastSignal = { step: 'check', result: 'PASS', next: 'exec', checkpoint: '' } as const;
  const loop = freshLoop({ sessionName: 'web', taskDir: directory, startedAt: '', lastSignal });
  const content = async () => (await measureReport(loop, transcript, checkouts))?.content;
  const before = await content();
  for (const name of ['.index.json', '.auto-signal', '.auto-stop']) {
    writeFileSync(join(directory, name), '{}');
  }
  expect(await content()).toBe(before);
  writeFileSync(join(directory, 'new file.ts'), '1');
  const after = await content();
  expect(after).not.toBe(before);
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', 'one');
  expect(await content()).toBe(after);
  appendFileSync(join(directory, 'new file.ts'), '2');
  expect(await content()).not.toBe(after);
  expect(await measureReport(loop, null, checkouts)).toBeNull();
  const outside = { ...loop, taskDir: temporaryDirectory() };
  expect(await measureReport(outside, transcript, checkouts)).toBeNull();
});
