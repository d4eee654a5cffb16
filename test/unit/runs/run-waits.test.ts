/** The rules of a run, one at a time: its waits, its failures, and what people say to it. */
import { expect, it } from 'vitest';
import { nextDeadline } from '../../../server/runs/machine/transition.ts';
import { checked, failed, fixed, replied, reviewed, RunLife } from '../../support/runs/run-life.ts';

const OPEN = { kind: 'open', inputId: null };

function due(life: RunLife): number | null {
  return nextDeadline(life.state, life.options, life);
}

it('RN20 a wait for the quota takes no time at work and ends at the reset', () => {
  const life = RunLife.in('execute', { max_minutes: 1 });
  life.happen(failed('limit', 'heard', life.wallMs + 5_000));
  expect([life.place, life.state.isLimited]).toEqual(['execute waiting quota', true]);
  expect(due(life)).toBe(6_000 - 1);
  life.wallMs += 3_600_000;
  life.happen({ kind: 'tick' });
  expect([life.place, life.state.activeMs]).toEqual(['execute queued', 0]);
  life.begin();
  expect([life.message?.kind, life.quota]).toEqual(['continue', ['tried']]);
  life.hear().happen(replied());
  expect([life.state.isLimited, life.quota]).toEqual([false, ['tried', 'opened']]);
});

it('RN20 a run that ends while it waits for the quota leaves the others alone', () => {
  const life = RunLife.in('execute').happen(failed('limit')).happen({ kind: 'restored' });
  expect([life.place, life.state.isLimited]).toEqual(['execute over restored', false]);
  expect(life.quota).toEqual(['left']);
});

it('RN20 a pause lasts as long as before when the clock is set back; a reset is a wall time', () => {
  const life = RunLife.in('execute').happen(failed('overloaded'));
  expect([life.place, due(life)]).toEqual(['execute waiting overloaded', 30_000]);
  life.wallMs -= 3_600_000;
  life.happen({ kind: 'set_back', byMs: 3_600_000 });
  expect(due(life)).toBe(30_000 - 1);
  const other = RunLife.in('execute');
  other.happen(failed('limit', 'heard', other.wallMs + 5_000));
  const before = other.state.now;
  other.wallMs -= 3_600_000;
  expect(other.happen({ kind: 'set_back', byMs: 3_600_000 }).state.now).toEqual(before);
});

it('RN21 an overloaded model is tried again after growing pauses, then the run fails', () => {
  const life = RunLife.in('execute');
  for (const delay of [30_000, 60_000]) {
    expect(life.happen(failed('overloaded')).place).toBe('execute waiting overloaded');
    expect(due(life)).toBe(delay);
    life.wallMs += delay;
    expect(life.happen({ kind: 'tick' }).begin().message?.kind).toBe('continue');
    life.hear();
  }
  expect(life.happen(failed('overloaded')).place).toBe('execute ending overloaded');
});

it('RN21 one good answer forgives the failures before it', () => {
  const life = RunLife.in('execute').happen(failed('overloaded'));
  life.wallMs += 30_000;
  life.happen({ kind: 'tick' }).begin().hear().happen(replied());
  expect(life.state.failures).toBe(0);
});

it.each([
  ['auth', 'login_needed'],
  ['billing', 'agent_error'],
] as const)('RN15 %s waits for a person, whose words end the wait', (error, reason) => {
  const life = RunLife.in('execute').happen(failed(error));
  expect([life.place, due(life)]).toEqual([`execute waiting ${reason}`, null]);
  expect(life.happen({ kind: 'tick' }).place).toBe(`execute waiting ${reason}`);
  life.say('a');
  expect(life.state.now).toMatchObject({ stage: 'queued', isUrgent: true });
  expect(life.begin().message).toEqual({ kind: 'input', inputId: 'a' });
});

it('RN15 a question is answered, or waits for a person', () => {
  const life = RunLife.in('execute').happen(replied({ question: { kind: 'reply', text: 'yes' } }));
  expect(life.message).toEqual({ kind: 'reply', inputId: null, text: 'yes' });
  const asks = { kind: 'person', reason: 'question', question: 'Latin or Greek?' } as const;
  life.hear().happen(replied({ question: asks }));
  expect(life.place).toBe('execute waiting question');
  expect(life.state.now).toMatchObject({ lines: ['Latin or Greek?'], dueMs: null });
});

it('RN22 a conversation that is lost continues in a new one, once in a row', () => {
  const life = RunLife.in('fix').happen(failed('bad_session', 'not_heard'));
  expect([life.place, life.state.conversations.fix]).toEqual(['fix queued', null]);
  expect(life.state.conversations.execute).toBe('c-execute');
  expect(life.begin().message).toEqual({ kind: 'digest', inputId: null });
  life.happen(failed('bad_session', 'not_heard'));
  expect(life.place).toBe('fix ending session_lost');
});

