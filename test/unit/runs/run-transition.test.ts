/** The rules of a run, one at a time: its phases, its rounds and their limits. */
import { expect, it } from 'vitest';
import type { MachineInput } from '../../../server/runs/machine/run-state.ts';
import { nextDeadline } from '../../../server/runs/machine/transition.ts';
import {
  checked,
  failed,
  fixed,
  replied,
  resumed,
  reviewed,
  RunLife,
  STOP,
} from '../../support/runs/run-life.ts';

const MINUTE = 60_000;
const USED = { inputTokens: 7, outputTokens: 100, costUsd: 1 };
const OPEN = { kind: 'open', inputId: null };

function due(life: RunLife): number | null {
  return nextDeadline(life.state, life.options, life);
}

it('RN1 plans, executes, is reviewed and completes, and says so once', () => {
  const life = new RunLife().begin();
  expect([life.place, life.message, life.last]).toEqual(['plan talking', OPEN, ['send']]);
  life.hear().happen(replied());
  expect([life.plan, life.last]).toEqual(['- [ ] Greet', ['write_plan', 'send']]);
  expect([life.place, life.message]).toEqual(['execute talking', OPEN]);
  life.hear().happen(replied());
  expect([life.place, life.last]).toEqual(['review checking', ['check']]);
  life.happen(checked());
  expect([life.place, life.message]).toEqual(['review talking', OPEN]);
  life.hear().happen(reviewed('pass', ''));
  expect([life.place, life.last]).toEqual(['complete ending completed', ['end']]);
  life.happen({ kind: 'ended' });
  expect([life.place, life.last]).toEqual(['complete over completed', ['report']]);
  expect(life.of('run.done')).toMatchObject([{ status: 'done', proof: 'proven', commit: 'c0' }]);
  expect(life.of('run.phase').map(({ phase }) => phase)).toEqual(['execute', 'review', 'complete']);
  expect(life.state.conversations).toEqual({
    plan: 'c-plan',
    execute: 'c-execute',
    review: 'c-review',
    fix: null,
  });
});

it('RN1 time, tokens and cost count for the phase in which they were used', () => {
  const life = RunLife.in('plan');
  life.activeMs = 4_000;
  life.happen(replied({}, USED)).hear();
  life.activeMs = 5_000;
  life.happen(replied({}, USED));
  const { plan, execute, review } = life.state.spent;
  expect(plan).toEqual({ ...USED, activeMs: 4_000, turns: 1 });
  expect(execute).toEqual({ ...USED, activeMs: 1_000, turns: 1 });
  expect(review.turns).toBe(0);
});

it('RN1 an agent that answers without a plan fails the run', () => {
  const life = RunLife.in('plan').happen(replied({ plan: ' \n' }));
  expect(life.place).toBe('plan ending client_failed');
});

it('RN2 the checks come before the reviewer, and a failed one opens a fix round', () => {
  const life = RunLife.in('execute').happen(replied());
  expect(life.message).toBeNull();
  life.happen(checked('no greeting'));
  expect([life.place, life.message, life.state.iteration]).toEqual(['fix talking', OPEN, 1]);
  expect(life.state.spent.review.turns).toBe(0);
  life.hear().happen(replied()).happen(checked());
  expect([life.place, life.state.rounds.length]).toEqual(['review talking', 2]);
  expect(life.state.conversations.review).toBeNull();
});

it('RN3 B4-4 a reviewer who finds something opens a fix round, and reviews again', () => {
  const life = RunLife.in('review').happen(reviewed('fail'));
  expect([life.place, life.state.iteration, life.state.proof]).toEqual([
    'fix talking',
    1,
    'refuted',
  ]);
  expect(life.state.rounds).toMatchObject([{ verdict: 'fail', findings: 'the name is missing' }]);
  const { nonce } = life.state;
  life.hear().happen(replied()).happen(checked());
  expect(life.message).toEqual(OPEN);
  expect(life.state.nonce).not.toBe(nonce);
});

