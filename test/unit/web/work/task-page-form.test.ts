/** A new task, its steps and its diff as values. */
import { expect, it } from 'vitest';
import { CreateTask, type Task } from '../../../../shared/schema/tasks/task.ts';
import { RequestError } from '../../../../web/lib/client/request-error.ts';
import { failedChecks } from '../../../../web/lib/merging/failed-checks.ts';
import { parsePatch } from '../../../../web/lib/diff/parse-patch.ts';
import { suggestTaskName } from '../../../../shared/rules/work/suggest-name.ts';
import { missingIn, taskErrors } from '../../../../web/lib/tasks/form/task-errors.ts';
import { emptyValues, taskBody } from '../../../../web/lib/tasks/form/task-values.ts';
import { optionsSummary } from '../../../../web/lib/tasks/form/options-summary.ts';
import { categoriesOf, passesPromptFilter } from '../../../../web/lib/prompts/prompt-filter.ts';
import { retryQuery, suggestMore } from '../../../../web/lib/tasks/work/retry-more.ts';
import { previewText } from '../../../../web/lib/tasks/work/preview-text.ts';
import { mayMerge, STEP_TEXT, stepsFor } from '../../../../web/lib/tasks/work/task-steps.ts';
import { exampleTask, TASK_AT } from '../../../support/tasks/example-task.ts';

it('TA4 a name follows from the first words, is one that a task can have, and is free', () => {
  expect(suggestTaskName('Add a rate limit to the login: five tries.', [])).toBe(
    'add-a-rate-limit-to',
  );
  expect(suggestTaskName('Überprüfe die Größe!', [])).toBe('u-berpru-fe-die-gro');
  expect(suggestTaskName('fix it', ['FIX-it', 'fix-it-2'])).toBe('fix-it-3');
  expect(suggestTaskName('  \n…', [])).toBe('');
  expect(suggestTaskName('x'.repeat(300), [])).toHaveLength(40);
});

it('TA4 the form becomes a body that the contract accepts', () => {
  const values = {
    ...emptyValues(),
    description: ' Greet. ',
    rootFolder: '/srv/shop/',
    baseBranch: ' main ',
    others: [
      { path: '/srv/design/', access: 'read' as const },
      { path: ' ', access: 'write' as const },
    ],
    gates: [
      { name: 'types', command: 'npx tsc' },
      { name: '', command: '' },
    ],
    tests: 'own' as const,
    testCommands: 'npm test\n\n npm run lint ',
    maxTokens: 1000,
  };
  const body = taskBody(values, 'greet');
  expect(CreateTask.parse(body)).toMatchObject({
    task_name: 'greet',
    description: 'Greet.',
    root_folder: '/srv/shop',
    base_branch: 'main',
    max_iterations: 20,
    max_tokens: 1000,
    auto_start: true,
    projects: [{ path: '/srv/design', access: 'read' }],
    gates: [{ name: 'types', command: 'npx tsc' }],
    test_commands: ['npm test', 'npm run lint'],
  });
  expect(taskBody({ ...values, tests: 'found' }, 'a').test_commands).toBeNull();
  expect(taskBody({ ...values, tests: 'none' }, 'a').test_commands).toEqual([]);
  expect(missingIn(body)).toEqual({});
  expect(Object.keys(missingIn(taskBody(emptyValues(), '')))).toEqual([
    'description',
    'task_name',
    'root_folder',
  ]);
});

it('FO10 the host of a new task is a placement, and why none fits is said at its field', () => {
  const values = { ...emptyValues(), description: 'Greet.', rootFolder: '/srv/shop' };
  const placed = (change: object) => taskBody({ ...values, ...change }, 'greet').placement;
  expect([
    placed({}),
    placed({ where: 'build-1', labels: ['gpu'] }),
    placed({ where: 'any', labels: ['gpu'] }),
    placed({ where: 'any' }),
  ]).toEqual([undefined, { host: 'build-1' }, { host: 'any', labels: ['gpu'] }, { host: 'any' }]);
  expect(optionsSummary({ ...values, where: 'any', labels: ['gpu'] })).toBe(
    'on any host with the label gpu',
  );
  expect(taskErrors(new RequestError('no_host_fits', 'No host fits.'))).toEqual({
    placement: 'No host fits.',
  });
  const unknown = new RequestError('outcome_unknown', 'No.', { host: 'build-1', id: 'x' });
  expect(taskErrors(unknown).form).toContain('it is created only once');
});

