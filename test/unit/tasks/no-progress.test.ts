/** Turns that bring nothing new: the rule, and what a task does about it. */
import { expect, it } from 'vitest';
import {
  afterRound,
  isWithoutProgress,
  type Progress,
  type RoundTrace,
} from '../../../server/supervision/no-progress.ts';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import { nextDeadline } from '../../../server/tasks/machine/transition.ts';
import { readTaskRow } from '../../../server/tasks/stores/read-task-row.ts';
import { endCriteriaOf } from '../../../server/tasks/criteria/end-criteria.ts';
import { failed, replied, TaskLife } from '../../support/tasks/task-life.ts';

const trace = (content: string, ...calls: string[]): RoundTrace => ({ content, calls });

/** Rounds without news at the end of these. */
function unchangedAfter(...rounds: (RoundTrace | null)[]): number | null {
  const progress = rounds.reduce<Progress | null>(afterRound, null);
  return progress?.unchanged ?? null;
}

/** A task in its first turn that pauses after so many turns. */
function limitedTo(noProgressTurns: number): TaskLife {
  return TaskLife.talking({}, { noProgressTurns });
}

/** One whole turn, up to where the next begins or a person is asked. */
function turn(life: TaskLife, seen: RoundTrace | null): TaskLife {
  life.happen(replied());
  expect(life.last).toEqual(['measure']);
  life.happen({ kind: 'measured', trace: seen });
  if (life.state.stage === 'talking') life.hear();
  return life;
}

it('TK60 only rounds with the same content and no new call count', () => {
  const same = trace('a', 'ls');
  expect(unchangedAfter(same)).toBe(0);
  expect(unchangedAfter(same, same, same)).toBe(2);
  expect(unchangedAfter(same, same, trace('b', 'ls'))).toBe(0);
  expect(unchangedAfter(same, same, trace('a', 'cat'))).toBe(0);
  expect(unchangedAfter(same, trace('a'), trace('a'))).toBe(2);
});

it('TK60 calls that alternate are not new, until the content has changed', () => {
  const [ls, cat] = [trace('a', 'ls'), trace('a', 'cat')];
  expect(unchangedAfter(ls, cat, ls, cat, ls)).toBe(3);
  expect(unchangedAfter(ls, trace('b'), trace('b', 'ls'))).toBe(0);
});

it('TK61 a round that could not be measured neither counts nor resets the count', () => {
  const same = trace('a');
  expect(unchangedAfter(null, null)).toBeNull();
  expect(unchangedAfter(same, same, null, same)).toBe(2);
});

it('TK60 the limit is reached exactly, and 0 is never', () => {
  const progress: Progress = { content: 'a', calls: [], unchanged: 5 };
  expect([6, 5, 0].map((limit) => isWithoutProgress(progress, limit))).toEqual([
    false,
    true,
    false,
  ]);
  expect(isWithoutProgress(null, 1)).toBe(false);
});

it('TK60 a task without progress pauses for a person, and says what it saw', () => {
  const life = limitedTo(2);
  turn(turn(life, trace('a')), trace('a'));
  expect(life.state).toMatchObject({ status: 'RUNNING', turns: 3 });
  turn(life, trace('a'));
  expect(life.state).toMatchObject({ status: 'PAUSED', reason: 'no_progress', turn: null });
  expect(life.state.wait?.evidence[0]?.lines).toEqual([
    'The last 2 turns changed no file and no commit, and tried nothing new.',
  ]);
  expect(nextDeadline(life.state, life.rules.limits, life.wallMs)).toBeNull();
  expect(life.events.at(-1)).toMatchObject({
    type: 'task.status',
    data: { status: 'PAUSED', reason: 'no_progress' },
  });
});

it('TK60 the number of a task itself comes before the setting, also as 0', () => {
  const none = TaskLife.talking({ noProgressTurns: 0 }, { noProgressTurns: 1 });
  expect(none.happen(replied()).last).toEqual(['send']);
  const one = TaskLife.talking({ noProgressTurns: 1 }, { noProgressTurns: 0 });
  turn(turn(one, trace('a')), trace('a'));
  expect(one.state.reason).toBe('no_progress');
});

it('TK60 without a limit nothing is measured', () => {
  const life = limitedTo(0).happen(replied());
  expect([life.last, life.state.stage]).toEqual([['send'], 'talking']);
});

it('TK61 waits and failed turns are no turns without progress', () => {
  const life = turn(turn(limitedTo(2), trace('a')), trace('a'));
  life.happen(failed('overloaded')).happen(failed('overloaded'));
  expect(life.state).toMatchObject({ reason: 'overloaded', progress: { unchanged: 1 } });
});

it('TK61, TK24 what a person says ends the pause and begins the count again', () => {
  const life = limitedTo(1);
  turn(turn(life, trace('a')), trace('a'));
  expect(life.state.reason).toBe('no_progress');
  life.say('hint').happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.state).toMatchObject({ status: 'RUNNING', progress: null });
  expect(turn(life.hear(), trace('a')).state.status).toBe('RUNNING');
});

it('TK61 a resume begins the count again', () => {
  const life = limitedTo(1);
  turn(turn(life, trace('a')), trace('a'));
  life.happen({ kind: 'begin', author: 'Ada' });
  expect(life.state).toMatchObject({ stage: 'queued', progress: null });
});

it('TK3, TK61 input that comes while a turn is measured is sent at once', () => {
  const life = limitedTo(1);
  turn(life, trace('a')).happen(replied()).say('hint');
  life.happen({ kind: 'measured', trace: trace('a') });
  expect(life.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'hint' });
});

it('TK8 a stop while a turn is measured ends the task, and a late result changes nothing', () => {
  const life = limitedTo(1).happen(replied()).happen({ kind: 'stop', author: 'Ada' });
  expect([life.state.status, life.last]).toEqual(['STOPPED', ['end']]);
  life.happen({ kind: 'measured', trace: trace('a') });
  expect(life.state).toMatchObject({ status: 'STOPPED', stage: 'ending', progress: null });
});

it('TK62 a task that an earlier version stored begins its count with its next turn', () => {
  const { progress: _, ...earlier } = { ...freshTask(), iterations: 3 };
  const criteria = endCriteriaOf({ gates: [], max_iterations: null });
  const plan = { description: 'a', rootFolder: '/a', criteria, projects: [], dependsOn: [] };
  const { state } = readTaskRow({
    id: 'a',
    taskName: 'a',
    nameKey: 'a',
    sessionId: 'a',
    rootFolder: '/a',
    status: 'PENDING',
    plan: JSON.stringify(plan),
    state: JSON.stringify(earlier),
    createdBy: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  });
  expect(state).toEqual({ ...freshTask(), iterations: 3 });
});
