/** The tasks of the page as values: groups, columns, filters, waits, and how events change them. */
import { expect, it, vi } from 'vitest';
import type { Task } from '../../../../shared/schema/tasks/task.ts';
import { throttleReads } from '../../../../web/lib/state/throttle.ts';
import {
  formatCost,
  formatSpan,
  formatTokens,
  ordinal,
} from '../../../../web/lib/ui/text/amounts.ts';
import {
  passesFilter,
  readTaskFilter,
  writeTaskFilter,
} from '../../../../web/lib/tasks/list/task-filter.ts';
import { groupOf, groupTasks } from '../../../../web/lib/tasks/list/task-groups.ts';
import { endText, proofMark } from '../../../../web/lib/tasks/proof.ts';
import { applyTaskEvent, mustRead } from '../../../../web/lib/tasks/state/apply-task-event.ts';
import { waitText } from '../../../../web/lib/tasks/wait-text.ts';
import { exampleTask, TASK_AT } from '../../../support/tasks/example-task.ts';
import { eventRecord } from '../../../support/events/event-record.ts';

const wait = (reason: NonNullable<Task['wait']>['reason'], until: string | null = null) => ({
  reason,
  since: TASK_AT,
  until,
  next: 'It goes on.',
  evidence: [],
});

it('TA1 a task is in the first group that it belongs to', () => {
  const groups = Object.fromEntries(
    (
      [
        'PENDING',
        'RUNNING',
        'PAUSED',
        'STOPPED',
        'TESTING',
        'COMPLETED',
        'FAILED',
        'EXHAUSTED',
      ] as const
    ).map((status) => [status, groupOf(exampleTask('a', { status }))]),
  );
  expect(groups).toEqual({
    PENDING: 'waits',
    RUNNING: 'work',
    PAUSED: 'waits',
    STOPPED: 'ended',
    TESTING: 'work',
    COMPLETED: 'ended',
    FAILED: 'needs',
    EXHAUSTED: 'needs',
  });
  expect(groupOf(exampleTask('a', { status: 'PAUSED', waiting_for_input: true }))).toBe('needs');
});

it('TA1 the task that has waited longest for a person comes first, and the queue in its order', () => {
  const failed = (name: string, updated_at: string) =>
    exampleTask(name, { status: 'FAILED', updated_at });
  const queued = (name: string, queue_position: number | null) =>
    exampleTask(name, { status: 'PENDING', queue_position });
  const { needs, waits } = groupTasks([
    failed('late', '2026-01-02T00:00:00.000Z'),
    failed('early', TASK_AT),
    queued('idle', null),
    queued('second', 2),
    queued('first', 1),
  ]);
  expect(needs.map(({ task_name }) => task_name)).toEqual(['early', 'late']);
  expect(waits.map(({ task_name }) => task_name)).toEqual(['first', 'second', 'idle']);
});

it('TA12 layout, status and search come from the address and go back into it', () => {
  const read = (query: string) => readTaskFilter(new URLSearchParams(query));
  expect(read('')).toEqual({ layout: 'list', status: null, text: '' });
  const filter = read('layout=board&status=failed&q=login+rate');
  expect(filter).toEqual({ layout: 'board', status: 'FAILED', text: 'login rate' });
  expect(writeTaskFilter(filter)).toEqual({ layout: 'board', status: 'failed', q: 'login rate' });
  // Impossible values are dropped.
  expect(read('layout=spiral&status=asleep')).toEqual(read(''));
  const task = exampleTask('rate-limit', { description: 'Slow the Login down' });
  expect(passesFilter(task, { status: null, text: 'login RATE' })).toBe(true);
  expect(passesFilter(task, { status: null, text: 'logout' })).toBe(false);
  expect(passesFilter(task, { status: 'FAILED', text: '' })).toBe(false);
});

it('TA2 a task says why it does not continue', () => {
  const text = (more: Partial<Task>) => waitText(exampleTask('a', more));
  expect(text({})).toBeNull();
  expect(text({ status: 'PENDING' })).toBe('Not started yet');
  expect(text({ status: 'PENDING', queue_position: 1, wait: wait('concurrency') })).toBe(
    '1st in queue',
  );
  const needs = { depends_on: ['b', 'c'], wait: wait('dependency') };
  expect(text({ status: 'PENDING', queue_position: 3, ...needs })).toBe(
    '3rd in queue, waiting for b, c',
  );
  const until = new Date(2026, 0, 1, 14, 10).toISOString();
  expect(text({ status: 'PAUSED', wait: wait('quota', until) })).toBe('Quota until 14:10');
  const asked = { waiting_for_input: true, wait: wait('question') };
  expect(text({ status: 'PAUSED', ...asked })).toBe('Waiting for a person: question');
  expect(text({ status: 'EXHAUSTED', reason: 'max_cost' })).toBe('Cost limit');
});

