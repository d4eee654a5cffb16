/** The rules of a task, one at a time. */
import { expect, it } from 'vitest';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import type { Limits, Rules } from '../../../server/tasks/machine/task-state.ts';
import { nextDeadline } from '../../../server/tasks/machine/transition.ts';
import { failed, NOTHING_USED, replied, TaskLife } from '../../support/tasks/task-life.ts';

const CLAIM = { claim: 'The task is complete.' };
const MINUTE = 60_000;

function limits(more: Partial<Limits>): Partial<Rules> {
  return { limits: { iterations: 20, tokens: null, costUsd: null, minutes: null, ...more } };
}

it('TK11 waits for its turn, is prepared, and gets its description', () => {
  const life = new TaskLife().happen({ kind: 'begin', author: 'Ada' });
  expect(life.state).toMatchObject({ status: 'PENDING', stage: 'queued' });
  life.happen({ kind: 'granted' });
  expect([life.state.status, life.last]).toEqual(['RUNNING', ['prepare']]);
  life.happen({ kind: 'prepared' });
  expect(life.last).toEqual(['send']);
  expect(life.state.turn?.message).toEqual({ kind: 'start', inputId: null, text: null });
});

it('TK3 takes a person’s input before a verdict, a reply, the tests and their outcome', () => {
  const life = TaskLife.talking({ hasCriteria: true }).say('a').happen(replied(CLAIM));
  expect(life.state.turn?.message).toMatchObject({ kind: 'input', inputId: 'a' });
  life.hear().happen(replied(CLAIM));
  expect(life.last).toEqual(['judge']);
  const verdict = { isMet: true, confidence: 0.9, reasoning: 'seen' };
  life.say('b').happen({ kind: 'judged', verdict, usage: NOTHING_USED });
  expect(life.state.turn?.message.inputId).toBe('b');
  life.hear().happen(replied()).happen({ kind: 'judged', verdict, usage: NOTHING_USED });
  expect(life.state.status).toBe('TESTING');
  life.say('c').happen({ kind: 'tested', outcome: 'passed', commit: 'c0', detail: '' });
  expect(life.state).toMatchObject({ status: 'RUNNING', stage: 'talking', claim: null });
  expect(life.inputs.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'a sending',
    'a delivered',
    'b sending',
    'b delivered',
    'c sending',
  ]);
});

it('TK12 an input that was certainly not heard is queued again; others are unknown', () => {
  const life = new TaskLife().happen({ kind: 'begin', author: 'Ada' });
  life.say('a').happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  life.happen(failed('not_started', 'not_heard'));
  expect([life.waiting, life.state.stage]).toEqual([['a'], 'queued']);
  life
    .happen({ kind: 'granted' })
    .happen({ kind: 'prepared' })
    .happen(failed('crashed', 'unknown'));
  expect(life.inputs.at(-1)).toEqual({ id: 'a', state: 'unknown' });
  expect(life.waiting).toEqual([]);
});

it('TK6 sends nothing more once a limit is reached, also with waiting input', () => {
  const life = TaskLife.talking(limits({ iterations: 1 }))
    .say('a')
    .happen(replied());
  expect(life.state).toMatchObject({ status: 'EXHAUSTED', reason: 'max_iterations' });
  expect(life.waiting).toEqual(['a']);
  life.happen({ kind: 'ended' });
  expect(life.state.stage).toBe('none');
});

it('TK6 only its limits end a task that never finishes', () => {
  const life = TaskLife.talking();
  for (let turn = 1; turn < 20; turn += 1) life.happen(replied()).hear();
  expect(life.state).toMatchObject({ status: 'RUNNING', iterations: 19, turns: 20 });
  expect(life.happen(replied()).state.status).toBe('EXHAUSTED');
});

it('TK6 what a check by a model used counts as well', () => {
  const life = TaskLife.talking({ ...limits({ tokens: 100 }), hasCriteria: true });
  const usage = { outputTokens: 100, costUsd: 0.2 };
  life.happen(replied()).happen({ kind: 'judged', verdict: null, usage });
  expect(life.state).toMatchObject({ status: 'EXHAUSTED', reason: 'max_tokens', costUsd: 0.2 });
});

