/** Tasks from the shell: how options are read, and what is printed. */
import { expect, it } from 'vitest';
import { CliError } from '../../../server/cli/exit-code.ts';
import { parseTaskName, wholeNumber } from '../../../server/cli/command-parts.ts';
import { eventData } from '../../../server/cli/tasks/follow-task.ts';
import {
  type CreateOptions,
  parseGate,
  parseProject,
  taskBody,
} from '../../../server/cli/tasks/parse-task-options.ts';
import { taskLines } from '../../../server/cli/tasks/print-task.ts';
import { timeIn } from '../../../server/cli/print/time-text.ts';
import { taskEnd } from '../../../server/cli/tasks/wait-command.ts';
import { CreateTask } from '../../../shared/schema/tasks/task.ts';
import { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { taskFixture } from '../../support/tasks/task-fixture.ts';

const EVIL = 'a\u001b]0;b\u0007\u202e\r\nc';
const OPTIONS: CreateOptions = {
  description: 'do it',
  worktree: true,
  tests: true,
  gate: [],
  project: [],
  after: [],
  label: [],
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

it('CL23 options left out are left to the daemon, and the directory is the current one', () => {
  expect(body({})).toEqual({
    task_name: 'fix-login',
    description: 'read do it',
    root_folder: '/srv/here',
    use_worktree: true,
    auto_start: false,
  });
  expect(CreateTask.safeParse(body({})).success).toBe(true);
});

it('CL13 every option has its place in the request', () => {
  const made = body({
    root: '../app',
    branch: 'feat/x',
    base: 'main',
    worktree: false,
    start: true,
    context: 'c',
    criteria: '@done',
    maxIterations: 5,
    maxTokens: 1000,
    maxCost: 2.5,
    maxMinutes: 30,
    maxUnchangedTurns: 3,
    gate: ['lint=npm run lint -- --x=1'],
    test: ['npm test', 'npm run e2e'],
    project: ['../api', '/srv/docs:read'],
    priority: -3,
    after: ['one', 'two'],
    permissionMode: 'acceptEdits',
  });
  expect(made).toEqual({
    task_name: 'fix-login',
    description: 'read do it',
    root_folder: '/srv/app',
    branch_name: 'feat/x',
    base_branch: 'main',
    use_worktree: false,
    auto_start: true,
    project_context: 'read c',
    end_criteria: 'read @done',
    max_iterations: 5,
    max_tokens: 1000,
    max_cost_usd: 2.5,
    max_minutes: 30,
    max_unchanged_turns: 3,
    gates: [{ name: 'lint', command: 'npm run lint -- --x=1' }],
    test_commands: ['npm test', 'npm run e2e'],
    projects: [
      { path: '/srv/api', access: 'write' },
      { path: '/srv/docs', access: 'read' },
    ],
    priority: -3,
    depends_on: ['one', 'two'],
    permission_mode: 'acceptEdits',
  });
  expect(CreateTask.safeParse(made).success).toBe(true);
});

it('CL23 no tests are none at all; with projects named, the first writable one is home', () => {
  expect(body({ tests: false }).test_commands).toEqual([]);
  expect(body({ project: ['/srv/docs:read', '/srv/api'] }).root_folder).toBe('/srv/api');
  expect(parseProject('a:b:read', '/x')).toEqual({ path: '/x/a:b', access: 'read' });
  expect(wholeNumber(-100, 100)('-100')).toBe(-100);
});

it.each([
  ['a gate without a command', () => parseGate('lint=')],
  ['a gate without a name', () => parseGate('=npm test')],
  ['a gate without =', () => parseGate('npm test')],
  ['a project without a path', () => parseProject(':read', '/')],
  ['a priority out of bounds', () => wholeNumber(-100, 100)('101')],
  ['a name that leads elsewhere', () => parseTaskName('..')],
  ['tests and none', () => body({ tests: false, test: ['x'] })],
])('CL1, CL24 %s is a usage error', (_, act) => {
  expect(codeOf(act)).toBe(2);
});

it('CL14 each end of a task has its own code, and a running task has none', () => {
  const view = { task_name: 'x', reason: null, summary: null, error_message: null };
  const codes = TaskStatus.options.map((status) => [
    status,
    taskEnd({ ...view, status }, null)?.code ?? null,
  ]);
  expect(Object.fromEntries(codes)).toEqual({
    PENDING: null,
    RUNNING: null,
    PAUSED: null,
    TESTING: null,
    COMPLETED: 0,
    FAILED: 10,
    EXHAUSTED: 11,
    STOPPED: 12,
  });
  const need = { reason: 'question' as const, title: EVIL };
  const asked = taskEnd({ ...view, status: 'PAUSED', reason: 'question' }, need);
  expect(asked?.code).toBe(13);
  expect(asked?.text).toMatch(/^x needs attention: Question: a.*c – Send the task the answer\.$/);
  const failed = { ...view, status: 'FAILED' as const, reason: 'tests_failed' as const };
  expect(taskEnd({ ...failed, error_message: 'exit code 1' }, need)?.text).toBe(
    'x failed: Tests failed (exit code 1). Read their output, then recover the task.',
  );
});

it('CL15 frames of a stream are read in pieces of any size', async () => {
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

it('FO1 FO3 a host and labels become a placement, and the reasons of the choice are printed', () => {
  expect(body({})).not.toHaveProperty('placement');
  expect(body({ host: 'build-1' })).toMatchObject({ placement: { host: 'build-1' } });
  expect(body({ label: ['gpu'] }).placement).toEqual({ host: 'any', labels: ['gpu'] });
  expect(CreateTask.safeParse(body({ host: 'any', label: ['a b'] })).success).toBe(false);
  const placed = {
    asked: { host: 'any', labels: ['gpu'] },
    by: 'desk',
    at: '2026-01-01T00:00:00.000Z',
    host: 'build-1',
    hosts: [
      { name: 'build-1', fits: true, reasons: [{ code: 'free_slots' as const, value: '2' }] },
      { name: 'desk', fits: false, reasons: [{ code: 'label_missing' as const, value: 'gpu' }] },
    ],
  };
  const lines = taskLines(taskFixture({ placed }), timeIn({ utc: true })).join('\n');
  expect(lines).toMatch(/host +build-1 \(2 free slots\); asked for: any host with the label gpu/);
  expect(lines).toMatch(/not on +desk \(has no label gpu\)/);
});