it.each([
  ['passed', 'complete ending completed', 'proven'],
  ['none', 'review ending no_verdict', 'unproven'],
] as const)(
  'RN3 no verdict is asked for once; then checks that %s decide',
  (outcome, place, proof) => {
    const life = RunLife.in('execute').happen(replied()).happen(checked('', { outcome }));
    const { nonce } = life.state;
    life.hear().happen(reviewed('unclear'));
    expect([life.message?.kind, life.state.nonce]).toEqual(['verdict', nonce]);
    life.hear().happen(reviewed('unclear', ''));
    expect([life.place, life.state.proof]).toEqual([place, proof]);
    expect(life.state.rounds).toMatchObject([
      { verdict: 'unclear', findings: 'the name is missing' },
    ]);
  },
);

it('RN3 a verdict alone keeps the findings that came before it', () => {
  const life = RunLife.in('review').happen(reviewed('unclear')).hear();
  life.happen(reviewed('fail', ''));
  expect(life.state.rounds).toMatchObject([{ verdict: 'fail', findings: 'the name is missing' }]);
  expect(life.place).toBe('fix talking');
});

it('RN17 a reviewer who did not hear is asked again about the same round', () => {
  const life = RunLife.in('execute').happen(replied()).happen(checked());
  life.happen(failed('overloaded', 'not_heard'));
  life.wallMs += 30_000;
  life.happen({ kind: 'tick' }).begin();
  expect(life.last).toEqual(['check']);
  life.happen(checked('', { changed: false, commit: 'c1' }));
  expect(life.state.rounds).toMatchObject([{ commit: 'c1', changed: true }]);
  life.hear().happen(reviewed('fail'));
  expect([life.place, life.state.unchangedRounds]).toEqual(['fix talking', 0]);
});

it('RN4 a plan waits for a person, and is executed when it is accepted', () => {
  const life = RunLife.in('plan', { review_plan: true }).happen(replied());
  expect([life.place, life.last, due(life)]).toEqual([
    'plan waiting plan_review',
    ['write_plan'],
    null,
  ]);
  life.happen({ kind: 'tick' });
  expect(life.place).toBe('plan waiting plan_review');
  life.happen({ kind: 'plan_accepted', author: 'Ada' });
  expect(life.place).toBe('execute queued');
  expect(life.begin().message).toEqual(OPEN);
});

it('RN18 what people say about a plan comes with the request for a whole one', () => {
  const life = RunLife.in('plan', { review_plan: true }).happen(replied()).say('a').begin();
  expect(life.message).toEqual({ kind: 'open', inputId: 'a' });
  life.hear().happen(replied({ plan: '- [ ] Greet in Latin' }));
  expect([life.place, life.plan]).toEqual(['plan waiting plan_review', '- [ ] Greet in Latin']);
});

it('RN18 a run stopped while its plan waits still waits for the same plan', () => {
  const life = RunLife.in('plan', { review_plan: true }).happen(replied()).happen(STOP);
  expect(life.place).toBe('plan over user_stop');
  life.happen(resumed());
  expect([life.place, life.last]).toEqual(['plan waiting plan_review', []]);
  life.happen(STOP).happen(resumed('plan')).begin();
  expect([life.place, life.message]).toEqual(['plan talking', OPEN]);
});

it('RN4 an accept at any other moment changes nothing', () => {
  const life = RunLife.in('execute').happen({ kind: 'plan_accepted', author: 'Ada' });
  expect(life.place).toBe('execute talking');
});

it.each([
  ['the same failure', ['a', 'a', 'a'], true, 'the same failure came back after every fix: a'],
  ['failures that alternate', ['a', 'b', 'a', 'b', 'a'], true, 'the same failures alternate: a'],
  ['rounds that change nothing', ['a', 'b'], false, 'the last fix rounds changed nothing: b'],
])('RN5 %s end it as stuck', (_, signatures, changed, error) => {
  const life = RunLife.in('execute').happen(replied());
  for (const signature of signatures) {
    expect(life.place).toBe('review checking');
    fixed(life, signature, changed);
  }
  expect(life.state.now).toMatchObject({ stage: 'ending', result: { reason: 'stuck', error } });
  life.happen({ kind: 'ended' });
  expect(life.of('run.done')).toMatchObject([{ status: 'failed', proof: 'refuted' }]);
});