it('TA26 the folded options are one line of what differs from the defaults, the riskiest first', () => {
  const summary = (change: object) => optionsSummary({ ...emptyValues(), ...change });
  expect(summary({})).toBe('');
  expect(
    summary({ others: [{ path: ' ', access: 'write' }], gates: [{ name: '', command: '' }] }),
  ).toBe('');
  expect(summary({ gates: [{ name: 'tests', command: 'npm test' }], maxCost: 5 })).toBe(
    'Gates: npm test · budget $5.00',
  );
  const all = {
    permissionMode: 'bypassPermissions',
    useWorktree: false,
    baseBranch: 'main',
    tests: 'own',
    testCommands: 'npm test\nnpm run lint',
    criteria: 'It\nworks.',
    maxIterations: 1,
    maxTokens: 12_400,
    maxMinutes: 30,
    maxUnchangedTurns: 2,
    typedName: 'greet',
    others: [{ path: '/srv/a', access: 'read' }],
    priority: 5,
    dependsOn: ['alpha'],
    autoStart: false,
  };
  expect(summary(all)).toBe(
    [
      'Full access (no prompts)',
      'No worktree',
      'Tests: npm test, npm run lint',
      'Done when: It works.',
      '1 iteration',
      '12.4 k tokens',
      '30 min',
      '2 unchanged turns',
      'name greet',
      '1 more project',
      'priority 5',
      'after alpha',
      'not started',
    ].join(' · '),
  );
  expect(summary({ baseBranch: 'main', maxIterations: null, tests: 'none' })).toBe(
    'No tests · no limit of iterations · from main',
  );
  expect(summary({ testCommands: 'npm test' })).toBe('');
});

it('TA14 a refusal of the daemon is shown at its field', () => {
  const refused = (code: 'task_exists' | 'project_busy' | 'branch_missing' | 'git_failed') =>
    taskErrors(new RequestError(code, 'No.'));
  expect(refused('task_exists')).toEqual({ task_name: 'No.' });
  expect(refused('project_busy')).toEqual({ root_folder: 'No.' });
  expect(refused('branch_missing')).toEqual({ base_branch: 'No.' });
  expect(refused('git_failed')).toEqual({ form: 'No.' });
  const issues = [
    { field: 'gates.0.command', message: 'too long' },
    { field: 'elsewhere', message: 'what' },
  ];
  expect(taskErrors(new RequestError('invalid_body', 'No.', { issues }))).toEqual({
    gates: 'too long',
  });
});

it('TA8 a task offers the steps of its status, and asks before any that touches its work', () => {
  const steps = (status: Parameters<typeof stepsFor>[0]['status'], iterations = 1) =>
    stepsFor(exampleTask('a', { status, iterations }));
  expect(steps('PENDING', 0)).toEqual({
    first: ['start'],
    more: ['dropWorktree', 'delete'],
  });
  expect(steps('RUNNING').first).toEqual(['stop']);
  expect(steps('EXHAUSTED').first).toEqual(['retry', 'recover']);
  expect(steps('STOPPED').first).toEqual(['resume', 'recover']);
  expect(steps('COMPLETED').first).toEqual([]);
  const asks = Object.entries(STEP_TEXT).filter(([, { touchesWork }]) => touchesWork);
  expect(asks.map(([step]) => step)).toEqual(['stop', 'clear', 'dropWorktree', 'delete']);
  for (const [, { question }] of asks) expect(question).not.toBeNull();
});

it('TA19 only work on a branch of its own that has ended is merged', () => {
  const merges = (change: Partial<Task>) =>
    mayMerge(exampleTask('a', { status: 'COMPLETED', ...change }));
  expect(merges({})).toBe(true);
  for (const status of ['STOPPED', 'FAILED', 'EXHAUSTED'] as const)
    expect(merges({ status })).toBe(true);
  for (const status of ['PENDING', 'RUNNING', 'PAUSED', 'TESTING'] as const)
    expect(merges({ status })).toBe(false);
  expect(merges({ worktree_path: null })).toBe(false);
  expect(merges({ branch_name: null })).toBe(false);
});

