/** Waits for quota: the paused clock, the reset, the nudge. */
import { describe, expect, it } from 'vitest';
import { loopNeed } from '../../../server/auto/executor/loop-need.ts';
import { loopView } from '../../../server/auto/loop-view.ts';
import { nextDeadline } from '../../../server/auto/machine/transition.ts';
import { Life, POLICY, START_WALL } from '../../support/auto/loop-life.ts';
import { at, GRACE, HOUR, idle, knows, limit } from '../../support/runs/quota-life.ts';

/** A loop whose reset and grace are over, with its one nudge typed. */
function nudged(): Life {
  const life = limit(Life.running(), HOUR);
  return idle(life.tick(HOUR + GRACE));
}

describe('the wait', () => {
  it('LP21 begins with a limit, says until when and on whose evidence', () => {
    const life = limit(Life.running(), HOUR);
    expect(life.said).toEqual(['quota_entered']);
    expect(life.state).toMatchObject({
      status: 'quota_wait',
      wait: { reason: 'quota', until: at(HOUR), evidence: [{ witness: 'screen' }] },
    });
  });

  it.each(['ready', 'retrying', 'errored', 'waiting', 'unknown'] as const)(
    'LP21 does not begin with an agent that is %s',
    (state) => {
      const life = knows(Life.running(), { state, cause: 'rate_limit' });
      expect(life.state?.status).toBe('running');
    },
  );

  it('CL54 says what it waits for at each moment, never a time that has passed', () => {
    const view = (life: Life) =>
      life.state && loopView(life.state, life.ageMs, START_WALL + life.ageMs).wait;
    const life = limit(Life.running(), HOUR);
    expect(view(life)).toMatchObject({
      until: at(HOUR),
      next: expect.stringMatching(/^Resumes after the reset/) as string,
    });
    idle(life.tick(HOUR + 1));
    expect(view(life)).toMatchObject({
      until: at(HOUR + GRACE),
      next: expect.stringMatching(/^The limit was reset\. Loopwatch nudges/) as string,
    });
    idle(life.tick(GRACE), false);
    expect(view(life)).toMatchObject({
      until: null,
      next: expect.stringMatching(/^Another loop or task tries the limit first/) as string,
    });
    idle(life);
    expect(view(life)).toMatchObject({
      until: at(life.ageMs + 60_000),
      next: expect.stringMatching(/^The agent was nudged/) as string,
    });
    idle(life.tick(60_000));
    const again = at(life.ageMs + (POLICY.quotaDelaysMs[1] ?? 0));
    expect(view(life)).toMatchObject({
      until: again,
      next: expect.stringMatching(/^The last nudge had no effect/) as string,
    });
    const unknown = limit(Life.running(), null);
    expect(view(unknown)?.next).toMatch(/^The reset is not known/);
    expect(Date.parse(view(unknown)?.until ?? '')).toBeGreaterThan(START_WALL + unknown.ageMs);
  });

  it('LP47 pauses the time limit over two waits of ten minutes', () => {
    const life = Life.running({ timeoutMinutes: 10 }).tick(60_000);
    limit(life, null).tick(600_000);
    knows(life, { state: 'working' });
    knows(life.tick(5_000), { state: 'working' });
    life.tick(60_000);
    limit(life, null).tick(600_000);
    knows(life, { state: 'working' });
    knows(life.tick(5_000), { state: 'working' });
    const spent = 60_000 + 60_000;
    expect(life.state?.ageMs).toBe(spent + 2 * 605_000);
    expect(life.tick(600_000 - spent - 1).said).not.toContain('stop_requested timeout');
    expect(life.tick(1).said).toContain('stop_requested timeout');
  });

  it('LP47 reports time spent and time waited while it lasts, and after a restart during it', () => {
    const life = limit(Life.running().tick(60_000), HOUR).tick(600_000);
    const state = life.state;
    if (state === null) throw new Error('ended');
    // A new daemon recovers the stored state: only the state is needed.
    const again = new Life(state, state);
    again.ageMs = life.ageMs;
    const view = loopView(again.tick(600_000).state ?? state, again.ageMs, START_WALL);
    expect(view).toMatchObject({ elapsed_seconds: 60, quota_wait_seconds: 1_200 });
    expect(again.said).toEqual([]);
  });

  it('LP47 keeps the iteration limit', () => {
    const life = limit(Life.running({ maxIterations: 2 }), HOUR).signal({ iteration: 2 });
    expect(life.said.slice(1)).toEqual([
      'signal check',
      'quota_left',
      'stop_requested max_iterations',
    ]);
  });

  it.each([
    ['a stop', (life: Life) => life.stop(), 'stop_requested user_stop'],
    ['a crash', (life: Life) => life.observe('gone'), 'restart_scheduled crashed'],
  ])('LP47 adds up its time when %s ends it', (_, act, word) => {
    const life = act(limit(Life.running(), HOUR).tick(1_000));
    expect(life.said).toContain(word);
    expect(life.said).toContain('quota_left');
    expect(life.state).toMatchObject({ quota: null, quotaWaitTotalMs: 1_000 });
  });
});

