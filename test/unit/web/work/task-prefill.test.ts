/** The form of a new task as a task or a link fills it in. */
import { expect, it } from 'vitest';
import { copyName } from '../../../../shared/rules/work/suggest-name.ts';
import { CreateTask, type Task } from '../../../../shared/schema/tasks/task.ts';
import { optionsSummary } from '../../../../web/lib/tasks/form/options-summary.ts';
import { missingIn } from '../../../../web/lib/tasks/form/task-errors.ts';
import { opensTaskForm, prefillFromLink } from '../../../../web/lib/tasks/form/task-link.ts';
import { copiedText, prefillFromTask } from '../../../../web/lib/tasks/form/task-prefill.ts';
import { emptyValues, taskBody } from '../../../../web/lib/tasks/form/task-values.ts';
import { exampleTask } from '../../../support/tasks/example-task.ts';

const DESIGN = {
  path: '/srv/design',
  access: 'read' as const,
  context: 'Colours.',
  base_branch: 'next',
  worktree_path: null,
};

const FULL = exampleTask('worker', {
  description: 'Greet twice.',
  base_branch: 'develop',
  use_worktree: false,
  priority: 7,
  depends_on: ['alpha'],
  permission_mode: 'bypassPermissions',
  project_context: 'A shop.',
  projects: [DESIGN],
  end_criteria_config: {
    criteria: 'It greets.',
    max_iterations: 7,
    max_tokens: 500,
    max_cost_usd: 2.5,
    max_minutes: 30,
    max_unchanged_turns: 0,
    gates: [{ name: 'lint', command: 'npm run lint' }],
    test_commands: ['npm test', 'npm run e2e'],
  },
});

function bodyOf(task: Task, taken: readonly string[] = []) {
  const { values } = prefillFromTask(task, taken);
  return CreateTask.parse(taskBody(values, values.typedName ?? ''));
}

function linked(fields: Record<string, string>) {
  return prefillFromLink(new URLSearchParams({ new: '', ...fields }));
}

it('TA29 the form of a copy sends all that its task has, under a name of its own', () => {
  expect(bodyOf(FULL, ['worker'])).toEqual({
    task_name: 'worker_copy',
    description: 'Greet twice.',
    root_folder: '/srv/shop',
    base_branch: 'develop',
    use_worktree: false,
    auto_start: true,
    project_context: 'A shop.',
    end_criteria: 'It greets.',
    max_iterations: 7,
    max_tokens: 500,
    max_cost_usd: 2.5,
    max_minutes: 30,
    max_unchanged_turns: 0,
    projects: [{ path: '/srv/design', access: 'read', context: 'Colours.', base_branch: 'next' }],
    gates: [{ name: 'lint', command: 'npm run lint' }],
    test_commands: ['npm test', 'npm run e2e'],
    priority: 7,
    depends_on: ['alpha'],
    permission_mode: 'bypassPermissions',
  });
  const { values, note } = prefillFromTask(FULL, []);
  expect(note).toBe('Filled in from worker.');
  expect(optionsSummary(values)).toMatch(/^Full access \(no prompts\) · No worktree · Tests: /);
  expect(optionsSummary(values)).toContain('Context: A shop.');
  expect(prefillFromTask(exampleTask('worker'), []).values).toEqual({
    ...emptyValues(),
    typedName: 'worker_copy',
    description: 'Greet by name.',
    rootFolder: '/srv/shop',
    baseBranch: 'main',
  });
});

it('TA29 a copy keeps how its task is tested, and says where a command has several lines', () => {
  const tested = (test_commands: string[] | null) => {
    const { end_criteria_config: end } = FULL;
    return { ...FULL, end_criteria_config: { ...end, test_commands } };
  };
  expect(bodyOf(tested(null)).test_commands).toBeNull();
  expect(bodyOf(tested([])).test_commands).toEqual([]);
  expect(prefillFromTask(tested(['cd a\nnpm test']), []).note).toContain('A test command has');
  const { end_criteria_config: end } = tested([]);
  const gates = [{ name: 'a', command: 'cd a\nnpm test' }];
  const gated = { ...FULL, end_criteria_config: { ...end, gates } };
  expect(prefillFromTask(gated, []).note).toContain('A gate has several lines');
  expect(bodyOf(gated).gates).toEqual(gates);
});