it('TK3 input that comes while its worktrees are prepared waits for its first turn', () => {
  const life = new TaskLife().happen({ kind: 'begin', author: 'Ada' }).happen({ kind: 'granted' });
  life.say('a', true);
  expect([life.last, life.waiting]).toEqual([[], ['a']]);
  life.happen({ kind: 'prepared' });
  expect(life.state.turn?.message).toEqual({ kind: 'start', inputId: 'a', text: null });
});

it('TK6 the time at work is a limit of its own, and ends a turn in the middle', () => {
  const life = TaskLife.talking(limits({ minutes: 2 }));
  expect(nextDeadline(life.state, life.rules.limits, life.wallMs)).toBe(2 * MINUTE);
  life.activeMs = 2 * MINUTE - 1;
  expect(life.happen({ kind: 'tick' }).state.status).toBe('RUNNING');
  life.activeMs = 2 * MINUTE;
  life.happen({ kind: 'tick' });
  expect(life.state).toMatchObject({ status: 'EXHAUSTED', reason: 'timeout', stage: 'ending' });
  expect(life.last).toEqual(['end']);
});

it('TK6 tests that were not reached because of a limit are not run', () => {
  const life = TaskLife.talking(limits({ iterations: 1 })).happen(replied());
  expect(life.state.status).toBe('EXHAUSTED');
  life.happen({ kind: 'tested', outcome: 'passed', commit: null, detail: '' });
  expect(life.state.status).toBe('EXHAUSTED');
});

it('TK13 an overloaded model is retried after growing pauses, then the task fails', () => {
  const life = TaskLife.talking().happen(failed('overloaded'));
  expect(life.state).toMatchObject({ status: 'PAUSED', reason: 'overloaded' });
  expect(nextDeadline(life.state, life.rules.limits, life.wallMs)).toBe(30_000);
  life.wallMs += 29_999;
  expect(life.happen({ kind: 'tick' }).state.stage).toBe('waiting');
  life.wallMs += 1;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.state.turn?.message.kind).toBe('continue');
  life.happen(failed('overloaded'));
  expect(nextDeadline(life.state, life.rules.limits, life.wallMs)).toBe(60_000);
  life.wallMs += 60_000;
  life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.happen(failed('overloaded')).state.status).toBe('FAILED');
});

it('TK13 an agent that cannot be run is named as the reason, while it is retried and at the end', () => {
  const again = (life: TaskLife) =>
    life.happen({ kind: 'tick' }).happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  const life = TaskLife.talking({ failures: 1 }).happen(failed('not_started', 'not_heard'));
  expect(life.state).toMatchObject({ status: 'PAUSED', reason: 'agent_not_started' });
  life.wallMs += 60_000;
  again(life).happen(failed('not_started', 'not_heard'));
  expect(life.state).toMatchObject({ status: 'FAILED', reason: 'agent_not_started' });
});

it('TK13 one good answer resets the failures before it', () => {
  const life = TaskLife.talking({ failures: 2 }).happen(replied());
  expect(life.state.failures).toBe(0);
});

it('TK9, TK24 a usage limit lasts until its reset; a person’s input ends the wait', () => {
  const life = TaskLife.talking();
  life.happen(failed('limit', 'heard', life.wallMs + 5_000));
  expect(life.state).toMatchObject({ status: 'PAUSED', reason: 'quota', isLimited: true });
  expect(nextDeadline(life.state, life.rules.limits, life.wallMs)).toBe(6_000);
  life.say('a');
  expect(life.state).toMatchObject({ stage: 'queued', isUrgent: true, status: 'PAUSED' });
});

it('TK14 a conversation that the client does not know is continued in a new one, once', () => {
  const life = TaskLife.talking().happen(failed('bad_session', 'not_heard'));
  expect(life.state).toMatchObject({ conversationId: null, stage: 'queued' });
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.state.turn?.message.kind).toBe('digest');
  life.happen(failed('bad_session', 'not_heard'));
  expect(life.state).toMatchObject({ status: 'FAILED', reason: 'session_lost' });
});

