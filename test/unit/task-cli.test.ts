/** Tasks from the shell: what is made of options, and what is printed. */
import { expect, it } from 'vitest';
import { CliError } from '../../server/cli/exit-code.ts';
import { parseTaskName } from '../../server/cli/tasks/command-parts.ts';
import { eventData } from '../../server/cli/tasks/event-data.ts';
import {
  type CreateOptions,
  parseGate,
  parsePriority,
  parseProject,
  taskBody,
} from '../../server/cli/tasks/parse-task-options.ts';
import { conversationLines, taskInputLine } from '../../server/cli/tasks/print-conversation.ts';
import { taskLines, taskTable, testLines } from '../../server/cli/tasks/print-task.ts';
import { diffLines, removalLines } from '../../server/cli/tasks/print-work.ts';
import { promptLine } from '../../server/cli/tasks/prompt-commands.ts';
import { taskEnd } from '../../server/cli/tasks/wait-command.ts';
import { timeIn } from '../../server/cli/time-text.ts';
import { CreateTask } from '../../shared/tasks/task.ts';
import { TaskStatus } from '../../shared/tasks/task-status.ts';
import { madeTask } from '../support/made-task.ts';

const EVIL = 'a\u001b]0;b\u0007\u202e\r\nc';
const AT = '2026-01-01T10:00:00.000Z';
const UTC = timeIn({ utc: true });
const OPTIONS: CreateOptions = {
  ...{ description: 'do it', worktree: true, tests: true, gate: [], project: [], after: [] },
};
const body = (more: Partial<CreateOptions>, name = 'fix-login') =>
  taskBody(name, { ...OPTIONS, ...more }, '/srv/here', (given) => `read ${given}`);
const codeOf = (act: () => unknown): number | null => {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof CliError ? error.exitCode : -1;
  }
};

it('CL13 what is left out is left to the daemon, and the directory is the one one is in', () => {
  expect(body({})).toEqual({
    ...{ task_name: 'fix-login', description: 'read do it', root_folder: '/srv/here' },
    ...{ use_worktree: true, auto_start: false },
  });
  expect(CreateTask.safeParse(body({})).success).toBe(true);
});

it('CL13 every option has its place in the request', () => {
  const made = body({
    ...{ root: '../app', branch: 'feat/x', base: 'main', worktree: false, start: true },
    ...{ context: 'c', criteria: '@done', maxIterations: 5, maxTokens: 1000, maxCost: 2.5 },
    ...{ maxMinutes: 30, gate: ['lint=npm run lint -- --x=1'], test: ['npm test', 'npm run e2e'] },
    ...{ project: ['../api', '/srv/docs:read'], priority: -3, after: ['one', 'two'] },
    permissionMode: 'acceptEdits',
  });
  expect(made).toEqual({
    ...{ task_name: 'fix-login', description: 'read do it', root_folder: '/srv/app' },
    ...{ branch_name: 'feat/x', base_branch: 'main', use_worktree: false, auto_start: true },
    ...{ project_context: 'read c', end_criteria: 'read @done', max_iterations: 5 },
    ...{ max_tokens: 1000, max_cost_usd: 2.5, max_minutes: 30 },
    gates: [{ name: 'lint', command: 'npm run lint -- --x=1' }],
    test_commands: ['npm test', 'npm run e2e'],
    projects: [
      { path: '/srv/api', access: 'write' },
      { path: '/srv/docs', access: 'read' },
    ],
    ...{ priority: -3, depends_on: ['one', 'two'], permission_mode: 'acceptEdits' },
  });
  expect(CreateTask.safeParse(made).success).toBe(true);
});

it('CL13 no tests are none at all; with projects named, the first that is written to is home', () => {
  expect(body({ tests: false }).test_commands).toEqual([]);
  expect(body({ project: ['/srv/docs:read', '/srv/api'] }).root_folder).toBe('/srv/api');
  expect(parseProject('a:b:read', '/x')).toEqual({ path: '/x/a:b', access: 'read' });
  expect(parsePriority('-100')).toBe(-100);
});