it('TA29 the root is no second project, and what a project keeps is void for another path', () => {
  const root = {
    path: '/srv/shop',
    access: 'write' as const,
    context: 'A shop.',
    worktree_path: '/trees/worker',
  };
  expect(bodyOf({ ...FULL, projects: [root] }).projects).toBeUndefined();
  const { values } = prefillFromTask(FULL, []);
  const [design = { path: '', access: 'read' as const }] = values.others;
  expect(copiedText(design)).toBe('From next. Context: Colours.');
  const moved = { ...design, path: '/srv/other' };
  expect(copiedText(moved)).toBe('');
  expect(taskBody({ ...values, others: [moved] }, 'a').projects).toEqual([
    { path: '/srv/other', access: 'read' },
  ]);
});

it('TW8, TA29 a copy has the first free name, also of one that has the longest name', () => {
  expect(copyName('first', ['first'])).toBe('first_copy');
  expect(copyName('first', ['FIRST_copy', 'first_copy_1'])).toBe('first_copy_2');
  expect(copyName('x'.repeat(200), [])).toBe(`${'x'.repeat(195)}_copy`);
});

it('TA30 an address fills in four fields, and nothing else', () => {
  const all = {
    name: 'fix-login',
    description: 'Limit the login.\r\n\r\nFive tries.',
    directory: '/srv/shop',
    base_branch: 'develop',
  };
  const hostile = {
    permission_mode: 'bypassPermissions',
    permissionMode: 'bypassPermissions',
    gates: '[{"name":"a","command":"b"}]',
    tests: 'own',
    testCommands: 'rm -rf ~',
    test_commands: 'rm -rf ~',
    useWorktree: 'false',
    use_worktree: 'false',
    autoStart: 'true',
    depends_on: 'alpha',
    where: 'any',
    __proto__x: '1',
  };
  const expected = {
    ...emptyValues(),
    typedName: 'fix-login',
    description: 'Limit the login.\n\nFive tries.',
    rootFolder: '/srv/shop',
    baseBranch: 'develop',
  };
  expect(linked(all)?.values).toEqual(expected);
  expect(linked({ ...all, ...hostile })).toEqual(linked(all));
  expect(linked(all)?.note).toBe('Filled in by a link. Check it before you create it.');
  expect(linked({ description: 'Greet.' })?.values.typedName).toBeNull();
});

it('TA30 only an address with `new` opens the form, and an empty one fills in nothing', () => {
  expect(opensTaskForm(new URLSearchParams('layout=board&name=a'))).toBe(false);
  expect(prefillFromLink(new URLSearchParams('name=a'))).toBeNull();
  expect(opensTaskForm(new URLSearchParams('new'))).toBe(true);
  expect(linked({})).toBeNull();
  expect(linked({ name: ' ', gates: 'a' })).toBeNull();
});

it('TA30 hostile text of an address is bounded, plain and in sight', () => {
  const values = (fields: Record<string, string>) => linked(fields)?.values;
  const hidden = `Greet.${'\n \t'.repeat(900)}\nThen${' '.repeat(900)}curl\u202e\u200b\0`;
  expect(values({ description: hidden })?.description).toBe(
    'Greet.\n\nThen curl\\u{202e}\\u{200b}\\u{0}',
  );
  const long = values({
    name: 'x'.repeat(9_000),
    description: '\u200b'.repeat(90_000),
    directory: `/${'x'.repeat(9_000)}`,
    base_branch: 'x'.repeat(9_000),
  });
  expect(long?.description).toHaveLength(5_000);
  expect(long?.rootFolder).toHaveLength(500);
  expect(long?.baseBranch).toHaveLength(200);
  // What was cut is no name: it is refused instead of used.
  expect(missingIn(taskBody(long ?? emptyValues(), long?.typedName ?? '')).task_name).toBeDefined();
  expect(values({ directory: '/srv/\nshop' })?.rootFolder).toBe('/srv/ shop');
  const twice = new URLSearchParams('new&directory=/srv/a&directory=/srv/b');
  expect(prefillFromLink(twice)?.values.rootFolder).toBe('/srv/a');
});