describe('the reset', () => {
  it('LP22 gives the client time to continue on its own, and then nudges it once', () => {
    const life = limit(Life.running(), HOUR);
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(HOUR + GRACE);
    idle(life.tick(HOUR + GRACE - 1));
    expect(life.done).toEqual([]);
    idle(life.tick(1));
    expect(life.said.at(-1)).toBe('recovery_tried quota');
    for (let poll = 0; poll < 10; poll += 1) idle(life.tick(2_000));
    expect(life.done).toEqual(['type']);
  });

  it('LP22 LP48 notices that the client continues on its own, and does not nudge it', () => {
    const life = knows(limit(Life.running(), HOUR).tick(HOUR + 91_000), { state: 'working' });
    knows(life.tick(5_000), { state: 'working' });
    expect(life.said.at(-1)).toBe('quota_left');
    expect(life.state).toMatchObject({ status: 'running', wait: null });
    expect(life.tick(GRACE).done).toEqual([]);
  });

  it('LP48 notices a turn that ended between two probes', () => {
    const life = limit(Life.running(), HOUR).tick(HOUR + 91_000);
    expect(idle(life).state?.status).toBe('quota_wait');
    expect(knows(life, {}).said.at(-1)).toBe('quota_left');
    expect(life.tick(GRACE).done).toEqual([]);
  });

  it('LP48 does not count a moment of work that runs into the limit again', () => {
    const life = knows(limit(Life.running(), HOUR).tick(HOUR), { state: 'working' }).tick(2_000);
    limit(life, 2 * HOUR);
    expect(life.said).toEqual(['quota_entered']);
    expect(life.state?.quota).toMatchObject({ workingSinceMs: null, nudges: 0 });
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(2 * HOUR + GRACE);
  });

  it('LP22 LP34 follows a wall clock that jumps, and a machine that was suspended over the reset', () => {
    const life = limit(Life.running(), HOUR);
    const state = life.state;
    if (state === null) throw new Error('ended');
    // On the loop's clock a minute has passed, on the wall two hours.
    const slept = new Life(state, state);
    slept.ageMs = 60_000;
    slept.wallOffsetMs = 2 * HOUR;
    limit(slept, HOUR);
    expect(slept.state && nextDeadline(slept.state, POLICY)).toBe(60_000 + GRACE);
    limit(slept.tick(GRACE), HOUR);
    expect(slept.done).toEqual(['type']);
  });

  it('LP22 tries a limit without a known reset after a quarter of an hour', () => {
    const life = limit(Life.running(), null);
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(900_000 + GRACE);
  });

  it('LP50 follows a reset that moves', () => {
    const life = limit(limit(Life.running(), HOUR).tick(1_000), 3 * HOUR);
    expect(life.state?.wait?.until).toBe(at(3 * HOUR));
    // By the current evidence, not by that of the previous reset.
    expect(life.state?.wait?.evidence).toMatchObject([{ at: at(1_000) }]);
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(3 * HOUR + GRACE);
    expect(life.said).toEqual(['quota_entered']);
  });
});

describe('the nudge', () => {
  it('LP48 counts when work follows and lasts', () => {
    const life = knows(nudged().tick(1_000), { state: 'working' });
    expect(life.state?.status).toBe('quota_wait');
    knows(life.tick(5_000), { state: 'working' });
    expect(life.said.at(-1)).toBe('quota_left');
    expect(life.state?.status).toBe('running');
  });

  it('LP48 counts when a short turn follows, or a question, or a signal', () => {
    const short = knows(knows(nudged().tick(1_000), { state: 'working' }).tick(2_000), {});
    expect(short.state?.status).toBe('running');
    const question = { state: 'waiting', cause: 'permission' } as const;
    expect(knows(nudged().tick(1_000), question).state?.status).toBe('running');
    expect(nudged().signal({}).state?.status).toBe('running');
  });

  it('LP49 without an effect is repeated with longer pauses, and then a person is asked', () => {
    const life = nudged();
    for (const pause of POLICY.quotaDelaysMs.slice(1)) {
      idle(life.tick(60_000));
      expect(life.said.at(-1)).toBe('recovery_failed no_progress');
      idle(life.tick(pause - 1));
      expect(life.said.at(-1)).toBe('recovery_failed no_progress');
      idle(life.tick(1));
      expect(life.said.at(-1)).toBe('recovery_tried quota');
    }
    expect(life.state && loopNeed(life.state)).toBeNull();
    idle(life.tick(60_000));
    expect(life.state).toMatchObject({ status: 'quota_wait', dueMs: null });
    expect(life.state && loopNeed(life.state)).toMatchObject({ reason: 'quota' });
    idle(life.tick(24 * HOUR));
    expect(life.done).toHaveLength(POLICY.quotaDelaysMs.length);
  });

  it('LP50 that meets the same limit again waits for the new reset', () => {
    const life = nudged().tick(3_000);
    limit(life, life.ageMs + 5 * HOUR);
    expect(life.said.at(-1)).toBe('recovery_failed no_progress');
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(life.ageMs + 5 * HOUR + GRACE);
  });

  it('LP49 that could not be typed is repeated', () => {
    const life = nudged();
    life.meet({ kind: 'typed', cause: 'quota', delivery: 'failed', detail: 'person_typing' });
    expect(life.said.at(-1)).toBe('recovery_failed not_delivered');
    expect(idle(life.tick(300_000)).said.at(-1)).toBe('recovery_tried quota');
  });

  it('LP24 waits for the quota gate', () => {
    const life = limit(Life.running(), HOUR).tick(HOUR + GRACE);
    idle(life, false);
    expect(life.done).toEqual([]);
    // What waits for its slot has no deadline that fires again and again.
    expect(life.state && nextDeadline(life.state, POLICY)).toBeNull();
    expect(idle(life.tick(2_000)).done).toEqual(['type']);
  });
});