it('TA19 a preview is two sentences', () => {
  const preview = {
    task_name: 'a',
    repository: '/r',
    branch: 'task/a',
    into: 'main',
    commits: 2,
    files: 1,
    conflicts: [],
    uncommitted: 0,
    checks: ['lint', 'test'],
  };
  expect(previewText(preview)).toBe('2 commits, 1 file. Checks: lint, test.');
  expect(previewText({ ...preview, commits: 1, uncommitted: 3, checks: [] })).toBe(
    '1 commit, 1 file, 3 uncommitted files that would be committed first. No checks run on the result.',
  );
});

it('TA19 the checks that refused a merge are shown with their output', () => {
  const checks = [
    { name: 'lint', status: 'passed', output: '' },
    { name: 'test', status: 'failed', output: 'no' },
    { name: 7, status: 'failed', output: 'no' },
    null,
  ];
  const error = new RequestError('merge_refused', 'No.', { checks });
  expect(failedChecks(error).map(({ name }) => name)).toEqual(['test']);
  expect(failedChecks(new RequestError('merge_conflict', 'No.', { checks }))).toEqual([]);
  expect(failedChecks(new RequestError('merge_refused', 'No.', {}))).toEqual([]);
});

it('TA8 a retry adds to the limits that a task has, and to no other', () => {
  const { end_criteria_config: limits } = exampleTask('a');
  expect(retryQuery(suggestMore(limits))).toEqual({ additional_iterations: '10' });
  expect(retryQuery(suggestMore({ ...limits, max_tokens: 500, max_cost_usd: 3 }))).toEqual({
    additional_iterations: '10',
    additional_tokens: '250',
    additional_cost_usd: '2',
  });
});

const PATCH = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1..2 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,3 +1,3 @@ head',
  ' same',
  '-gone',
  '--- not a file',
  '+new',
  '+++ neither',
  '\\ No newline at end of file',
  'diff --git a/old name b/new name',
  'similarity index 90%',
  'rename from old name',
  'rename to new name',
  '--- a/old name',
  '+++ b/new name',
  '@@ -4 +4 @@',
  '-x',
  '+y',
  'diff --git a/logo.png b/logo.png',
  'Binary files a/logo.png and b/logo.png differ',
  '',
].join('\n');

it('TA9 a diff is read line by line, by the counts of its parts', () => {
  const files = parsePatch(PATCH);
  expect(files.map(({ path }) => path)).toEqual(['src/a.ts', 'new name', 'logo.png']);
  expect(files[0]?.lines).toEqual([
    { kind: 'place', text: '@@ -1,3 +1,3 @@ head', before: null, after: null },
    { kind: 'same', text: 'same', before: 1, after: 1 },
    { kind: 'removed', text: 'gone', before: 2, after: null },
    { kind: 'removed', text: '-- not a file', before: 3, after: null },
    { kind: 'added', text: 'new', before: null, after: 2 },
    { kind: 'added', text: '++ neither', before: null, after: 3 },
    { kind: 'note', text: 'No newline at end of file', before: null, after: null },
  ]);
  expect(files[1]?.lines.map(({ kind }) => kind)).toEqual(['place', 'removed', 'added']);
  expect(files[2]?.lines).toMatchObject([{ kind: 'note' }]);
  expect(parsePatch('')).toEqual([]);
});

it('PR1 a search reads all of a prompt, within one category', () => {
  const prompt = {
    id: 'a',
    title: 'Review',
    content: 'Read the diff.',
    category: 'habits',
    tags: 'team',
    criteria_config: null,
    usage_count: 0,
    last_used_at: null,
    created_at: TASK_AT,
    updated_at: TASK_AT,
  };
  expect(passesPromptFilter(prompt, { category: null, text: 'DIFF team' })).toBe(true);
  expect(passesPromptFilter(prompt, { category: null, text: 'release' })).toBe(false);
  expect(passesPromptFilter(prompt, { category: 'other', text: '' })).toBe(false);
  const other = { ...prompt, category: 'a' };
  expect(categoriesOf([prompt, other, { ...prompt, category: null }, prompt])).toEqual([
    'a',
    'habits',
  ]);
});
