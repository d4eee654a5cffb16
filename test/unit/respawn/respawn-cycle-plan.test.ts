/** A plan that opens in the middle of a cycle. */
import { expect, it } from 'vitest';
import type { RespawnConfigChange } from '../../../shared/schema/loops/respawn.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const MENU = ['❯ 1. Yes, and auto-accept edits', '2. No, keep planning'];

/** In the update of a first cycle, which is a turn. */
const updating = (change: RespawnConfigChange = {}) =>
  RespawnLife.plain({ plan_check_enabled: false, kickstart_prompt: 'Go on.', ...change })
    .working()
    .ready()
    .tick(4_000)
    .deliver()
    .working();
const plan = (life: RespawnLife) =>
  life
    .agent('waiting', { cause: 'plan', witness: 'screen' })
    .output({ isSubstantial: true, menu: MENU });

it('RS17 RS56 ends it, and is accepted from watching after its silence', () => {
  const life = plan(updating().forget());
  expect([life.name, life.said.at(-2)]).toEqual(['watching', 'cycle_done planned']);
  life.tick(7_999);
  expect(life.done).toEqual([]);
  life.tick(1);
  expect(life.done).toEqual(['press Enter']);
  life.working().ready().tick(4_000);
  expect([life.submitted, life.known.cycles]).toEqual([['submit update'], 2]);
});

it('RS18 RS56 a request that comes before the dialog is seen ends it too', () => {
  const life = updating().forget().see({ planRequest: 'item-8' });
  expect(life.name).toBe('watching');
  life.agent('waiting', { cause: 'plan', witness: 'hook' }).tick(8_000);
  expect(life.done).toEqual(['allow item-8']);
});

it.each([
  ['sending_clear', 1],
  ['waiting_clear', 2],
  ['sending_init', 3],
  ['waiting_init', 4],
  ['monitoring_init', 5],
  ['sending_kickstart', 6],
  ['waiting_kickstart', 7],
])('RS56 is accepted in %s', (state, count) => {
  const life = updating();
  const steps = [
    () => life.ready().tick(10_000),
    () => life.tick(1_000).deliver(),
    () => life.output({ isPrompt: true }),
    () => life.tick(1_000).deliver(),
    () => life.working().ready().tick(10_000),
    () => life.tick(3_000),
    () => life.tick(1_000).deliver(),
  ];
  for (const step of steps.slice(0, count)) step();
  expect(life.name).toBe(state);
  const sent = life.submitted.length;
  plan(life).tick(60_000);
  expect(life.done).toContain('press Enter');
  expect(life.submitted).toHaveLength(sent);
});

it('RS56 a text on its way is taken back for it', () => {
  const life = RespawnLife.plain({ plan_check_enabled: false }).working().ready().tick(4_000);
  plan(life);
  expect([life.name, life.done]).toEqual(['watching', ['submit update', 'withdraw']]);
  life.deliver('failed').tick(8_000);
  expect(life.done.at(-1)).toBe('press Enter');
});

it.each([
  ['plans are not accepted', updating({ auto_accept_plans: false })],
  ['a question is open', updating().hook('asked')],
  ['a person has the keys', updating().see({ keys: 'mia' })],
])('RS56 while %s the cycle waits for the person, and continues', (_, life) => {
  plan(life).tick(3_600_000);
  expect([life.name, life.done]).toEqual(['waiting_update', ['submit update']]);
  expect(life.known.run?.block?.reason).toMatch(/^(?:waiting_for_person|keys_taken)$/);
  life.hook('answered').see({ keys: null }).working().ready().tick(10_000);
  expect(life.name).toBe('sending_clear');
});

it.each([
  ['was paused', (life: RespawnLife) => plan(life.pause()).resume()],
  [
    'is configured',
    (life: RespawnLife) =>
      plan(life.configure({ auto_accept_plans: false })).configure({ auto_accept_plans: true }),
  ],
])('RS56 one that opened before it %s is accepted', (_, happen) => {
  const life = happen(updating()).tick(120_000);
  expect(life.done.filter((done) => done === 'press Enter')).toHaveLength(1);
});
