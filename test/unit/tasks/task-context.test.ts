/** A context that is nearly full: the rule, and what a task does about it between its turns. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  contextAfter,
  contextStep,
  type ContextUse,
  NEW_CONTEXT,
} from '../../../server/supervision/context-step.ts';
import type { TaskFacts } from '../../../server/tasks/machine/task-state.ts';
import { failed, replied, TaskLife } from '../../support/tasks/task-life.ts';

const LIMITS = { compactAt: 70, freshAt: 85 };

/** A reply that leaves the context so full. */
function repliedAt(percent: number | null, isCompacted = false) {
  return { ...replied(), context: { percent, isCompacted } };
}

/** A task whose first turn ended with its context so full. */
function filledTo(percent: number, more: Partial<TaskFacts> = {}): TaskLife {
  return TaskLife.talking(more).happen(repliedAt(percent));
}

function contextEvents(life: TaskLife): unknown[] {
  return life.events.flatMap(({ type, data }) => (type === 'task.context' ? [data] : []));
}

const percents = fc.option(fc.integer({ min: 0, max: 120 }), { nil: null });
const limits = fc.record({
  compactAt: fc.integer({ min: 0, max: 100 }),
  freshAt: fc.integer({ min: 0, max: 100 }),
});

it('CX1 for any use and limits: nothing unknown, nothing below, never twice in a row', () => {
  fc.assert(
    fc.property(
      percents,
      fc.boolean(),
      limits,
      (percent, isCompactTried, { compactAt, freshAt }) => {
        const step = contextStep({ percent, isCompactTried }, { compactAt, freshAt });
        const reaches = (limit: number) => percent !== null && limit > 0 && percent >= limit;
        if (!reaches(compactAt) && !reaches(freshAt)) expect(step).toBe('none');
        else if (reaches(freshAt)) expect(step).toBe('fresh');
        else expect(step).toBe(isCompactTried ? (freshAt > 0 ? 'fresh' : 'none') : 'compact');
      },
    ),
  );
});

it('CX1, CX3 over any turns a compaction is not repeated before the context was below the limit', () => {
  const turn = fc.record({ percent: percents, isCompacted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), limits, (turns, given) => {
      let use: ContextUse = NEW_CONTEXT;
      let isTried = false;
      for (const each of turns) {
        const isCompaction = contextStep(use, given) === 'compact';
        expect(isCompaction && isTried).toBe(false);
        use = contextAfter(use, each, given, { isCompaction });
        isTried =
          (isTried || isCompaction) && !(use.percent !== null && use.percent < given.compactAt);
      }
    }),
  );
});

it('CX2 what a turn does not say stays as it was, unless the client compacted', () => {
  const before = { percent: 60, isCompactTried: false };
  expect(contextAfter(before, undefined, LIMITS).percent).toBe(60);
  expect(contextAfter(before, { percent: null, isCompacted: true }, LIMITS).percent).toBeNull();
  expect(contextAfter(before, { percent: 71, isCompacted: false }, LIMITS).percent).toBe(71);
});

it('CX3 at the first limit the conversation is compacted, and what was planned follows', () => {
  const life = filledTo(70);
  expect(life.state.turn?.message).toEqual({ kind: 'compact', inputId: null, text: null });
  expect(life.state).toMatchObject({ iterations: 1, conversationId: 'c1', turns: 2 });
  expect(contextEvents(life)).toEqual([]);
  life.hear().happen(repliedAt(5, true));
  expect(contextEvents(life)).toEqual([{ task: 'fix-login', step: 'compact', percent: 70 }]);
  expect(life.state.turn?.message).toMatchObject({ kind: 'reply', text: 'go on' });
  expect(life.state).toMatchObject({
    iterations: 1,
    conversationId: 'c1',
    context: { percent: 5 },
  });
});

it('CX3 below the limit, and where it is not known, nothing happens', () => {
  expect(filledTo(69).state.turn?.message.kind).toBe('reply');
  const unknown = TaskLife.talking().happen(replied());
  expect([unknown.state.turn?.message.kind, contextEvents(unknown)]).toEqual(['reply', []]);
});

