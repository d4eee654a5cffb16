/** The page of one run: its form, plan, rounds, inputs, conversation and merge conflicts. */
import { expect, it } from 'vitest';
import { StartRun } from '../../../../shared/schema/runs/run-requests.ts';
import { RequestError } from '../../../../web/lib/client/request-error.ts';
import { groupEntries } from '../../../../web/lib/conversation/entry-groups.ts';
import {
  checkRounds,
  diffRounds,
  roundBadge,
} from '../../../../web/lib/runs/checks/check-rounds.ts';
import { missingIn, runErrors } from '../../../../web/lib/runs/form/run-errors.ts';
import { emptyValues, runBody } from '../../../../web/lib/runs/form/run-values.ts';
import { touchesPlan } from '../../../../web/lib/runs/plan/touches-plan.ts';
import { reportBlocks, reportSpans } from '../../../../web/lib/runs/report/report-blocks.ts';
import { runInputs } from '../../../../web/lib/runs/run-inputs.ts';
import { conflictFiles } from '../../../../web/lib/merging/conflict-files.ts';
import { RUN_AT, runEvent, said } from '../../../support/runs/example-run.ts';
import { exampleInteraction } from '../../../support/tasks/example-task.ts';

const FILLED = { ...emptyValues(), prompt: ' Greet. ', cwd: '/srv/shop/' };

it('RX9 the form sends what the contract takes, with its defaults', () => {
  const body = runBody(FILLED);
  const started = StartRun.parse(body);
  expect(started).toMatchObject({
    prompt: 'Greet.',
    cwd: '/srv/shop',
    max_fix_rounds: 6,
    same_failure_limit: 3,
    max_minutes: 720,
    max_cost_usd: null,
    test_commands: null,
    use_worktree: true,
  });
  const own = runBody({
    ...FILLED,
    maxFixRounds: null,
    maxMinutes: null,
    useWorktree: false,
    branch: 'x',
    baseBranch: 'y',
    tests: 'none',
    model: ' opus ',
    phaseModels: { plan: 'haiku', execute: '', review: ' ', fix: '' },
  });
  expect(own).toMatchObject({ model: 'opus', max_minutes: null, test_commands: [] });
  expect(own).toMatchObject({ phases: { plan: { model: 'haiku' } } });
  // An empty field is the default of the daemon, and a branch needs a worktree.
  for (const key of ['max_fix_rounds', 'branch', 'base_branch'])
    expect(own).not.toHaveProperty(key);
});

it('RX9 errors of a new run are at their fields', () => {
  expect(missingIn(runBody(emptyValues()))).toEqual({
    prompt: 'Enter a prompt.',
    cwd: 'Enter a directory.',
  });
  expect(missingIn(runBody({ ...FILLED, cwd: 'shop' })).cwd).toMatch(/start with/);
  const gates = [{ name: 'types', command: '' }];
  expect(missingIn(runBody({ ...FILLED, gates })).gates).toMatch(/name and a command/);
  expect(runErrors(new RequestError('outside_roots', 'Outside.'))).toEqual({ cwd: 'Outside.' });
  expect(runErrors(new RequestError('branch_in_use', 'In use.'))).toEqual({ branch: 'In use.' });
  expect(runErrors(new RequestError('git_failed', 'No.'))).toEqual({ form: 'No.' });
  const issues = [{ field: 'max_cost_usd', message: 'must be positive' }];
  expect(runErrors(new RequestError('invalid_body', 'Bad.', { issues }))).toEqual({
    max_cost_usd: 'must be positive',
  });
});

it('RX10 the plan is read again when it changes and while the agent uses tools', () => {
  const accepted = runEvent(1, 'run.plan', { action: 'accepted', hash: 'h', author: undefined });
  expect(touchesPlan(accepted)).toBe(true);
  expect(touchesPlan(said(2, 'execute', 0, { tool: 'Edit' }))).toBe(true);
  expect(touchesPlan(said(3, 'execute', 1))).toBe(false);
  expect(touchesPlan(runEvent(4, 'run.checkpoint', { phase: 'execute', events: 2 }))).toBe(false);
});

const check = (id: number, iteration: number, status: 'passed' | 'failed' | 'pending') => ({
  id,
  iteration,
  status,
  type: 'regression' as const,
  name: 'npm test',
  command: 'npm test',
  exit_code: 0,
  output: '',
  duration_ms: 1,
  commit: 'abc',
  at: RUN_AT,
});
const round = (iteration: number, more: object) => ({
  iteration,
  at: RUN_AT,
  commit: 'abc',
  changed: true,
  checks: 'passed' as const,
  detail: '',
  verdict: null,
  findings: '',
  ...more,
});

