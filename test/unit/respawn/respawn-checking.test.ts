/** The model that is asked whether an agent is idle: when, and the effect of its answer. */
import { describe, expect, it } from 'vitest';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

/** In `ai_checking`, by the pre-filter. */
function checking(change = {}): RespawnLife {
  const life = RespawnLife.watching(change).text().tick(10_000);
  expect([life.name, life.done]).toEqual(['ai_checking', ['ask idle']]);
  return life;
}

describe('the idle check', () => {
  it('RS14 AIC-001 IDLE begins a cycle', () => {
    const life = checking().answer({ verdict: 'IDLE', reasoning: 'at its prompt' });
    expect(life.said).toEqual([
      'check idle started',
      'state ai_checking',
      'check idle IDLE',
      'state sending_update',
    ]);
  });

  it('RS14 AIC-002 WORKING pauses the check, and no cycle begins meanwhile', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: 'a build runs' });
    expect(life.name).toBe('watching');
    expect(life.tick(179_999).done).toEqual(['ask idle']);
    expect(life.name).toBe('watching');
    expect(life.tick(1).done).toEqual(['ask idle', 'ask idle']);
  });

  it('RS15 AIC-003 AIC-004 ER-004 an error pauses the check, longer each time', () => {
    const life = checking().answer({ error: 'the client could not be started' });
    expect([life.name, life.known.idleChecker.status]).toEqual(['watching', 'cooldown']);
    expect(life.tick(59_999).done).toHaveLength(1);
    expect(life.tick(1).done).toHaveLength(2);
    life.answer({ error: 'no verdict in the answer' });
    expect(life.tick(119_999).done).toHaveLength(2);
    expect(life.tick(1).done).toHaveLength(3);
  });

  it('RS15 AIC-009 three errors in a row turn it off, and the other layers decide', () => {
    const life = checking().answer({ error: 'one' }).tick(60_000).answer({ error: 'two' });
    life.tick(120_000).answer({ error: 'three' });
    expect(life.known.idleChecker).toMatchObject({ status: 'disabled', reason: 'three' });
    expect(life.events.at(-2)?.data).toMatchObject({ status: 'failed', disabled: true });
    expect(life.tick(30_000).name).toBe('sending_update');
    expect(life.done).toHaveLength(3);
  });

  it.each([
    ['by hand', (life: RespawnLife) => life.meet({ kind: 'enable_check', check: 'idle' })],
    ['by its configuration', (life: RespawnLife) => life.configure({ idle_check_model: 'haiku' })],
  ])('RS15 AIC-010 it is turned on again %s', (_, enable) => {
    const life = checking().answer({ error: 'one' }).tick(60_000).answer({ error: 'two' });
    life.tick(120_000).answer({ error: 'three' });
    expect(enable(life).known.idleChecker).toMatchObject({ status: 'ready', errors: 0 });
    expect(life.text().tick(10_000).name).toBe('ai_checking');
  });

  it('RS15 a verdict resets the count of errors', () => {
    const life = checking().answer({ error: 'one' }).tick(60_000);
    life.answer({ verdict: 'WORKING', reasoning: '' });
    expect(life.known.idleChecker.errors).toBe(0);
  });

  it.each([
    ['AIC-005 work', (life: RespawnLife) => life.output({ work: '⠋ Thinking' }), 'watching'],
    ['AIC-006 new text', (life: RespawnLife) => life.text(), 'watching'],
    ['a line that ends a turn', (life: RespawnLife) => life.completes(), 'confirming_idle'],
    ['a Stop hook', (life: RespawnLife) => life.hook('stop'), 'confirming_idle'],
    ['an idle hook', (life: RespawnLife) => life.hook('idle'), 'sending_update'],
  ])('RS12 %s cancels a check', (_, happen, state) => {
    const life = happen(checking());
    expect([life.name, life.done]).toEqual([state, ['ask idle', 'drop_check']]);
    expect(life.known.idleChecker).toMatchObject({ status: 'ready', errors: 0 });
  });

  it('RS12 a redraw cancels no check', () => {
    expect(checking().output({ isPrompt: true }).name).toBe('ai_checking');
  });

  it('RS14 AIC-007 a check that pauses is not asked after a completion either', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: '' }).completes().tick(10_000);
    expect([life.name, life.done]).toEqual(['watching', ['ask idle']]);
  });

  it('RS14 AIC-008 the end of the pause starts the pre-filter again', () => {
    const life = checking().answer({ verdict: 'WORKING', reasoning: '' }).tick(100_000).text();
    expect(life.tick(79_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
  });

  it('RS14 AIC-011 silence asks where the pre-filter has not', () => {
    const life = RespawnLife.watching({ idle_timeout_ms: 60_000 }).tick(29_999);
    expect(life.name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
  });

  it('RS14 AIC-012 the pre-filter wants silence, no work and stable tokens', () => {
    const life = RespawnLife.watching({ idle_timeout_ms: 1_000 }).output({ work: '⠋ x' });
    expect(life.tick(7_999).name).toBe('watching');
    expect(life.tick(1).name).toBe('ai_checking');
    const counting = RespawnLife.watching().text().tick(5_000);
    counting.output({ isSubstantial: true, tokens: 12 }).tick(9_999);
    expect(counting.name).toBe('watching');
    expect(counting.tick(1).name).toBe('ai_checking');
    const redrawn = RespawnLife.watching().text().tick(5_000).output({ tokens: 12 }).tick(9_999);
    expect(redrawn.name).toBe('watching');
    expect(redrawn.tick(1).name).toBe('ai_checking');
  });

  it('RS16 AIC-013 an answer that comes too late changes nothing', () => {
    const life = checking();
    const late = life.lastCheck;
    life.text().tick(10_000);
    expect(life.done).toEqual(['ask idle', 'drop_check', 'ask idle']);
    const before = life.known;
    life.meet({ kind: 'verdict', check: late, result: { verdict: 'IDLE', reasoning: '' } });
    expect(life.known).toEqual(before);
    life.meet({ kind: 'verdict', check: late, result: { error: 'killed' } });
    expect(life.known).toEqual(before);
    expect(life.answer({ verdict: 'IDLE', reasoning: '' }).name).toBe('sending_update');
  });

  it('RS15 a check that never ends is an error', () => {
    const life = checking().tick(99_999);
    expect(life.name).toBe('ai_checking');
    life.tick(1);
    expect([life.name, life.known.idleChecker.errors]).toEqual(['watching', 1]);
    expect(life.done).toEqual(['ask idle', 'drop_check']);
  });

  it('RS14 a model is not asked where the client itself knows, nor while a cycle is blocked anyway', () => {
    expect(RespawnLife.watching().working().ready().tick(60_000).done).not.toContain('ask idle');
    const waiting = RespawnLife.watching().agent('waiting', { cause: 'question' });
    expect(waiting.tick(600_000).done).toEqual([]);
    expect(waiting.known.run?.block?.reason).toBe('waiting_for_person');
  });

  it('RS16 a check that is turned off is cancelled, and silence decides', () => {
    const life = checking().configure({ idle_check_enabled: false });
    expect(life.name).toBe('watching');
    expect(life.tick(30_000).name).toBe('sending_update');
  });

  it('RS34 CO-003 a check keeps running when anything else is configured', () => {
    const life = checking().configure({ update_prompt: 'Write it down.' });
    expect(
      life.answer({ verdict: 'IDLE', reasoning: '' }).tick(1_000).effects.at(-1),
    ).toMatchObject({
      text: 'Write it down.',
    });
  });
});
