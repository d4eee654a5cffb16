/** The rules of a run, one at a time: its waits, its failures, its ends, and people. */
import { expect, it } from 'vitest';
import { nextDeadline } from '../../server/runs/machine/transition.ts';
import { checked, failed, replied, resumed, reviewed, RunLife, STOP } from '../support/run-life.ts';

const USED = { inputTokens: 7, outputTokens: 100, costUsd: 1 };
const OPEN = { kind: 'open', inputId: null };

function due(life: RunLife): number | null {
  return nextDeadline(life.state, life.options, life);
}

/** A failed round, and the fix that follows. */
function fixed(life: RunLife, signature: string, changed = true): RunLife {
  life.happen(checked(signature, { changed }));
  return life.state.now.stage === 'talking' ? life.hear().happen(replied()) : life;
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

const STAGES: [string, () => RunLife, boolean][] = [
  ['queued', () => new RunLife(), false],
  ['preparing', () => new RunLife().happen({ kind: 'granted' }), true],
  ['talking', () => RunLife.in('execute'), true],
  ['checking', () => RunLife.in('execute').happen(replied()), true],
  ['waiting', () => RunLife.in('execute').happen(failed('limit')), false],
];

it.each(STAGES)('RN6 a stop while %s, and what follows later is nothing', (_, make, isAtWork) => {
  const life = make();
  const { phase } = life.state;
  life.happen(STOP);
  if (isAtWork) {
    expect([life.place, life.last]).toEqual([`${phase} ending user_stop`, ['end']]);
    life.happen({ kind: 'prepared' }).happen(checked()).happen(replied()).happen(STOP);
    expect(life.happen({ kind: 'failed', error: 'x' }).place).toBe(`${phase} ending user_stop`);
    life.happen({ kind: 'ended' });
  }
  expect([life.place, life.last]).toEqual([`${phase} over user_stop`, ['report']]);
  expect([life.of('run.done').length, life.of('run.stopped').length]).toEqual([1, 1]);
  expect([life.state.stopReason, life.state.isLimited]).toEqual(['lunch', false]);
  life.happen(resumed());
  expect([life.place, life.state.stopReason, life.state.completedAt]).toEqual([
    `${phase} queued`,
    null,
    null,
  ]);
  life.begin();
  expect(['talking', 'checking']).toContain(life.state.now.stage);
});

it('RN6 the end of a stopped turn counts what it used, and names its process', () => {
  const life = RunLife.in('execute');
  life.happen(STOP).happen({ kind: 'spawned', process: { pid: 7, startedAt: 'then' } });
  expect(life.state.now).toMatchObject({ turn: { process: { pid: 7 } } });
  life.happen(replied({}, USED));
  expect(life.state.spent.execute).toMatchObject(USED);
  expect(life.state.now).toMatchObject({ stage: 'ending', turn: null });
});

it.each([
  ['a stop', (life: RunLife) => life.happen(STOP), 'continue'],
  ['a failure', (life: RunLife) => life.happen({ kind: 'failed', error: 'x' }), 'continue'],
  ['a refusal', (life: RunLife) => life.happen(failed('invalid_request')), 'continue'],
] as const)(
  'RN6 B4-5 a resume after %s continues the conversation of its phase',
  (_, act, kind) => {
    const life = act(RunLife.in('execute')).happen({ kind: 'ended' }).happen(resumed());
    expect(life.of('run.resumed')).toMatchObject([{ phase: 'execute', author: 'Ada' }]);
    expect(life.begin().message?.kind).toBe(kind);
    expect(life.state.conversations.execute).toBe('c-execute');
  },
);

it.each(['stuck', 'fix_limit'] as const)(
  'RN7 a resume after %s forgives and checks first',
  (why) => {
    const options = why === 'stuck' ? {} : { max_fix_rounds: 2 };
    const life = RunLife.in('execute', options).happen(replied());
    for (const n of [1, 2, 3]) fixed(life, why === 'stuck' ? 'same' : `f${n}`);
    expect(life.place).toBe(`review ending ${why}`);
    life.happen({ kind: 'ended' }).happen(resumed()).begin();
    expect([life.place, life.state.iteration]).toEqual(['review checking', 2]);
    fixed(fixed(life, 'same'), 'same');
    expect([life.place, life.state.iteration]).toEqual(['review checking', 4]);
  },
);

it('RN7 a run that is done begins again where a person says, with as many rounds', () => {
  const life = RunLife.in('fix', { max_fix_rounds: 1 }).happen(replied()).happen(checked());
  life.hear().happen(reviewed('pass')).happen({ kind: 'ended' });
  expect(life.place).toBe('complete over completed');
  life.happen(resumed('execute')).begin();
  expect([life.place, life.message]).toEqual(['execute talking', OPEN]);
  life.hear().happen(replied()).happen(checked('a'));
  expect([life.place, life.state.iteration]).toEqual(['fix talking', 2]);
});

it('RN7 without a plan every resume begins with the plan', () => {
  const life = RunLife.in('plan').happen(STOP).happen({ kind: 'ended' }).happen(resumed('fix'));
  expect([life.begin().place, life.message]).toEqual(['plan talking', OPEN]);
});

it('RN7 a resume of what is not over changes nothing', () => {
  const life = RunLife.in('execute').happen(resumed('plan'));
  expect([life.place, life.of('run.resumed')]).toEqual(['execute talking', []]);
});

it('RN10 what cannot be prepared fails with its reason', () => {
  const life = new RunLife().happen({ kind: 'granted' });
  life.happen({ kind: 'prepare_failed', error: 'no disk' });
  expect(life.state.now).toMatchObject({
    stage: 'ending',
    result: { reason: 'worktree_failed', error: 'no disk' },
  });
});

it.each(STAGES)('RN16 a run from a backup that was %s does not continue', (_, make) => {
  const life = make();
  const { phase } = life.state;
  expect(life.happen({ kind: 'restored' }).place).toBe(`${phase} over restored`);
  expect(life.happen({ kind: 'restored' }).of('run.done')).toHaveLength(1);
});

it('RN24 a report of before a resume is not the report of its next end', () => {
  const life = RunLife.in('execute').happen(STOP).happen({ kind: 'ended' }).happen(resumed());
  expect(life.happen({ kind: 'reported' }).state.hasReport).toBe(false);
  life.happen(STOP).happen({ kind: 'reported' });
  expect(life.state.hasReport).toBe(true);
});
