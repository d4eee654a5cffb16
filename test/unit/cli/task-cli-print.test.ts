/** What `loopwatch task …` prints. */
import { expect, it } from 'vitest';
import { conversationLines, taskInputLine } from '../../../server/cli/tasks/print-conversation.ts';
import { taskLines, taskTable, testLines } from '../../../server/cli/tasks/print-task.ts';
import { diffLines, removalLines } from '../../../server/cli/tasks/print-work.ts';
import { promptLine } from '../../../server/cli/tasks/prompt-commands.ts';
import { timeIn } from '../../../server/cli/print/time-text.ts';
import { taskFixture } from '../../support/tasks/task-fixture.ts';

const EVIL = 'a\u001b]0;b\u0007\u202e\r\nc';
const AT = '2026-01-01T10:00:00.000Z';
const UTC = timeIn({ utc: true });

it('CL13 a task shows its status, what it used and what can be done now', () => {
  const task = taskFixture({
    status: 'EXHAUSTED',
    reason: 'max_iterations',
    iterations: 20,
    total_tokens_used: 4200,
    total_cost_usd: 1.5,
    model: 'sonnet-5',
    context_percent: 41,
    active_seconds: 125,
    interaction_count: 40,
    summary: 'half done',
  });
  expect(taskLines(task, UTC)).toEqual([
    'fix-login: exhausted, Iteration limit',
    '  description   Make the login work',
    '  directory     /srv/app/.worktrees/fix-login, branch task/fix-login',
    '  done when     the agent says so (no criteria)',
    '  used          20 of 20 turns, 4200 tokens, $1.50, 2:05 worked, sonnet-5, 41 % context',
    '  agent says    half done',
    '  next          Raise the iteration limit and retry the task.',
    '  you can:',
    '    loopwatch task retry fix-login',
    '    loopwatch task recover fix-login',
    '    loopwatch task log fix-login',
    '    loopwatch task say fix-login TEXT',
    '    loopwatch task diff fix-login',
  ]);
  expect(taskTable([task])).toEqual([
    'TASK       STATUS     WHY              TURNS  TOKENS  COST   DESCRIPTION',
    'fix-login  exhausted  Iteration limit  20/20  4200    $1.50  Make the login work',
  ]);
});

it('CL13 a task shows its criteria, the text of an error, and that it has no worktree', () => {
  const wait = {
    reason: 'api_error' as const,
    since: AT,
    until: AT,
    next: 'Retries automatically.',
    evidence: [{ witness: 'stream' as const, at: AT, lines: ['529 Overloaded'] }],
  };
  const { end_criteria_config } = taskFixture();
  const plain = taskFixture({
    is_repository: false,
    worktree_path: null,
    branch_name: null,
    status: 'PAUSED',
    reason: 'api_error',
    end_criteria_config: { ...end_criteria_config, criteria: 'npm test passes' },
    wait,
  });
  expect(taskLines(plain, UTC).slice(2)).toEqual([
    '  directory     /srv/app (not in git: no worktree, no branch)',
    '  done when     npm test passes (not met yet)',
    '  used          0 of 20 turns, 0 tokens, $0.00, 0:00 worked',
    '  waiting       API error until 2026-01-01T10:00:00Z: Retries automatically.',
    '                | 529 Overloaded',
    '  you can:',
    '    loopwatch task stop fix-login',
    '    loopwatch task say fix-login TEXT',
  ]);
  const completion = {
    claimed_by: 'agent' as const,
    claim: 'Done.',
    confidence: null,
    proof: 'unproven' as const,
    commit: null,
  };
  const done = taskLines(taskFixture({ status: 'COMPLETED', completion, summary: 'Done.' }), UTC);
  expect(done).toContain(
    '  proof         unverified: no tests or gates ran; only the agent says that it is done',
  );
});

it('CL25 nothing that an agent or a person wrote reaches the terminal raw', () => {
  const words = { description: EVIL, summary: EVIL, error_message: EVIL, branch_name: EVIL };
  const task = taskFixture({ ...words, root_folder: EVIL, worktree_path: EVIL });
  const said = {
    id: 7,
    content: EVIL,
    length: 9,
    timestamp: AT,
    turn: 1,
    tool: EVIL,
    is_error: true,
    author: EVIL,
    input_tokens: null,
    output_tokens: null,
    cache_creation_tokens: null,
    cache_read_tokens: null,
    duration_ms: null,
    cost_usd: null,
  };
  const group = {
    id: 'g',
    type: 'tool_group' as const,
    tool_count: 2,
    summary: EVIL,
    tools: [],
    first_timestamp: AT,
    last_timestamp: AT,
  };
  const work = {
    path: EVIL,
    repository: EVIL,
    branch: EVIL,
    base: EVIL,
    exists: true,
    dirty: [EVIL],
    dirty_count: 1,
    ignored_count: 0,
    unmerged_commits: 0,
    unpushed_commits: 0,
    obstacle: EVIL,
    on_removal: [EVIL],
  };
  const file = { path: EVIL, status: 'added' as const, additions: 1, deletions: 0, dirty: true };
  const tested = {
    id: 1,
    type: 'gate' as const,
    name: EVIL,
    command: EVIL,
    status: 'failed' as const,
    exit_code: 1,
    output: EVIL,
    duration_ms: 5,
    commit: 'abc',
    at: AT,
  };
  const input = {
    id: 'i',
    input_preview: EVIL,
    timestamp: AT,
    state: 'queued' as const,
    author: EVIL,
    processed: false,
    processed_at: null,
    interrupt: true,
    images: 1,
  };
  const prompt = {
    id: 'p',
    title: EVIL,
    content: EVIL,
    category: EVIL,
    tags: EVIL,
    criteria_config: null,
    usage_count: 1,
    last_used_at: null,
    created_at: AT,
    updated_at: AT,
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
    taskInputLine(input),
    promptLine(prompt),
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
    '2026-01-01T10:00:00Z  #1 tool Bash',
    12,
    '  … 30 more lines',
  ]);
  expect(conversationLines({ ...said, type: 'claude_response' }, UTC)).toHaveLength(41);
  const call = conversationLines({ ...said, type: 'claude_response', tool: 'Bash' }, UTC);
  expect(call[0]).toBe('2026-01-01T10:00:00Z  #1 agent calls Bash');
  const test = {
    id: 1,
    type: 'regression' as const,
    name: 'npm test',
    command: 'npm test',
    exit_code: 1,
    output: lines,
    duration_ms: 65_000,
    commit: '0123456789abcdef',
    at: AT,
  };
  const failed = testLines([{ ...test, status: 'failed' }]);
  expect(failed.slice(0, 3)).toEqual([
    'failed  tests npm test, exit code 1, 1:05, at 0123456789',
    '  $ npm test',
    '    … 25 earlier lines',
  ]);
  expect(failed.at(-1)).toBe('    line 39');
  expect(testLines([{ ...test, status: 'passed' }])).toHaveLength(2);
});
