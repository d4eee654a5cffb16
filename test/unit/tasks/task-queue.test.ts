/** Which task begins next, and which waits for which. */
import { expect, it } from 'vitest';
import {
  findCycle,
  scheduleQueue,
  type QueuedWork,
} from '../../../server/supervision/schedule-queue.ts';

function task(name: string, more: Partial<QueuedWork> = {}): QueuedWork {
  return {
    id: name,
    name,
    queuedAtMs: 0,
    isUrgent: false,
    priority: 0,
    dependsOn: [],
    isAtWork: false,
    isCompleted: false,
    isOver: false,
    isHeld: false,
    ...more,
  };
}

it('TK18, TK29 as many start as there are slots, first come first served', () => {
  const tasks = [
    task('late', { queuedAtMs: 2 }),
    task('early', { queuedAtMs: 1 }),
    task('busy', { queuedAtMs: null, isAtWork: true }),
  ];
  const { begin, waiting } = scheduleQueue(tasks, 2);
  expect(begin).toEqual(['early']);
  expect([...waiting]).toEqual([['late', { position: 1, behind: [], stuck: [], isHeld: false }]]);
  expect(scheduleQueue(tasks, 1).begin).toEqual([]);
  expect(scheduleQueue(tasks, 3).begin).toEqual(['early', 'late']);
});

it('TK18 a higher priority goes first, and the task a person has just written to before all others', () => {
  const tasks = [
    task('plain', { queuedAtMs: 1 }),
    task('important', { queuedAtMs: 2, priority: 5 }),
    task('spoken', { queuedAtMs: 3, isUrgent: true, priority: -5 }),
  ];
  expect(scheduleQueue(tasks, 1).begin).toEqual(['spoken']);
  expect(scheduleQueue(tasks, 2).begin).toEqual(['spoken', 'important']);
});

it('TK28, TK29 a task waits for those it depends on and lets others pass', () => {
  const tasks = [
    task('second', { queuedAtMs: 1, dependsOn: ['first', 'base'] }),
    task('first', { queuedAtMs: null, isAtWork: true }),
    task('base', { queuedAtMs: null, isCompleted: true }),
    task('other', { queuedAtMs: 2 }),
  ];
  const { begin, waiting } = scheduleQueue(tasks, 2);
  expect(begin).toEqual(['other']);
  expect(waiting.get('second')).toEqual({
    position: 1,
    behind: ['first'],
    stuck: [],
    isHeld: false,
  });
});

it('TK29 names what will not be completed on its own: deleted and ended tasks', () => {
  const over = task('failed', { queuedAtMs: null, isOver: true });
  const { begin, waiting } = scheduleQueue(
    [task('second', { dependsOn: ['gone', 'failed'] }), over],
    2,
  );
  expect([begin, waiting.get('second')?.stuck]).toEqual([[], ['gone', 'failed']]);
});

it('TK18 a task whose last process still runs is skipped', () => {
  const tasks = [task('held', { queuedAtMs: 1, isHeld: true }), task('free', { queuedAtMs: 2 })];
  expect(scheduleQueue(tasks, 1).begin).toEqual(['free']);
});

it('TK28 finds a circle of tasks that wait for each other', () => {
  const others = new Map([
    ['b', ['c']],
    ['c', ['a']],
    ['d', ['b']],
  ]);
  expect(findCycle('a', ['b'], others)).toEqual(['a', 'b', 'c', 'a']);
  expect(findCycle('a', ['a'], others)).toEqual(['a', 'a']);
  expect(findCycle('e', ['d'], others)).toBe(null);
});