it('TA13 a claim to be done is never shown as proof', () => {
  const completion = (proof: 'proven' | 'refuted' | 'unproven') => ({
    claimed_by: 'agent' as const,
    claim: 'Done.',
    confidence: 1,
    proof,
    commit: null,
  });
  const test_cases = ['passed', 'passed', 'skipped'].map((status, id) => ({
    id,
    type: 'gate',
    name: 'n',
    command: 'c',
    status,
    exit_code: 0,
    output: '',
    duration_ms: 1,
    commit: null,
    at: TASK_AT,
  })) as Task['test_cases'];
  const mark = (more: Partial<Task>) => proofMark(exampleTask('a', more))?.label ?? null;
  expect(mark({})).toBeNull();
  expect(mark({ completion: completion('unproven') })).toBe('Unverified');
  expect(mark({ completion: completion('proven'), test_cases })).toBe('Verified by 2 checks');
  expect(mark({ completion: completion('proven') })).toBe('Verified');
  expect(mark({ completion: completion('refuted') })).toBe('Checks failed');
  const end = (proof: 'proven' | 'unproven', worktree_path: string | null) =>
    endText(
      exampleTask('a', { status: 'COMPLETED', completion: completion(proof), worktree_path }),
    );
  expect(end('proven', '/w')).toMatch(/^All host checks passed\. .* merge the branch\.$/);
  expect(end('unproven', '/w')).toMatch(/^The agent says it is done\. Unverified: .* branch\.$/);
  expect(end('unproven', null)).toMatch(/Review the files it changed in place\.$/);
});

it('TA3 an event updates what it carries at once, and the rest is read again', () => {
  const tasks = { a: exampleTask('a', { wait: wait('quota'), waiting_for_input: true }) };
  const status = eventRecord(
    {
      type: 'task.status',
      data: {
        task: 'a',
        status: 'FAILED',
        before: 'RUNNING',
        reason: 'tests_failed',
        until: null,
        error: 'exit 1',
      },
    },
    7,
    '2026-01-01T00:01:00.000Z',
  );
  expect(applyTaskEvent(tasks, status)['a']).toMatchObject({
    status: 'FAILED',
    reason: 'tests_failed',
    error_message: 'exit 1',
    wait: null,
    waiting_for_input: false,
    updated_at: status.at,
  });
  const said = (output_tokens: number | null) =>
    eventRecord(
      {
        type: 'task.interaction',
        data: {
          task: 'a',
          id: 9,
          type: 'claude_response',
          turn: 1,
          tool: null,
          preview: 'hi',
          output_tokens,
          cost_usd: null,
        },
      },
      8,
      status.at,
    );
  expect(applyTaskEvent(tasks, said(null))['a']?.interaction_count).toBe(5);
  expect([mustRead(said(null)), mustRead(said(10)), mustRead(status)]).toEqual([false, true, true]);
  const deleted = eventRecord(
    { type: 'task.deleted', data: { task: 'a', kept: [] } },
    9,
    status.at,
  );
  expect(applyTaskEvent(tasks, deleted)).toEqual({});
  expect(applyTaskEvent({}, status)).toEqual({});
});

it('TA3 a task in which much happens is read at most once in its time, and after the last event', async () => {
  vi.useFakeTimers();
  try {
    let version = 0;
    const reads: number[] = [];
    const used: number[] = [];
    const touch = throttleReads(
      300,
      async () => {
        reads.push(Date.now());
        await new Promise((resolve) => setTimeout(resolve, 20));
        return version;
      },
      (_, value) => used.push(value),
    );
    for (let n = 0; n < 100; n += 1) {
      version += 1;
      touch('a');
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads.length).toBeLessThanOrEqual(5);
    const gaps = reads.slice(1).map((at, n) => at - (reads[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300);
    expect(used.at(-1)).toBe(version);
    // Idle again: the next event is read soon.
    const before = reads.length;
    touch('a');
    await vi.advanceTimersByTimeAsync(60);
    expect(reads).toHaveLength(before + 1);
    await vi.advanceTimersByTimeAsync(1000);
  } finally {
    vi.useRealTimers();
  }
});

it('TA2 amounts are short and correct', () => {
  expect([0, 830, 12_400, 189_000, 999_960, 3_100_000].map(formatTokens)).toEqual([
    '0',
    '830',
    '12.4 k',
    '189 k',
    '1.0 M',
    '3.1 M',
  ]);
  expect([0, 0.004, 0.42, 5, 140].map(formatCost)).toEqual([
    '$0.00',
    '< $0.01',
    '$0.42',
    '$5.00',
    '$140',
  ]);
  expect([800, 14_000, 59_700, 64_200, 180_000].map(formatSpan)).toEqual([
    '0.8 s',
    '14 s',
    '1 min',
    '1 min 4 s',
    '3 min',
  ]);
  expect([1, 2, 3, 4, 11, 12, 21, 113].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '21st',
    '113th',
  ]);
});
