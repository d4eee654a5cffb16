/** Runs from the shell, without a daemon: how options are read, what is printed, how it ends. */
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { currentSpelling } from '../../../server/cli/current-spelling.ts';
import { CliError, ExitCode } from '../../../server/cli/exit-code.ts';
import { LiveBlock } from '../../../server/cli/print/live-block.ts';
import { runBody, type StartOptions } from '../../../server/cli/runs/parse-run-options.ts';
import { runLines, runTable } from '../../../server/cli/runs/print-run.ts';
import { runExitCode, RunError } from '../../../server/cli/runs/run-exit.ts';
import { type Progress, progressLines } from '../../../server/cli/runs/run-progress.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import type { ErrorCode } from '../../../shared/schema/errors.ts';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import { exampleRun } from '../../support/runs/example-run.ts';

const AT = '2026-01-01T10:00:00.000Z';
const EVIL = 'a\u001b]0;b\u0007\u202e\r\nc';
const OPTIONS: StartOptions = { tests: true, worktree: true, gate: [], phaseModel: [] };
const SPENT = { seconds: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, turns: 0 };

function fixture(more: Partial<Run> = {}): Run {
  return exampleRun('k3f9', {
    title: 'Fix the login',
    working_dir: '/srv/app',
    worktree_path: null,
    output_tokens: 900,
    created_by: null,
    started_at: AT,
    updated_at: AT,
    prompt: 'Fix the login',
    options: StartRun.parse({ prompt: 'Fix the login' }),
    base: null,
    spent: {
      plan: { ...SPENT, turns: 1, seconds: 20, cost_usd: 0.2 },
      execute: { ...SPENT, turns: 1, seconds: 40, cost_usd: 0.3 },
      review: SPENT,
      fix: SPENT,
    },
    conversations: { plan: null, execute: null, review: null, fix: null },
    process_pid: null,
    ...more,
  });
}

function progress(more: Partial<Run> = {}, around: Partial<Progress> = {}): Progress {
  const readAtMs = Date.parse(AT);
  return { run: fixture(more), readAtMs, tool: null, checks: new Map(), away: null, ...around };
}

const plain = { columns: 80, nowMs: Date.parse(AT) + 5_000, hasColour: false };

it.each([
  [['run', 'fix the login'], 'run start fix the login'],
  [['run', '--detach', 'fix the login'], 'run start --detach fix the login'],
  [['run', '-'], 'run start -'],
  [['run', '@todo.md', '--json'], 'run start @todo.md --json'],
  [['run', 'lst'], 'run lst'],
  [['run', 'stop', 'a', '--reason', 'not now'], 'run stop a --reason not now'],
  [['run'], 'run ls'],
  [['run', '--status', 'failed'], 'run ls --status failed'],
])('RU1 %j is a prompt only when it cannot be a verb', (words, now) => {
  expect(currentSpelling(words).join(' ')).toBe(now);
});

it('RU2 every option of a start has its place in the request; the rest is left to the daemon', () => {
  expect(runBody('do it', OPTIONS, '/srv')).toEqual({
    prompt: 'do it',
    cwd: '/srv',
    use_worktree: true,
    review_plan: false,
  });
  const all = runBody(
    'do it',
    {
      cwd: 'app',
      model: 'sonnet',
      phaseModel: ['plan=opus', 'review=haiku'],
      permissionMode: 'acceptEdits',
      reviewPlan: true,
      maxFix: 2,
      maxMinutes: 30,
      maxCost: 2.5,
      maxTokens: 900,
      test: ['npm test'],
      tests: true,
      gate: ['lint=npm run lint'],
      branch: 'b',
      base: 'main',
      worktree: false,
    },
    '/srv',
  );
  expect(all).toEqual({
    prompt: 'do it',
    cwd: '/srv/app',
    model: 'sonnet',
    phases: { plan: { model: 'opus' }, review: { model: 'haiku' } },
    permission_mode: 'acceptEdits',
    use_worktree: false,
    branch: 'b',
    base_branch: 'main',
    review_plan: true,
    max_fix_rounds: 2,
    max_minutes: 30,
    max_cost_usd: 2.5,
    max_tokens: 900,
    test_commands: ['npm test'],
    gates: [{ name: 'lint', command: 'npm run lint' }],
  });
  expect(StartRun.safeParse(all).success).toBe(true);
  expect(runBody('x', { ...OPTIONS, tests: false }, '/').test_commands).toEqual([]);
  expect(runBody('x', { ...OPTIONS, mergeInto: 'main' }, '/').merge_into).toBe('main');
});

it.each([
  { phaseModel: ['plan'] },
  { phaseModel: ['complete=opus'] },
  { gate: ['lint'] },
  { tests: false, test: ['npm test'] },
  { mergeInto: 'main', worktree: false },
])('RU2 %j is a usage error', (more) => {
  expect(() => runBody('x', { ...OPTIONS, ...more }, '/')).toThrow(
    expect.objectContaining({ exitCode: ExitCode.usage }) as Error,
  );
});

it.each<[ErrorCode, number]>([
  ['run_unknown', 3],
  ['run_stale', 4],
  ['run_directory_missing', 5],
  ['project_missing', 5],
  ['checkpoint_corrupt', 6],
  ['checkpoint_version', 6],
  ['checkpoint_unreadable', 6],
  ['invalid_archive', 6],
  ['storage_full', 74],
  ['run_busy', 1],
])('RU3 %s ends a command of runs with %i', (code, expected) => {
  expect(runExitCode(new AppError(code, 'x'))).toBe(expected);
});

