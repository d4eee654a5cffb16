/** The board of tasks as values: its columns, what a drop does, and priorities for a place. */
import { expect, it } from 'vitest';
import type { Task } from '../../../../shared/schema/tasks/task.ts';
import { boardColumns, cardBeside } from '../../../../web/lib/tasks/board/board-columns.ts';
import {
  dropOn,
  hasMoves,
  menuMoves,
  placeText,
  stepInto,
} from '../../../../web/lib/tasks/board/board-moves.ts';
import {
  lowered,
  moveToGap,
  queueMoves,
  queueOf,
  raised,
} from '../../../../web/lib/tasks/board/queue-priority.ts';
import { STATUSES } from '../../../../web/lib/tasks/task-style.ts';
import { exampleTask, TASK_AT } from '../../../support/tasks/example-task.ts';

/** Queued in this order, with these priorities; the number in the name is when, from 1. */
function queued(...order: readonly (readonly [name: string, priority: number])[]): Task[] {
  return order.map(([name, priority], n) =>
    exampleTask(name, {
      status: 'PENDING',
      priority,
      queue_position: n + 1,
      wait: {
        reason: 'concurrency',
        since: TASK_AT.replace('00.000Z', `0${name.slice(-1)}.000Z`),
        until: null,
        next: '',
        evidence: [],
      },
    }),
  );
}

const named = (tasks: readonly Task[], name: string): Task => {
  const task = tasks.find((one) => one.task_name === name);
  if (task === undefined) throw new Error(`no ${name}`);
  return task;
};

it('TA21 the board has a column for each status, in the order of a life, and its queue in order', () => {
  expect(boardColumns([]).map(({ status }) => status)).toEqual([...STATUSES]);
  const [later, first] = queued(['b2', 0], ['a1', 0]).reverse();
  const idle = exampleTask('idle', { status: 'PENDING', updated_at: '2027-01-01T00:00:00.000Z' });
  const tasks = [idle, later, first].filter((task) => task !== undefined);
  expect(boardColumns(tasks)[0]?.tasks.map((task) => task.task_name)).toEqual(['b2', 'a1', 'idle']);
});

it('TA22 a drop on Running or Stopped takes the step that the task offers', () => {
  const steps = (more: Partial<Task>) => {
    const task = exampleTask('a', more);
    return STATUSES.flatMap((status) => {
      const step = stepInto(task, status);
      return step === null ? [] : `${status}: ${step}`;
    });
  };
  expect(steps({ status: 'PENDING' })).toEqual(['RUNNING: start']);
  expect(steps({ status: 'STOPPED' })).toEqual(['RUNNING: resume']);
  expect(steps({ status: 'FAILED' })).toEqual(['RUNNING: recover']);
  expect(steps({ status: 'EXHAUSTED' })).toEqual(['RUNNING: retry']);
  for (const status of ['RUNNING', 'TESTING', 'PAUSED'] as const) {
    expect(steps({ status })).toEqual(['STOPPED: stop']);
  }
  expect(steps({ status: 'COMPLETED' })).toEqual([]);
  // It is already started: only its place in the queue and a stop are left.
  expect(steps({ status: 'PENDING', queue_position: 1 })).toEqual(['STOPPED: stop']);
});

it('TA24 a place in the queue is reached by the smallest change of the own priority', () => {
  const queue = queued(['a1', 5], ['b3', 0], ['c2', -4]);
  expect(queueMoves(named(queue, 'c2'), queue)).toEqual([
    { before: 0, priority: 6 },
    // Of equal ones the one that was queued first is first.
    { before: 1, priority: 0 },
    { before: 2, priority: -4 },
  ]);
  expect(queueMoves(named(queue, 'b3'), queue)).toEqual([
    { before: 0, priority: 6 },
    { before: 1, priority: 0 },
    { before: 2, priority: -4 },
  ]);
  expect(raised(named(queue, 'c2'), queue)?.priority).toBe(0);
  expect(raised(named(queue, 'a1'), queue)).toBeNull();
  expect(lowered(named(queue, 'a1'), queue)?.priority).toBe(-1);
  expect(lowered(named(queue, 'c2'), queue)).toBeNull();
});

it('TA24 where no priority leads between two tasks, the nearest place is offered', () => {
  const queue = queued(['a1', 0], ['b2', 0], ['c3', 0]);
  const at = (name: string, gap: number) => moveToGap(named(queue, name), queue, queue, gap);
  expect(at('c3', 0)).toEqual({ gap: 0, priority: 1 });
  // Between a1 and b2 is no place for c3: it stays.
  expect(at('c3', 1)).toEqual({ gap: 2, priority: 0 });
  expect(at('a1', 99)).toEqual({ gap: 2, priority: -1 });
  expect(dropOn(named(queue, 'c3'), { status: 'PENDING', tasks: queue }, 1, queue)).toBeNull();
  // Tasks of the queue that the column does not show count as well.
  const [, b, c] = queue;
  expect(
    moveToGap(
      named(queue, 'c3'),
      queue,
      [b, c].filter((task) => task !== undefined),
      0,
    ),
  ).toEqual({
    gap: 0,
    priority: 1,
  });
});

it('TA24 a priority stays within its bounds, and nothing goes before what a person has just written to', () => {
  const top = queued(['a1', 100], ['b2', 0]);
  expect(raised(named(top, 'b2'), top)).toBeNull();
  const urgent = queued(['a3', -5], ['b1', 7], ['c2', 0]);
  expect(queueMoves(named(urgent, 'a3'), urgent)).toEqual([]);
  expect(raised(named(urgent, 'c2'), urgent)).toEqual({ before: 1, priority: 8 });
  expect(raised(named(urgent, 'b1'), urgent)).toBeNull();
});

it('TA25 the menu has the same moves, and a change is announced with its place', () => {
  const queue = queued(['a1', 0], ['b2', 0]);
  const labels = (task: Task) => menuMoves(task, queue).map(({ label }) => label);
  expect(labels(named(queue, 'b2'))).toEqual(['Stop…', 'Raise priority to 1']);
  expect(labels(named(queue, 'a1'))).toEqual(['Stop…', 'Lower priority to -1']);
  expect(labels(exampleTask('z', { status: 'PENDING' }))).toEqual(['Start']);
  const done = exampleTask('z', { status: 'COMPLETED' });
  expect([labels(done), hasMoves(done), hasMoves(named(queue, 'a1'))]).toEqual([[], false, true]);
  expect(queueOf([...queue].reverse())).toEqual(queue);
  expect(placeText(named(queue, 'b2'))).toBe('b2: Pending, priority 0, 2nd in queue');
  expect(placeText(exampleTask('z'))).toBe('z: Running');
});

it('TA25 arrow keys move within a column and to the next one with cards', () => {
  const task = (name: string, status: Task['status'], day: number) =>
    exampleTask(name, { status, updated_at: `2026-01-0${day}T00:00:00.000Z` });
  const columns = boardColumns([
    task('a', 'PENDING', 3),
    task('b', 'PENDING', 2),
    task('c', 'FAILED', 1),
  ]);
  const to = (name: string, key: string) => cardBeside(columns, name, key);
  expect([to('a', 'ArrowDown'), to('b', 'ArrowDown'), to('b', 'ArrowUp')]).toEqual([
    'b',
    null,
    'a',
  ]);
  expect([to('b', 'ArrowRight'), to('c', 'ArrowLeft'), to('c', 'ArrowRight')]).toEqual([
    'c',
    'a',
    null,
  ]);
  expect([to('gone', 'ArrowDown'), to('a', 'Enter')]).toEqual([null, null]);
});
