/** When a plan is accepted without a person, and everything that forbids it. */
import { describe, expect, it } from 'vitest';
import type { RespawnConfigChange } from '../../../shared/schema/loops/respawn.ts';
import { PLAN_MENU as MENU, RespawnLife } from '../../support/respawn/respawn-life.ts';

const notAccepted = (mayRetry: boolean) =>
  ({ kind: 'accepted', via: 'key', error: 'another program is in front', mayRetry }) as const;

/** The same without a model to ask. */
const unchecked = (change: RespawnConfigChange = {}) =>
  RespawnLife.planning({ plan_check_enabled: false, ...change });

describe('accepting', () => {
  it('RS17 a plan is accepted after 8 s of silence', () => {
    const life = unchecked().tick(7_999);
    expect(life.done).toEqual([]);
    life.tick(1);
    expect(life.done).toEqual(['press Enter']);
    expect(life.said.filter((said) => said.startsWith('auto'))).toEqual([]);
    life.meet({ kind: 'accepted', via: 'key', error: null, mayRetry: false });
    expect(life.said.at(-1)).toBe('auto_accepted key');
  });

  it('RS18 the request of the client is answered without a key, and needs no model', () => {
    const life = RespawnLife.watching().agent('waiting', { cause: 'plan', witness: 'hook' });
    life.see({ planRequest: 'item-7' }).tick(8_000);
    expect(life.effects).toEqual([{ kind: 'accept_plan', request: 'item-7' }]);
    life.meet({ kind: 'accepted', via: 'hook', error: null, mayRetry: false });
    expect(life.said.at(-1)).toBe('auto_accepted hook');
  });

  it('RS59 a request that arrives after the delay is accepted after another one', () => {
    const life = RespawnLife.watching().agent('waiting', { cause: 'plan', witness: 'hook' });
    life.tick(20_000);
    expect(life.done).toEqual([]);
    life.see({ planRequest: 'item-7' }).tick(7_999);
    expect(life.done).toEqual([]);
    life.tick(1);
    expect(life.done).toEqual(['allow item-7']);
    // The same request is no news.
    life.see({ planRequest: 'item-7' }).tick(60_000);
    expect(life.done).toHaveLength(1);
  });

  it('RS59 so is one that arrives before its dialog is seen', () => {
    const life = RespawnLife.watching().see({ planRequest: 'item-7' }).tick(8_000);
    expect(life.done).toEqual(['allow item-7']);
  });

  it.each(['permission', 'question', 'dialog'] as const)(
    'RS19 a plan whose dialog looked like a %s while it was drawn is accepted',
    (cause) => {
      const life = RespawnLife.watching({ plan_check_enabled: false });
      life.agent('waiting', { cause, witness: 'screen' }).tick(20_000);
      life.agent('waiting', { cause: 'plan', witness: 'screen' });
      life.output({ isSubstantial: true, menu: MENU }).tick(8_000);
      expect(life.done).toEqual(['press Enter']);
    },
  );

  it('RS55 a menu of before that is read after the delay is accepted after another one', () => {
    const life = RespawnLife.watching({ plan_check_enabled: false });
    life.agent('waiting', { cause: 'plan', witness: 'screen' }).tick(20_000);
    life.output({ menu: MENU }).tick(7_999);
    expect(life.done).toEqual([]);
    life.tick(1);
    expect(life.done).toEqual(['press Enter']);
  });

  it('RS18 an acceptance that failed is noted and not reported as one', () => {
    const life = unchecked().tick(8_000);
    life.meet(notAccepted(false)).tick(600_000);
    expect(life.said).not.toContain('auto_accepted key');
    expect(life.known.actions.map(({ detail }) => detail)).toContainEqual(
      expect.stringContaining('another program is in front'),
    );
    expect(life.done).toEqual(['press Enter']);
  });

  it('RS20 an acceptance that pressed nothing is tried again after 5 s', () => {
    const life = unchecked().tick(8_000);
    life.meet(notAccepted(true)).tick(4_999);
    expect(life.done).toEqual(['press Enter']);
    life.tick(1);
    expect(life.done).toEqual(['press Enter', 'press Enter']);
    life.meet(notAccepted(true)).ready().tick(60_000);
    expect(life.done.filter((done) => done === 'press Enter')).toHaveLength(2);
  });

  it('RS17 TC-004 a delay of 0 accepts at once', () => {
    expect(unchecked({ auto_accept_delay_ms: 0 }).done).toEqual(['press Enter']);
  });

  it('RS20 one plan is accepted for each silence', () => {
    const life = unchecked().tick(8_000).tick(600_000);
    expect(life.done).toEqual(['press Enter']);
    life.output({ isSubstantial: true, menu: MENU }).tick(8_000);
    expect(life.done).toEqual(['press Enter', 'press Enter']);
  });

  it.each([
    ['silence', { no_output_timeout_ms: 5_000 }],
    ['the idle check', { idle_timeout_ms: 5_000 }],
  ])('RS52 a shorter wait for %s does not postpone it', (_, change) => {
    expect(unchecked({ ...change, completion_confirm_ms: 1_000 }).tick(8_000).done).toEqual([
      'press Enter',
    ]);
  });

  it('RS17 new text restarts the delay', () => {
    const life = unchecked().tick(7_000).output({ isSubstantial: true, menu: MENU }).tick(7_999);
    expect(life.done).toEqual([]);
    expect(life.tick(1).done).toEqual(['press Enter']);
  });
});