it('RU3 no daemon is 69, because 3 is a run that does not exist', () => {
  expect(runExitCode(new CliError(ExitCode.notRunning, 'x'))).toBe(69);
  expect(runExitCode(new CliError(ExitCode.notFound, 'x'))).toBe(3);
  expect(runExitCode(new RunError(3, 'x'))).toBe(3);
  expect(runExitCode(new RunError(4, 'x'))).toBe(4);
});

it('RU6 the display marks the phases and shows the tool, the checks, the cost and the time', () => {
  const checks = new Map([
    ['tests', 'passed'],
    ['lint', 'failed'],
  ] as const);
  const lines = progressLines(progress({}, { tool: 'Bash: npm test', checks }), plain);
  expect(lines).toEqual([
    'k3f9  Fix the login',
    '  ✓ Plan     0:20 $0.20',
    '  ● Execute  0:40 $0.30  Bash: npm test',
    '  · Review',
    '  · Fix      0 of 6',
    '  Checks  ✓ tests  ✗ lint',
    '  Executing the plan · 1:05 · $0.50 · 900 tokens',
  ]);
});

it('RU6 a fix round, an end and a lost daemon are marked as what they are', () => {
  const spent = { ...fixture().spent, review: { ...SPENT, turns: 1, seconds: 9 } };
  const fixing = progressLines(progress({ phase: 'fix', iteration: 2, spent }), plain);
  expect(fixing[3]).toContain('✗ Review');
  expect(fixing[4]).toContain('● Fix      2 of 6');
  const stopped = progress({ status: 'stopped', stage: 'over', reason: 'user_stop' });
  expect(progressLines(stopped, plain)[2]).toContain('■ Execute');
  const failed = progress({ status: 'failed', stage: 'over', reason: 'stuck' });
  expect(progressLines(failed, plain)[2]).toContain('✗ Execute');
  const away = progressLines(progress({}, { away: 'the daemon does not answer' }), plain);
  expect(away.at(-1)).toBe('  the daemon does not answer');
});

it('RU6 every line is narrower than the terminal, and foreign text stays text', () => {
  const title = `${EVIL} 日本語 a long title that goes on and on and on`;
  for (const columns of [10, 40, 80]) {
    const lines = progressLines(progress({ title }, { tool: EVIL.repeat(40) }), {
      ...plain,
      columns,
    });
    for (const line of lines) expect(stringWidth(line)).toBeLessThan(columns);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});

it('RU6 marks have colours unless they are not wanted', () => {
  const coloured = progressLines(progress(), { ...plain, hasColour: true });
  expect(coloured[1]).toContain('\u001b[32m✓\u001b[0m');
  expect(progressLines(progress(), plain).join('')).not.toContain('\u001b');
});

it('RU6 a frame is one write that goes over the one before, also after the window was narrowed', () => {
  const screen = { columns: 40, rows: 10, writes: [] as string[] };
  const block = new LiveBlock({
    get columns() {
      return screen.columns;
    },
    get rows() {
      return screen.rows;
    },
    write: (text) => screen.writes.push(text),
  });
  block.draw(['one', 'x'.repeat(39)]);
  block.draw(['two', 'y']);
  expect(screen.writes).toHaveLength(2);
  expect(screen.writes[0]).not.toMatch(/\[\d+A/);
  expect(screen.writes[1]).toContain('\u001b[2A');
  expect(screen.writes[1]).not.toContain('\u001b[2J');
  block.draw(['one', `\u001b[32m✓\u001b[0m${'x'.repeat(38)}`]);
  screen.columns = 20;
  block.draw(['three']);
  expect(screen.writes[3]).toContain('\u001b[3A');
  screen.rows = 3;
  block.draw(['1', '2', '3', '4']);
  expect(screen.writes[4]?.split('\n')).toHaveLength(3);
  block.end();
  expect(screen.writes.at(-1)).toBe('\u001b[?25h');
});

it('RU7 a run that waits for its plan says where it is and how it is accepted', () => {
  const wait = {
    reason: 'plan_review' as const,
    since: AT,
    until: null,
    next: 'x',
    evidence: [],
  } satisfies Run['wait'];
  const run = fixture({ status: 'waiting', stage: 'waiting', phase: 'plan', wait });
  const lines = progressLines(progress(run), plain);
  expect(lines.slice(-2)).toEqual([
    '  Read or change the plan: loopwatch run plan k3f9 --edit',
    '  Then accept it: loopwatch run accept k3f9',
  ]);
});

it('RU8 a list and a run are plain text, with what keeps a run from being resumed', () => {
  const odd = fixture({ title: EVIL, prompt: EVIL, stale: true, valid: false, error: EVIL });
  const text = [...runTable([odd], (iso) => iso), ...runLines(odd, (iso) => iso)].join('\n');
  expect(text).toContain('stale, directory missing');
  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(runTable([odd], (iso) => iso)).toHaveLength(2);
  const ended = fixture({ status: 'stopped', stage: 'over', stale: true, actions: ['resume'] });
  expect(runLines(ended, (iso) => iso)).toContain('    loopwatch run resume k3f9 --force');
});
