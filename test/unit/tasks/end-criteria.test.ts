/** When a task is done by its own rules, and how much it may use. */
import { expect, it } from 'vitest';
import { CreateTask, UpdateTask } from '../../../shared/schema/tasks/task.ts';
import { changedCriteria, endCriteriaOf } from '../../../server/tasks/criteria/end-criteria.ts';
import {
  type Limits,
  retried,
  type TaskUsage,
  rulesOf,
} from '../../../server/tasks/criteria/limits.ts';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import { reachedLimit } from '../../../server/tasks/machine/ending.ts';
import type { TaskFacts } from '../../../server/tasks/machine/task-state.ts';

const LIMITS: Limits = { max_iterations: 20, max_tokens: 1_000, max_cost_usd: 2, max_minutes: 30 };

function criteria(fields: object) {
  return endCriteriaOf(CreateTask.parse({ task_name: 'a', description: 'b', ...fields }));
}

function changed(before: object, change: object) {
  const { end_criteria_config } = UpdateTask.parse({ end_criteria_config: change });
  return changedCriteria(criteria(before), end_criteria_config ?? {});
}

it('CR5 a task without limits and criteria has 20 turns and a warning', () => {
  const plain = {
    criteria: null,
    max_iterations: 20,
    max_tokens: null,
    max_cost_usd: null,
    max_minutes: null,
    gates: [],
    test_commands: null,
  };
  expect(criteria({})).toEqual({ ...plain, warning: expect.any(String) as string });
  expect(criteria({ max_iterations: null, end_criteria: '  ' })).toEqual(criteria({}));
  expect(criteria({ end_criteria: 'No type errors' })).toEqual({
    ...plain,
    criteria: 'No type errors',
  });
  const gate = { name: 'types', command: 'tsc' };
  expect(criteria({ gates: [gate] })).toEqual({ ...plain, gates: [gate] });
});

it('CR8 a change keeps what it leaves out, and null removes', () => {
  const before = { end_criteria: 'a', max_iterations: 5, max_tokens: 9, test_commands: ['t'] };
  expect(changed(before, {})).toEqual(criteria(before));
  expect(changed(before, { max_tokens: 4, max_minutes: 2 })).toEqual(
    criteria({ ...before, max_tokens: 4, max_minutes: 2 }),
  );
  const nulls = { criteria: null, max_iterations: null, max_tokens: null, test_commands: null };
  expect(changed(before, nulls)).toEqual(criteria({}));
  expect(changed(before, { warning: 'mine' })).toEqual(criteria(before));
  expect(changed({}, { criteria: 'a' })).not.toHaveProperty('warning');
  expect(changed(before, { test_commands: [] }).test_commands).toEqual([]);
});

it('TK60, CR8 the turns without progress of a task can be set, changed, and left to the setting', () => {
  expect(criteria({})).not.toHaveProperty('max_unchanged_turns');
  const own = { max_unchanged_turns: 3 };
  expect(criteria(own)).toMatchObject(own);
  expect(changed(own, {})).toMatchObject(own);
  expect(changed(own, { max_unchanged_turns: 0 }).max_unchanged_turns).toBe(0);
  expect(changed(own, { max_unchanged_turns: null })).toEqual(criteria({}));
  const noneOf = ({ noProgressTurns }: ReturnType<typeof rulesOf>) => noProgressTurns;
  expect([own, {}].map((fields) => noneOf(rulesOf(criteria(fields))))).toEqual([3, null]);
});

it('CR6 a limit is reached at its value, and the first of several is reported', () => {
  const reached = (more: Partial<TaskFacts>, limits: Limits = LIMITS) => {
    const all = criteria({ ...limits });
    return reachedLimit({ ...freshTask(), ...more }, rulesOf(all).limits);
  };
  const almost = { iterations: 19, outputTokens: 999, costUsd: 1.99, activeMs: 1_799_999 };
  expect(reached(almost)).toBeNull();
  expect(reached({ iterations: 20 })).toBe('max_iterations');
  expect(reached({ outputTokens: 1_000 })).toBe('max_tokens');
  expect(reached({ costUsd: 2 })).toBe('max_cost');
  expect(reached({ activeMs: 1_800_000 })).toBe('timeout');
  expect(reached({ ...almost, iterations: 20, outputTokens: 9_999 })).toBe('max_iterations');
  const none: Limits = { ...LIMITS, max_tokens: null, max_cost_usd: null, max_minutes: null };
  const much = { iterations: 1, outputTokens: 1e9, costUsd: 1e9, activeMs: 1e12 };
  expect(reached(much, none)).toBeNull();
});

it('CR7 more is counted from what was used', () => {
  const used: TaskUsage = { iterations: 23, tokens: 1_500, cost_usd: 0.1, active_seconds: 1_801 };
  expect(retried(LIMITS, used, { additional_iterations: 10 })).toEqual({
    ...LIMITS,
    max_iterations: 33,
  });
  const all = {
    additional_iterations: 1,
    additional_tokens: 500,
    additional_cost_usd: 0.2,
    additional_minutes: 10,
  };
  expect(retried(LIMITS, used, all)).toEqual({
    max_iterations: 24,
    max_tokens: 2_000,
    max_cost_usd: 0.3,
    max_minutes: 41,
  });
  expect(retried(LIMITS, used, {})).toEqual(LIMITS);
});
