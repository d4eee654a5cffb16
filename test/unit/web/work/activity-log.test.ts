/** What follows from an agent's calls: files, todos, subagents, and how pages are joined. */
import { expect, it } from 'vitest';
import type {
  AgentStep,
  SessionActivity,
} from '../../../../shared/schema/agents/session-activity.ts';
import {
  currentTodos,
  firstLog,
  joinLog,
  stepState,
  subagents,
  touchedFiles,
} from '../../../../web/lib/activity/activity-log.ts';

function step(id: string, more: Partial<AgentStep> = {}): AgentStep {
  return {
    id,
    at: null,
    tool: 'Read',
    subject: null,
    file: null,
    changes: false,
    subagent: null,
    is_by_subagent: false,
    todos: null,
    todo: null,
    ...more,
  };
}

function answer(steps: AgentStep[], more: Partial<SessionActivity> = {}): SessionActivity {
  const places = { older: '1:2@100', newer: '1:2@200' };
  const base = { status: 'shown', conversation: 'c', is_continued: true } as const;
  return { ...base, results: [], ...places, steps, ...more };
}

const done = (id: string, failed = false, todo: string | null = null) => ({ id, failed, todo });

it('SA6 files that were changed come first, each once with its calls', () => {
  const log = firstLog(
    answer([
      step('1', { file: '/a' }),
      step('2', { file: '/b', changes: true }),
      step('3', { file: '/a' }),
      step('4', { file: '/c' }),
    ]),
  );
  expect(touchedFiles(log)).toEqual([
    { path: '/b', isChanged: true, calls: 1 },
    { path: '/c', isChanged: false, calls: 1 },
    { path: '/a', isChanged: false, calls: 2 },
  ]);
});

it('SA6 todos are the newest whole list, or the steps as they were created and changed', () => {
  const todos = [{ text: 'One', status: 'pending' as const }];
  const whole = firstLog(answer([step('1', { todos: [] }), step('2', { todos })]));
  expect(currentTodos(whole)).toEqual(todos);
  const change = (id: string, status: 'in_progress' | 'completed') => ({ id, text: null, status });
  const single = firstLog(
    answer(
      [
        step('1', { todo: { id: null, text: 'Plan', status: 'pending' } }),
        step('2', { todo: change('4', 'completed') }),
        step('3', { todo: change('9', 'in_progress') }),
        step('4', { todos, is_by_subagent: true }),
      ],
      { results: [done('1', false, '4')] },
    ),
  );
  expect(currentTodos(single)).toEqual([
    { text: 'Plan', status: 'completed' },
    { text: 'Step 9', status: 'in_progress' },
  ]);
});

it('SA6 a subagent runs until its result, and without one it is unknown once a later call has ended', () => {
  const log = firstLog(
    answer(
      [
        step('cut', { subagent: 'Plan' }),
        step('over', { subagent: 'Explore' }),
        step('bad'),
        step('now', { subagent: 'Explore' }),
      ],
      { results: [done('over'), done('bad', true)] },
    ),
  );
  expect(subagents(log).map(({ id }) => id)).toEqual(['now', 'over', 'cut']);
  expect(log.steps.map((each) => stepState(log, each))).toEqual([
    'unknown',
    'done',
    'failed',
    'open',
  ]);
});

it('SA7 what is appended and what is older join without gaps, and what is gone stays shown', () => {
  const first = firstLog(answer([step('b')]));
  const later = joinLog(
    first,
    answer([step('b'), step('c')], { newer: '1:2@300', older: null }),
    true,
  );
  expect([later.steps.map(({ id }) => id), later.older, later.newer]).toEqual([
    ['b', 'c'],
    '1:2@100',
    '1:2@300',
  ]);
  const all = joinLog(later, answer([step('a')], { older: null, newer: '1:2@100' }), false);
  expect([all.steps.map(({ id }) => id), all.older, all.newer]).toEqual([
    ['a', 'b', 'c'],
    null,
    '1:2@300',
  ]);
  const gone = joinLog(all, answer([], { status: 'gone', older: null, newer: null }), true);
  expect([gone.status, gone.steps.length, gone.newer]).toEqual(['gone', 3, '1:2@300']);
  const other = joinLog(gone, answer([step('x')], { is_continued: false }), true);
  expect(other.steps.map(({ id }) => id)).toEqual(['x']);
});

it('SA7 a long watch keeps the newest thousand', () => {
  const many = (from: number) => Array.from({ length: 600 }, (_, n) => step(`s${from + n}`));
  const log = joinLog(firstLog(answer(many(0))), answer(many(600)), true);
  expect(log.steps.length).toBe(800);
  expect(log.steps.at(-1)?.id).toBe('s1199');
});