it('TK14 a person’s input reaches the new conversation with the digest', () => {
  const life = TaskLife.talking().happen(replied()).say('a');
  life.hear().happen(replied()).happen(failed('bad_session', 'not_heard'));
  expect(life.waiting).toEqual(['a']);
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared' });
  expect(life.state.turn?.message).toEqual({ kind: 'digest', inputId: 'a', text: null });
});

it.each([
  ['auth', 'login_needed'],
  ['billing', 'agent_error'],
] as const)('TK23 %s waits for a person', (error, reason) => {
  const life = TaskLife.talking().happen(failed(error));
  expect(life.state).toMatchObject({ status: 'PAUSED', reason, dueMs: null });
});

it.each([
  ['stop', 'STOPPED', 'none'],
  ['resume', 'PENDING', 'queued'],
] as const)('TK27 a turn cut off while no daemon ran: %s', (interrupted, status, stage) => {
  const life = TaskLife.talking({}, { interrupted }).happen(failed('lost', 'unknown'));
  expect(life.state).toMatchObject({ status, stage });
  expect(life.state.next.kind).toBe('continue');
});

it('TK8 a stop during a verdict or tests ends them, and a later result changes nothing', () => {
  const life = TaskLife.talking().happen(replied(CLAIM));
  expect(life.state.status).toBe('TESTING');
  life.happen({ kind: 'stop', author: 'Ada' });
  expect([life.state.status, life.state.stage, life.last]).toEqual(['STOPPED', 'ending', ['end']]);
  life.happen({ kind: 'tested', outcome: 'passed', commit: null, detail: '' });
  expect(life.state.status).toBe('STOPPED');
  life.happen({ kind: 'ended' }).happen({ kind: 'begin', author: 'Ada' });
  expect(life.state.stage).toBe('queued');
});

it('TK8, TK25 a resume before the old process has ended keeps its turn', () => {
  const life = TaskLife.talking().happen({ kind: 'stop', author: 'Ada' });
  life.happen({ kind: 'begin', author: 'Ada' });
  expect(life.state).toMatchObject({ stage: 'queued' });
  expect(life.state.turn).not.toBe(null);
  expect(life.happen({ kind: 'ended' }).state).toMatchObject({ stage: 'queued', turn: null });
});

it('TK26 reports what was claimed, by whom, and what the host found', () => {
  const life = TaskLife.talking().happen(replied(CLAIM));
  life.happen({
    kind: 'tested',
    outcome: 'gate_failed',
    commit: 'c0',
    detail: 'lint: exit code 1',
  });
  expect(life.state).toMatchObject({ status: 'FAILED', reason: 'gate_failed' });
  expect(life.state.completion).toEqual({
    claimed_by: 'agent',
    claim: CLAIM.claim,
    confidence: null,
    proof: 'refuted',
    commit: 'c0',
  });
});

it('TK16 a task from a backup does not continue', () => {
  const life = TaskLife.talking().happen({ kind: 'restored' });
  expect(life.state).toMatchObject({ status: 'STOPPED', reason: 'restored' });
  const done = new TaskLife();
  done.state = { ...freshTask(), status: 'COMPLETED' };
  done.happen({ kind: 'restored' });
  expect(done.state.status).toBe('COMPLETED');
});

it.each([failed('interrupted'), failed('crashed'), failed('limit'), replied(CLAIM)])(
  'TK8 a turn that ends while its task is queued again changes nothing: %o',
  (end) => {
    const life = TaskLife.talking().happen({ kind: 'stop', author: 'Ada' });
    life.happen({ kind: 'begin', author: 'Ada' }).happen(end);
    expect(life.state).toMatchObject({ status: 'PENDING', stage: 'queued', turn: null });
    expect(life.last).toEqual([]);
    life.happen({ kind: 'ended' }).happen({ kind: 'granted' });
    expect(life.last).toEqual(['prepare']);
  },
);

it('TK6 a turn that the client itself cuts off for its length counts as one', () => {
  const life = TaskLife.talking(limits({ iterations: 2 }))
    .happen(failed('max_turns'))
    .hear();
  expect(life.state).toMatchObject({ status: 'RUNNING', iterations: 1 });
  expect(life.happen(failed('max_turns')).state.status).toBe('EXHAUSTED');
});