it('RN5 a round that changes something is not the second without a change', () => {
  const life = RunLife.in('execute').happen(replied());
  fixed(fixed(fixed(life, 'a', false), 'b', true), 'c', false);
  expect(life.place).toBe('review checking');
});

it.each([0, 2])('RN5 no more than %i fix rounds', (max_fix_rounds) => {
  const life = RunLife.in('execute', { max_fix_rounds }).happen(replied());
  for (let round = 0; round <= max_fix_rounds; round += 1) fixed(life, `f${round}`);
  expect([life.place, life.state.iteration]).toEqual(['review ending fix_limit', max_fix_rounds]);
  expect(life.state.signatures.length).toBe(max_fix_rounds + 1);
});

it('RN5 the time at work ends a turn in the middle', () => {
  const life = RunLife.in('execute', { max_minutes: 2 });
  expect(due(life)).toBe(2 * MINUTE);
  life.activeMs = 2 * MINUTE - 1;
  expect(life.happen({ kind: 'tick' }).place).toBe('execute talking');
  life.activeMs = 2 * MINUTE;
  life.happen({ kind: 'tick' });
  expect([life.place, life.last]).toEqual(['execute ending timeout', ['end']]);
});

it('RN19 the time of a phase is over when it is, however long its turn is', () => {
  const life = RunLife.in('execute', { phases: { execute: { max_minutes: 3 } } });
  expect(due(life)).toBe(3 * MINUTE);
  // No input came in between.
  life.activeMs = MINUTE;
  expect(due(life)).toBe(2 * MINUTE);
  life.activeMs = 3 * MINUTE;
  expect(due(life)).toBe(0);
  expect(life.happen({ kind: 'tick' }).place).toBe('execute ending timeout');
});

it('RN19 one phase’s time and cost are not another’s', () => {
  const phases = { plan: { max_minutes: 1 }, execute: { max_minutes: 1, max_cost_usd: 1.5 } };
  const life = RunLife.in('plan', { phases });
  life.activeMs = MINUTE - 1;
  life.happen(replied({}, USED)).hear();
  expect(due(life)).toBe(MINUTE);
  life.activeMs = 2 * MINUTE - 2;
  const question = { kind: 'reply', text: 'yes' } as const;
  life.happen(replied({ question }, USED)).hear();
  expect([life.place, life.message?.kind]).toEqual(['execute talking', 'reply']);
  expect(life.happen(replied({ question }, USED)).place).toBe('execute ending max_cost');
});

it.each([
  ['max_tokens', { max_tokens: 100 }],
  ['max_cost', { max_cost_usd: 1 }],
])('RN5 nothing is sent beyond %s, even when something waits', (reason, options) => {
  const life = RunLife.in('execute', options).say('a');
  life.happen(replied({}, USED));
  expect([life.place, life.last, life.waiting]).toEqual([
    `execute ending ${reason}`,
    ['end'],
    ['a'],
  ]);
});

it('RN32 refused calls are kept, each once and at most 50, also of a turn that failed', () => {
  const life = new RunLife().begin();
  const denying = (input: MachineInput, denied: string[]) => Object.assign(input, { denied });
  life.hear().happen(denying(replied(), ['Bash: npm publish']));
  life.hear().happen(denying(failed('crashed'), ['Bash: npm publish', 'WebFetch: a']));
  expect(life.state.denied).toEqual(['Bash: npm publish', 'WebFetch: a']);
  const many = Array.from({ length: 60 }, (_, n) => `Bash: ${n}`);
  const other = RunLife.in('plan').happen(denying(replied(), many));
  expect(other.state.denied).toEqual(many.slice(0, 50));
});