it.each([
  ['a gate without a command', () => parseGate('lint=')],
  ['a gate without a name', () => parseGate('=npm test')],
  ['a gate without =', () => parseGate('npm test')],
  ['a project without a path', () => parseProject(':read', '/')],
  ['a priority out of bounds', () => parsePriority('101')],
  ['a name that leads elsewhere', () => parseTaskName('..')],
  ['tests and none', () => body({ tests: false, test: ['x'] })],
  ['a mode nobody knows', () => body({ permissionMode: 'yolo' })],
  ['a task behind no name', () => body({ after: ['a/b'] })],
])('CL1 CL13 %s is a mistake in the words', (_, act) => {
  expect(codeOf(act)).toBe(2);
});

it('CL14 the end of a task has a code of its own, and what is under way has none', () => {
  const view = { task_name: 'x', reason: null, summary: null, error_message: null };
  const codes = TaskStatus.options.map((status) => [
    status,
    taskEnd({ ...view, status }, null)?.code ?? null,
  ]);
  expect(Object.fromEntries(codes)).toEqual({
    ...{ PENDING: null, RUNNING: null, PAUSED: null, TESTING: null },
    ...{ COMPLETED: 0, FAILED: 10, EXHAUSTED: 11, STOPPED: 12 },
  });
  const need = { reason: 'question' as const, title: EVIL };
  const asked = taskEnd({ ...view, status: 'PAUSED', reason: 'question' }, need);
  expect(asked?.code).toBe(13);
  expect(asked?.text).toMatch(/^x needs a person: Question: a.*c – Tell the task the answer\.$/);
  const failed = { ...view, status: 'FAILED' as const, reason: 'tests_failed' as const };
  expect(taskEnd({ ...failed, error_message: 'exit code 1' }, need)?.text).toBe(
    'x has failed: Tests failed (exit code 1). Read their output, then recover the task.',
  );
});

it('CL13 a task tells where it stands, what it used and what can be done now', () => {
  const task = madeTask({
    ...{ status: 'EXHAUSTED', reason: 'max_iterations', iterations: 20, total_tokens_used: 4200 },
    ...{ total_cost_usd: 1.5, active_seconds: 125, interaction_count: 40, summary: 'half done' },
  });
  expect(taskLines(task, UTC)).toEqual([
    'fix-login  EXHAUSTED, Iteration limit',
    '  does   Make the login work',
    '  in     /srv/app/.worktrees/fix-login, branch task/fix-login',
    '  used   20 of 20 turns, 4200 tokens, $1.50, 2:05 at work',
    '  says   half done',
    '  next   Retry the task with more iterations.',
    '  loopwatch task retry|recover|log|say|diff fix-login',
  ]);
  expect(taskTable([])).toEqual(['no tasks']);
  expect(taskTable([task])).toEqual([
    'task       status     why              turns  tokens  cost   description',
    'fix-login  EXHAUSTED  Iteration limit  20/20  4200    $1.50  Make the login work',
  ]);
});

