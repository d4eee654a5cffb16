/** The model that is asked before a plan is accepted. */
import { describe, expect, it } from 'vitest';
import { PLAN_MENU as MENU, RespawnLife } from '../../support/respawn/respawn-life.ts';

const YES = { verdict: 'PLAN_MODE', reasoning: 'it asks to proceed' } as const;
const NO = { verdict: 'NOT_PLAN_MODE', reasoning: 'a quoted menu' } as const;

describe('the plan check', () => {
  it('RS17 APC-001 PLAN_MODE accepts', () => {
    const life = RespawnLife.planning().tick(8_000);
    expect(life.done).toEqual(['ask plan']);
    expect(life.answer(YES).done).toEqual(['ask plan', 'press Enter']);
    expect(life.said).toContain('check plan PLAN_MODE');
  });

  it('RS14 APC-002 APC-011 NOT_PLAN_MODE pauses the check for 30 s', () => {
    const life = RespawnLife.planning().tick(8_000).answer(NO).tick(29_999);
    expect(life.done).toEqual(['ask plan']);
    expect(life.tick(1).done).toEqual(['ask plan', 'ask plan']);
  });

  it('RS17 APC-003 a running check is not started a second time', () => {
    expect(RespawnLife.planning().tick(8_000).tick(50_000).done).toEqual(['ask plan']);
  });

  it.each([
    ['new text', (life: RespawnLife) => life.output({ isSubstantial: true, menu: MENU })],
    ['work', (life: RespawnLife) => life.output({ work: '✻ Cooking…', menu: MENU })],
  ])('RS12 APC-004 %s cancels the check', (_, happen) => {
    const life = happen(RespawnLife.planning().tick(8_000));
    expect(life.done).toEqual(['ask plan', 'drop_check']);
    expect(life.answer(YES).done).not.toContain('press Enter');
  });

  it('RS16 APC-005 a verdict on an earlier screen accepts nothing', () => {
    const life = RespawnLife.planning().tick(8_000);
    const late = life.lastCheck;
    life.output({ isSubstantial: true, menu: MENU }).tick(8_000);
    life.meet({ kind: 'verdict', check: late, result: YES });
    expect(life.done).not.toContain('press Enter');
    expect(life.answer(YES).done.at(-1)).toBe('press Enter');
  });

  it('RS16 APC-006 a verdict that finds another state accepts nothing', () => {
    const life = RespawnLife.planning().tick(8_000).hook('stop');
    expect([life.name, life.done]).toEqual(['confirming_idle', ['ask plan', 'drop_check']]);
    expect(life.answer(YES).done).toHaveLength(2);
  });

  it('RS19 a question that opens during a check closes the gate', () => {
    const life = RespawnLife.planning().tick(8_000).hook('asked').answer(YES);
    expect(life.done).not.toContain('press Enter');
  });

  it('RS15 after three errors a plan waits for a person', () => {
    const life = RespawnLife.planning();
    for (const error of ['one', 'two', 'three']) life.tick(300_000).answer({ error });
    expect(life.known.planChecker.status).toBe('disabled');
    life.output({ isSubstantial: true, menu: MENU }).tick(600_000);
    expect(life.done).toEqual(['ask plan', 'ask plan', 'ask plan']);
  });

  it('RS14 TC-003 both checks pause independently', () => {
    const life = RespawnLife.watching().text().tick(10_000);
    life.answer({ verdict: 'WORKING', reasoning: '' });
    life.agent('waiting', { cause: 'plan', witness: 'screen' });
    life.output({ isSubstantial: true, menu: MENU }).tick(8_000).answer(NO);
    expect(life.known.idleChecker.status).toBe('cooldown');
    expect(life.known.planChecker.status).toBe('cooldown');
    life.tick(30_000);
    expect(life.done).toEqual(['ask idle', 'ask plan', 'ask plan']);
  });

  it('RS16 a check that is turned off is cancelled', () => {
    const life = RespawnLife.planning().tick(8_000).configure({ plan_check_enabled: false });
    expect(life.done).toEqual(['ask plan', 'drop_check']);
    expect(life.answer(YES).done).toHaveLength(2);
  });
});
