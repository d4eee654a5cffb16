/** The dialog in which a client asks what to do about a usage limit. */
import { expect, it } from 'vitest';
import { Life } from '../../support/auto/loop-life.ts';
import { at, GRACE, HOUR, idle, knows, limit } from '../../support/runs/quota-life.ts';

/** The client asks what to do about its limit. */
function dialog(life: Life, until: number): Life {
  return knows(life, { state: 'waiting', cause: 'dialog', until: at(until), since: at(0) });
}

it('LP67 begins the wait and is left, again after 5 s, three times in all', () => {
  const life = dialog(Life.running(), HOUR);
  expect(life.state).toMatchObject({ status: 'quota_wait', wait: { until: at(HOUR) } });
  expect(life.lastEffects).toEqual([{ kind: 'leave_limit_dialog' }]);
  expect(dialog(life.tick(4_999), HOUR).lastEffects).toEqual([]);
  for (const left of [true, true, false, false]) {
    dialog(life.tick(5_000), HOUR);
    expect(life.lastEffects).toEqual(left ? [{ kind: 'leave_limit_dialog' }] : []);
  }
  expect(life.said).toEqual(['quota_entered']);
});

it('LP67 a prompt that is seen right after it is no sign that the limit is over', () => {
  const life = dialog(Life.running(), HOUR);
  knows(life.tick(100), { since: at(100) });
  knows(life.tick(HOUR), { since: at(100) }, false);
  expect(life.state?.status).toBe('quota_wait');
  knows(life.tick(5_000), { since: at(HOUR) });
  expect(life.state?.status).toBe('running');
});

it('LP67 FA14 that is over as soon when the clock is set back', () => {
  const life = dialog(Life.running(), HOUR);
  life.wallOffsetMs = -3 * HOUR;
  const since = (afterMs: number) => ({ since: at(afterMs - 3 * HOUR) });
  knows(life.tick(100), since(100), false);
  expect(life.state?.status).toBe('quota_wait');
  knows(life.tick(HOUR), since(HOUR));
  expect(life.state?.status).toBe('running');
});

it('LP67 any other dialog is for a person', () => {
  const life = knows(Life.running(), { state: 'waiting', cause: 'dialog' });
  expect([life.state?.status, life.lastEffects]).toEqual(['running', []]);
});

it('LP67 the wait goes its way once the dialog is left', () => {
  const life = limit(dialog(Life.running(), HOUR).tick(5_000), HOUR);
  expect(life.lastEffects).toEqual([]);
  idle(life.tick(HOUR + GRACE));
  expect(life.lastEffects).toMatchObject([{ kind: 'type', cause: 'quota', answer: 'continue' }]);
  // It ran into the limit again.
  dialog(life.tick(1_000), 2 * HOUR);
  expect(life.state?.status).toBe('quota_wait');
});
