/** The rules of a run, one at a time: how it ends, and how it is resumed. */
import { expect, it } from 'vitest';
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

const USED = { inputTokens: 7, outputTokens: 100, costUsd: 1 };
const OPEN = { kind: 'open', inputId: null };

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

it.each([
  ['a failure', (life: RunLife) => life.happen(failed('invalid_request')), 'failed'],
  ['a passed review', (life: RunLife) => life.happen(reviewed('pass')), 'done'],
] as const)('RN61 %s ends a run that is at work, and it is never stopping', (_, act, end) => {
  const life = RunLife.in('review');
  const before = life.of('run.status').length;
  act(life);
  expect(life.state.now.stage).toBe('ending');
  life.happen({ kind: 'ended' });
  const since = life.of('run.status').slice(before);
  expect(since).toMatchObject([{ before: 'running', status: end }]);
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