describe('a plan that something holds', () => {
  const HOLD = {
    reason: 'budget',
    kind: 'spent',
    text: '$5 of $5 are used',
    untilMs: null,
  } as const;

  /** By default. */
  const SILENCE_MS = 30_000;
  const DELAY_MS = 8_000;

  it.each([
    ['a budget is used up', { budget: HOLD }, { budget: null }],
    ['a person has the keys', { keys: 'ada' }, { keys: null }],
  ])('RS17 BG10 while %s it waits, and is accepted after the next silence', (_, held, free) => {
    const life = unchecked().see(held).tick(615_000);
    expect(life.done).toEqual([]);
    expect(life.see(free).tick(SILENCE_MS + DELAY_MS).done).toEqual(['press Enter']);
  });

  it('RS17 a plan that is open when the daemon starts again is accepted after the grace', () => {
    const life = unchecked().meet({ kind: 'restored' }).agent('waiting', { cause: 'plan' });
    life.output({ menu: MENU }).tick(119_999);
    expect(life.done).toEqual([]);
    expect(life.tick(SILENCE_MS + DELAY_MS).done).toEqual(['press Enter']);
  });

  it('RS17 one that was answered meanwhile is not', () => {
    const life = unchecked().see({ keys: 'ada' }).tick(600_000).ready().see({ keys: null });
    expect(life.tick(60_000).done).not.toContain('press Enter');
  });
});

describe('gates', () => {
  const question = (life: RespawnLife) =>
    life.agent('waiting', { cause: 'question', detail: 'Which?' }).output({
      isSubstantial: true,
      menu: ['❯ 1. Yes', '2. No'],
    });

  it.each([
    ['it is turned off', () => unchecked({ auto_accept_plans: false })],
    [
      'a dialog shows that is not understood',
      () => unchecked().agent('waiting', { cause: 'dialog' }),
    ],
    ['APC-007 APC-008 no menu shows', () => unchecked().output({ isSubstantial: true })],
    ['a question shows', () => question(RespawnLife.plain({ plan_check_enabled: false }))],
    [
      'a permission shows',
      () =>
        RespawnLife.plain({ plan_check_enabled: false })
          .agent('waiting', { cause: 'permission' })
          .output({ isSubstantial: true, menu: ['❯ 1. Yes', '2. No'] }),
    ],
    ['a question is open in a hook', () => unchecked().hook('asked')],
    ['the agent is at its prompt', () => unchecked().ready()],
    ['the agent works', () => unchecked().working()],
    ['no agent is seen', () => unchecked().see({ agent: null })],
    ['a turn is over', () => unchecked().completes()],
    ['it is paused', () => unchecked().pause()],
    ['it is stopped', () => unchecked().stop()],
  ])('RS17 RS19 nothing is accepted while %s', (_, make) => {
    expect(make().tick(60_000).done).not.toContain('press Enter');
  });

  it('RS19 an open question blocks plans until a person answered', () => {
    const life = unchecked().hook('asked').tick(60_000);
    expect(life.done).toEqual([]);
    life.hook('answered').output({ isSubstantial: true, menu: MENU }).tick(8_000);
    expect(life.done).toEqual(['press Enter']);
  });

  it('RS19 an open question blocks plans until a new turn begins', () => {
    const life = question(RespawnLife.plain({ plan_check_enabled: false })).tick(60_000);
    expect(life.known.run?.signs.asked).not.toBeNull();
    life.hook('prompt').agent('waiting', { cause: 'plan' });
    life.output({ isSubstantial: true, menu: MENU }).tick(8_000);
    expect(life.done).toEqual(['press Enter']);
  });

  it.each(['ready', 'working'] as const)('RS19 it was answered when the agent is %s', (state) => {
    const life = question(RespawnLife.plain({ plan_check_enabled: false })).tick(60_000);
    // Its clock may be behind.
    life.agent(state, { since: new Date(0).toISOString() });
    expect(life.known.run?.signs.asked).toBeNull();
  });

  it('RS19 it stays open next to work in the background', () => {
    const life = question(RespawnLife.plain({ plan_check_enabled: false })).tick(60_000);
    life.see({ background: { subagents: 1, shells: 0, teammates: 0 } });
    expect(life.known.run?.signs.asked).not.toBeNull();
  });
});
