/** What a task does about its claims. */
import { expect, it } from 'vitest';
import { replied, TaskLife } from '../../support/tasks/task-life.ts';

const HELD = { kind: 'claimed' as const, claims: [{ key: 'k', revision: 7 }] };

it('FC4 FC5 claims are kept until the work is over and nothing of it runs', () => {
  const life = new TaskLife().happen({ kind: 'begin', author: 'Ada' }).happen(HELD);
  expect(life.state.claims).toEqual(HELD.claims);
  life.happen({ kind: 'granted' }).happen({ kind: 'prepared' }).happen({ kind: 'unclaimed' });
  life.hear().happen(replied()).happen({ kind: 'unclaimed' });
  expect(life.state).toMatchObject({ status: 'RUNNING', claims: HELD.claims });
  life.happen({ kind: 'stop', author: 'Ada' }).happen({ kind: 'unclaimed' });
  expect(life.state).toMatchObject({ stage: 'ending', claims: HELD.claims });
  life.happen({ kind: 'ended' }).happen({ kind: 'unclaimed' });
  expect(life.state).toMatchObject({ status: 'STOPPED', claims: null });
  life.happen(HELD);
  expect(life.state.claims).toBeNull();
});

it('FC12 a queued task that cannot get its claim says why; what runs says nothing', () => {
  const held = { kind: 'held', reason: 'claimed', detail: 'Host two works there.' } as const;
  const life = new TaskLife().happen({ kind: 'begin', author: 'Ada' }).happen(held);
  const { type, data } = life.events.at(-1) ?? {};
  expect({ type, data }).toMatchObject({
    type: 'task.held',
    data: { reason: 'claimed', detail: 'Host two works there.' },
  });
  const count = life.happen(HELD).happen({ kind: 'granted' }).events.length;
  expect(life.happen(held).events).toHaveLength(count);
});

it('FC7 work whose claim is lost is stopped, in any stage; what is queued claims it again', () => {
  const lost = { kind: 'claim_lost', holder: 'two' } as const;
  const begun = () => new TaskLife().happen({ kind: 'begin', author: 'Ada' }).happen(HELD);
  const preparing = begun().happen({ kind: 'granted' });
  const talking = begun().happen({ kind: 'granted' }).happen({ kind: 'prepared' }).hear();
  for (const life of [preparing, talking]) {
    life.happen(lost);
    expect(life.state).toMatchObject({ status: 'STOPPED', reason: 'claim_lost', claims: null });
    expect(life.last).toEqual(['end']);
    expect(life.events.map(({ type }) => type)).toContain('claim.lost');
  }
  const queued = begun().happen(lost);
  expect(queued.state).toMatchObject({ stage: 'queued', claims: null });
  expect(queued.events.map(({ type }) => type)).not.toContain('claim.lost');
});