it('CL13 nothing that an agent or a person wrote reaches the terminal raw', () => {
  const words = { description: EVIL, summary: EVIL, error_message: EVIL, branch_name: EVIL };
  const task = madeTask({ ...words, root_folder: EVIL, worktree_path: EVIL });
  const said = {
    ...{ id: 7, content: EVIL, length: 9, timestamp: AT, turn: 1, tool: EVIL, is_error: true },
    ...{ author: EVIL, input_tokens: null, output_tokens: null, cache_creation_tokens: null },
    ...{ cache_read_tokens: null, duration_ms: null, cost_usd: null },
  };
  const group = {
    ...{ id: 'g', type: 'tool_group' as const, tool_count: 2, summary: EVIL, tools: [] },
    ...{ first_timestamp: AT, last_timestamp: AT },
  };
  const work = {
    ...{ path: EVIL, repository: EVIL, branch: EVIL, base: EVIL, exists: true, dirty: [EVIL] },
    ...{ dirty_count: 1, ignored_count: 0, unmerged_commits: 0, unpushed_commits: 0 },
    ...{ obstacle: EVIL, on_removal: [EVIL] },
  };
  const file = { path: EVIL, status: 'added' as const, additions: 1, deletions: 0, dirty: true };
  const tested = {
    ...{ id: 1, type: 'gate' as const, name: EVIL, command: EVIL, status: 'failed' as const },
    ...{ exit_code: 1, output: EVIL, duration_ms: 5, commit: 'abc', at: AT },
  };
  const input = {
    ...{ id: 'i', input_preview: EVIL, timestamp: AT, state: 'queued' as const, author: EVIL },
    ...{ processed: false, processed_at: null, interrupt: true, images: 1 },
  };
  const prompt = {
    ...{ id: 'p', title: EVIL, content: EVIL, category: EVIL, tags: EVIL, criteria_config: null },
    ...{ usage_count: 1, last_used_at: null, created_at: AT, updated_at: AT },
  };
  const lines = [
    ...taskLines(task, UTC),
    ...taskTable([task]),
    ...conversationLines({ ...said, type: 'tool_result' }, UTC),
    ...conversationLines({ ...said, type: 'user_request' }, UTC),
    ...conversationLines(group, UTC),
    ...removalLines([work]),
    ...diffLines({ ...work, files: [file], patch: '', cut: true }, true),
    ...testLines([tested]),
    ...[taskInputLine(input), promptLine(prompt)],
  ];
  expect(lines.length).toBeGreaterThan(25);
  expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
  // A patch keeps its lines and tabs, and nothing else that moves a cursor.
  const patch = diffLines({ ...work, files: [file], patch: `+\t${EVIL}`, cut: false }, true);
  expect(patch.at(-1)).toBe('+\ta\\u{1b}]0;b\\u{7}\\u{202e}\\u{d}\nc');
});

it('CL13 a long result of a tool and a long output of a test are cut, and say so', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
  const said = { id: 1, timestamp: AT, content: lines };
  const result = conversationLines({ ...said, type: 'tool_result', tool: 'Bash' }, UTC);
  expect([result[0], result.length, result.at(-1)]).toEqual([
    ...['2026-01-01T10:00:00Z  #1 tool Bash', 12, '  … 30 more lines'],
  ]);
  expect(conversationLines({ ...said, type: 'claude_response' }, UTC)).toHaveLength(41);
  const call = conversationLines({ ...said, type: 'claude_response', tool: 'Bash' }, UTC);
  expect(call[0]).toBe('2026-01-01T10:00:00Z  #1 agent calls Bash');
  const test = {
    ...{ id: 1, type: 'regression' as const, name: 'npm test', command: 'npm test' },
    ...{ exit_code: 1, output: lines, duration_ms: 65_000, commit: '0123456789abcdef', at: AT },
  };
  const failed = testLines([{ ...test, status: 'failed' }]);
  expect(failed.slice(0, 3)).toEqual([
    'failed  tests npm test, exit code 1, 1:05, of 0123456789',
    '  $ npm test',
    '    … 25 lines before',
  ]);
  expect(failed.at(-1)).toBe('    line 39');
  expect(testLines([{ ...test, status: 'passed' }])).toHaveLength(2);
});

it('CL15 frames of a stream are read whatever pieces they come in', async () => {
  const text =
    ': hello\n\ndata: {"id":1}\n\nid: 2\r\ndata: {"a":\r\ndata: "ä"}\r\n\r\ndata: x\n\ndata: {';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 7, bytes.length]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const found: unknown[] = [];
    for await (const data of eventData(stream)) found.push(data);
    expect(found).toEqual([{ id: 1 }, { a: 'ä' }]);
  }
});
