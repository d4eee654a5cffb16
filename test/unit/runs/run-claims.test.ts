/** What a run does about its claims. */
import { expect, it } from 'vitest';
import { replied, resumed, RunLife, STOP } from '../../support/runs/run-life.ts';

const HELD = { kind: 'claimed' as const, claims: [{ key: 'k', revision: 7 }] };
const LOST = { kind: 'claim_lost', holder: 'two' } as const;

it('FC4 FC5 claims are kept until the run is over and nothing of it runs', () => {
  const life = new RunLife().happen(HELD);
  expect(life.state.claims).toEqual(HELD.claims);
  life.begin().happen({ kind: 'unclaimed' });
  expect(life.state.claims).toEqual(HELD.claims);
  life.happen(STOP).happen({ kind: 'unclaimed' });
  expect(life.state).toMatchObject({ now: { stage: 'ending' }, claims: HELD.claims });
  life.happen({ kind: 'ended' }).happen({ kind: 'unclaimed' });
  expect(life.state).toMatchObject({ now: { stage: 'over' }, claims: null });
  life.happen(HELD);
  expect(life.state.claims).toBeNull();
  expect(life.happen(resumed()).happen(HELD).state.claims).toEqual(HELD.claims);
});

it('FC12 a queued run that cannot get its claim says why; what runs says nothing', () => {
  const held = { kind: 'held', reason: 'claimed', detail: 'Host two works there.' } as const;
  const life = new RunLife().happen(held);
  expect(life.of('run.held')).toEqual([
    { run: 'r1', reason: 'claimed', detail: 'Host two works there.' },
  ]);
  life.happen(HELD).happen({ kind: 'granted' }).happen(held);
  expect(life.of('run.held')).toHaveLength(1);
});

it('FC7 a run whose claim is lost is stopped, in any stage; what is queued claims it again', () => {
  const begun = () => new RunLife().happen(HELD).begin();
  const preparing = new RunLife().happen(HELD).happen({ kind: 'granted' });
  const question = { kind: 'person', reason: 'question', question: 'Which?' } as const;
  const waiting = begun().hear().happen(replied()).hear().happen(replied({ question }));
  expect(waiting.place).toBe('execute waiting question');
  for (const life of [preparing, begun().hear()]) {
    life.happen(LOST);
    const result = {
      status: 'stopped',
      reason: 'claim_lost',
      error: 'Host two has the claim now.',
    };
    expect(life.state).toMatchObject({ now: { stage: 'ending', result }, claims: null });
    expect(life.of('claim.lost')).toEqual([{ run: 'r1', holder: 'two' }]);
  }
  expect(waiting.happen(LOST).state.now).toMatchObject({
    stage: 'over',
    result: { reason: 'claim_lost' },
  });
  const queued = new RunLife().happen(HELD).happen(LOST);
  expect(queued.state).toMatchObject({ now: { stage: 'queued' }, claims: null });
  expect(queued.of('claim.lost')).toEqual([]);
});