it('RN22 a person’s input reaches the new conversation with the digest', () => {
  const life = RunLife.in('execute').say('a').happen(replied());
  life.happen(failed('bad_session', 'not_heard'));
  expect(life.waiting).toEqual(['a']);
  expect(life.begin().message).toEqual({ kind: 'digest', inputId: 'a' });
});

it.each(['plan', 'execute', 'review', 'fix'] as const)(
  'RN22 without a conversation there is nothing to continue: %s opens again',
  (phase) => {
    // The opening went to a client that ended before it said anything.
    const life = RunLife.opening(phase).happen(failed('lost', 'unknown'));
    expect([life.place, life.state.conversations[phase]]).toEqual([`${phase} queued`, null]);
    life.begin();
    if (phase === 'review') life.happen(checked());
    expect([life.place, life.message]).toEqual([`${phase} talking`, OPEN]);
  },
);

it('RN10 a turn cut off while no daemon ran continues in its conversation', () => {
  const life = RunLife.in('execute').happen(failed('lost', 'heard'));
  expect([life.place, life.state.failures]).toEqual(['execute queued', 0]);
  expect(life.begin().message).toEqual({ kind: 'continue', inputId: null });
});

it('RN10 B4-5 a message that certainly was not heard is sent again as it was', () => {
  const life = RunLife.in('execute').happen(replied()).happen(checked('a'));
  life.happen(failed('not_started', 'not_heard'));
  expect(life.begin().message).toEqual(OPEN);
  expect([life.place, life.state.iteration]).toEqual(['fix talking', 1]);
});

it('RN9 input that was not heard is queued again, any other is unknown', () => {
  const life = RunLife.in('execute').say('a').happen(replied());
  life.happen(failed('not_started', 'not_heard'));
  expect([life.waiting, life.place]).toEqual([['a'], 'execute queued']);
  life.begin().happen(failed('crashed', 'unknown'));
  expect([life.waiting, life.inputs.at(-1)]).toEqual([[], { id: 'a', state: 'unknown' }]);
});

it.each(['plan', 'execute', 'fix'] as const)(
  'RN9 a person is heard in %s before anything else',
  (phase) => {
    const life = RunLife.in(phase).say('a').happen(replied());
    expect([life.place, life.message]).toEqual([
      `${phase} talking`,
      { kind: 'input', inputId: 'a' },
    ]);
  },
);

it.each([
  ['while checks run', (life: RunLife) => life.happen(replied()).say('a').happen(checked())],
  [
    'after checks that fail',
    (life: RunLife) => life.happen(replied()).say('a').happen(checked('f')),
  ],
  [
    'before the verdict',
    (life: RunLife) =>
      life.happen(replied()).happen(checked()).hear().say('a').happen(reviewed('pass')),
  ],
  [
    'in a wait of the review',
    (life: RunLife) =>
      life.happen(replied()).happen(checked()).happen(failed('auth', 'not_heard')).say('a').begin(),
  ],
])('RN9 words %s open a fix round that does not count', (_, act) => {
  const life = act(RunLife.in('execute', { max_fix_rounds: 0 }));
  expect([life.place, life.message]).toEqual(['fix talking', { kind: 'open', inputId: 'a' }]);
  expect([life.state.iteration, life.state.rounds.length]).toEqual([0, 1]);
});

it('RN9 words give a run that fails as many rounds again', () => {
  const life = RunLife.in('execute', { max_fix_rounds: 1 }).happen(replied());
  fixed(life, 'a').say('x').happen(checked('b')).hear().happen(replied());
  fixed(life, 'c');
  expect([life.place, life.state.iteration]).toEqual(['review checking', 2]);
  expect(fixed(life, 'd').place).toBe('review ending fix_limit');
});

it('RN9 only who asks for it interrupts a turn', () => {
  const life = RunLife.in('execute').say('a');
  expect(life.last).toEqual([]);
  expect(life.say('b', true).last).toEqual(['interrupt']);
  life.happen(failed('interrupted'));
  expect([life.place, life.message?.inputId]).toEqual(['execute talking', 'a']);
});

it('RN9 input of before the first turn comes with the opening', () => {
  const life = new RunLife().say('a', true);
  expect([life.place, life.last]).toEqual(['plan queued', []]);
  expect(life.begin().message).toEqual({ kind: 'open', inputId: 'a' });
});

it('RN10 what cannot be prepared fails with its reason', () => {
  const life = new RunLife().happen({ kind: 'granted' });
  life.happen({ kind: 'prepare_failed', error: 'no disk' });
  expect(life.state.now).toMatchObject({
    stage: 'ending',
    result: { reason: 'worktree_failed', error: 'no disk' },
  });
});