it('RX12 checks and reviews are shown by round, newest first, and the host’s word comes first', () => {
  const rounds = checkRounds(
    [
      round(0, { checks: 'tests_failed' }),
      round(1, { verdict: 'fail' }),
      round(2, { verdict: 'pass' }),
    ],
    [check(1, 0, 'failed'), check(2, 1, 'passed'), check(3, 3, 'pending')],
  );
  expect(rounds.map(({ label }) => label)).toEqual([
    'Review after fix 3',
    'Review after fix 2',
    'Review after fix 1',
    'First review',
  ]);
  expect(rounds.map((one) => roundBadge(one).label)).toEqual([
    'In progress',
    'Passed',
    'Reviewer found problems',
    'Checks failed',
  ]);
  expect(diffRounds([round(0, {}), round(1, { commit: null }), round(2, {})])).toEqual([0, 2]);
  const [both] = checkRounds([round(0, { verdict: 'pass' })], [check(1, 0, 'failed')]);
  expect(both && roundBadge(both).label).toBe('Checks failed');
});

it('RX13 the conversation says where each phase begins, and tool calls do not cross it', () => {
  const entry = (id: number, phase: 'plan' | 'execute', tool: string | null) => ({
    ...exampleInteraction(id),
    phase,
    tool,
    type: 'claude_response' as const,
  });
  const shown = groupEntries([
    entry(1, 'plan', null),
    entry(2, 'plan', 'Read'),
    entry(3, 'execute', 'Edit'),
    entry(4, 'execute', 'Bash'),
  ]);
  expect(shown.map(({ kind, id }) => [kind, id])).toEqual([
    ['phase', 1],
    ['word', 1],
    ['tools', 2],
    ['phase', 3],
    ['tools', 3],
  ]);
});

it('RX13 inputs are shown with their delivery, for any order of their events', () => {
  const queued = (seq: number, id: string) =>
    runEvent(seq, 'run.input_queued', { id, preview: `say ${id}`, author: 'anna' });
  const delivered = runEvent(3, 'run.input_delivered', { id: 'a', state: 'delivered' });
  const inputs = runInputs([delivered, queued(2, 'b'), queued(1, 'a')]);
  expect(inputs.map(({ id, state }) => [id, state])).toEqual([
    ['a', 'delivered'],
    ['b', 'queued'],
  ]);
  // The log no longer holds how it began.
  expect(runInputs([delivered])).toEqual([]);
});

it('RX14 a merge conflict names its files', () => {
  const conflict = new RequestError('merge_conflict', 'Conflict.', { files: ['a.txt', 3] });
  expect(conflictFiles(conflict)).toEqual(['a.txt']);
  expect(conflictFiles(new RequestError('merge_conflict', 'Conflict.'))).toEqual([]);
  expect(conflictFiles(new RequestError('merge_refused', 'Tests.'))).toBe(null);
  expect(conflictFiles(null)).toBe(null);
});

it('RX16 a report is shown as headings, lists, tables and code, and everything in it is text', () => {
  const text = [
    '# Run r1: Greet \\*all\\*',
    '',
    '**Done.** Next: merge `run/r1`.',
    '',
    '- [x] Write `a|b`',
    '  - [ ] Check',
    '- plain',
    '',
    '| Phase | Cost |',
    '| --- | ---: |',
    '| Plan | $0.10 |',
    '',
    '````text',
    '```',
    '# no heading <b>',
    '````',
  ].join('\n');
  const plain = (words: string) => [{ kind: 'plain', text: words }];
  expect(reportBlocks(text)).toEqual([
    { kind: 'heading', level: 1, spans: plain('Run r1: Greet *all*') },
    {
      kind: 'text',
      spans: [
        { kind: 'strong', text: 'Done.' },
        { kind: 'plain', text: ' Next: merge ' },
        { kind: 'code', text: 'run/r1' },
        { kind: 'plain', text: '.' },
      ],
    },
    {
      kind: 'list',
      items: [
        {
          level: 0,
          done: true,
          number: null,
          spans: [...plain('Write '), { kind: 'code', text: 'a|b' }],
        },
        { level: 1, done: false, number: null, spans: plain('Check') },
        { level: 0, done: null, number: null, spans: plain('plain') },
      ],
    },
    {
      kind: 'table',
      head: [plain('Phase'), plain('Cost')],
      rows: [[plain('Plan'), plain('$0.10')]],
    },
    { kind: 'code', text: '```\n# no heading <b>' },
  ]);
  expect(reportSpans('`` a`b `` and \\`c')).toEqual([
    { kind: 'code', text: 'a`b' },
    { kind: 'plain', text: ' and `c' },
  ]);
});