it('CX4 at the second limit a new conversation takes over, with what was planned', () => {
  const life = filledTo(85);
  expect([life.last, life.state.stage]).toEqual([['prepare'], 'preparing']);
  expect(contextEvents(life)).toEqual([{ task: 'fix-login', step: 'fresh', percent: 85 }]);
  life.happen({ kind: 'prepared', done: '2 commits' });
  expect(life.state).toMatchObject({ conversationId: null, stage: 'talking' });
  expect(life.state.turn?.message).toEqual({
    kind: 'digest',
    inputId: null,
    text: 'go on',
    done: '2 commits',
  });
  life.hear('c2').happen(repliedAt(10));
  expect(life.state).toMatchObject({ conversationId: 'c2', iterations: 2 });
  expect(life.state.turn?.message.kind).toBe('reply');
  expect(contextEvents(life)).toHaveLength(1);
});

it.each([
  ['gained too little', repliedAt(72, true)],
  ['gained nothing', repliedAt(null)],
  ['is not possible', failed('invalid_request')],
  ['crashed', failed('crashed')],
])('CX4 where a compaction %s, a new conversation takes over', (_, ended) => {
  const life = filledTo(72).hear().happen(ended);
  expect([life.last, life.state.status]).toEqual([['prepare'], 'RUNNING']);
  expect(life.state.next).toEqual({ kind: 'digest', inputId: null, text: 'go on' });
});

it('CX5 a person does not wait for a compaction, and their input goes along to a new conversation', () => {
  const first = TaskLife.talking().say('hint').happen(repliedAt(75));
  expect(first.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'hint' });
  const second = TaskLife.talking().say('hint').happen(repliedAt(90));
  expect(second.inputs).toEqual([]);
  second.happen({ kind: 'prepared', done: '' });
  expect(second.state.turn?.message).toMatchObject({ kind: 'digest', inputId: 'hint' });
  expect(second.inputs).toEqual([{ id: 'hint', state: 'sending' }]);
});

it('CX5 input that comes during a compaction follows it; one that interrupts ends it', () => {
  const waits = filledTo(70).hear().say('hint').happen(repliedAt(5, true));
  expect(waits.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'hint' });
  const interrupts = filledTo(70).hear().say('now', true);
  expect(interrupts.last).toEqual(['interrupt']);
  interrupts.happen(failed('interrupted'));
  expect(interrupts.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'now' });
});

it('CX6 nothing happens in the middle of a turn', () => {
  const life = TaskLife.talking({ context: { percent: 99, isCompactTried: false } });
  for (const input of [
    { kind: 'tick' },
    { kind: 'budget_changed' },
    { kind: 'prepared' },
  ] as const) {
    life.happen(input);
    expect([life.last, life.state.stage, contextEvents(life)]).toEqual([[], 'talking', []]);
  }
});

it('CX6 a limit of the account during a compaction keeps what was planned', () => {
  const life = filledTo(70).hear().happen(failed('limit'));
  expect(life.state).toMatchObject({ status: 'PAUSED', next: { kind: 'reply', text: 'go on' } });
});

it('CX7 an opening that was not heard is sent again, and decides nothing a second time', () => {
  const life = filledTo(85).happen({ kind: 'prepared', done: 'one file' });
  life.happen(failed('not_started', 'not_heard'));
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared', done: 'one file' });
  expect(life.state.turn?.message).toMatchObject({
    kind: 'digest',
    text: 'go on',
    done: 'one file',
  });
  expect(contextEvents(life)).toHaveLength(1);
});

it('CX7 input that went with an opening that was not heard goes with the next one', () => {
  const life = TaskLife.talking().say('hint').happen(repliedAt(90));
  life.happen({ kind: 'prepared', done: '' }).happen(failed('not_started', 'not_heard'));
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared', done: '' });
  expect(life.state.turn?.message).toMatchObject({ kind: 'digest', inputId: 'hint' });
});
