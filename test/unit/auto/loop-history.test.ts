/** Past loops, derived from their events: how they ended and where their time went. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loopLength } from '../../../shared/words/work/loop-text.ts';
import {
  EVIDENCE,
  iso,
  started,
  working,
  unknown,
  asking,
  agentGone,
  stall,
  tried,
  recoveryFailed,
  recovered,
  quota,
  quotaLeft,
  restart,
  restarted,
  stopAsked,
  limits,
  signal,
  over,
  type Story,
  loopEvents,
} from '../../support/auto/loop-events.ts';

const spent = (story: Story) => loopEvents(story)[0]?.seconds;

it('LP26 a loop says how it ended and by which evidence', () => {
  const [run] = loopEvents([
    [0, started],
    [1, working],
    [5, signal(2)],
    [6, restart],
    [8, restarted],
    [9, restart],
    [20, over('auto.failed', 'restart_limit')],
  ]);
  expect(run).toEqual({
    run_id: 'r1',
    session: 'web',
    task_dir: '/t',
    agent: 'claude',
    complete: true,
    started_at: iso(0),
    ended_at: iso(20),
    outcome: 'failed',
    reason: 'restart_limit',
    unproven: null,
    evidence: EVIDENCE,
    error: 'words',
    iterations: 3,
    restart_count: 2,
    recovery_count: 2,
    seconds: { waiting: 1, working: 6, quota: 0, recovering: 13 },
    current_share: null,
    waits_for: null,
  });
});

it('LP26 a running loop counts up to now and has no end', () => {
  const story = [
    [0, started],
    [2, working],
  ] as const;
  expect(loopEvents(story, 62)).toMatchObject([
    {
      ended_at: null,
      outcome: null,
      seconds: { waiting: 2, working: 60 },
      current_share: 'working',
    },
  ]);
});

it('LP27 a wait for quota is counted as one, also when other needs arise meanwhile', () => {
  const story = [
    [0, started],
    [0, working],
    [10, quota],
    [20, asking],
    [30, tried('quota')],
    [40, quotaLeft],
    [45, working],
    [50, over('auto.ended', 'completed')],
  ] as const;
  expect(spent(story)).toEqual({ working: 15, waiting: 5, quota: 30, recovering: 0 });
});

it.each([
  ['recovered', recovered],
  ['a signal', signal(1)],
  ['a stop', stopAsked],
])('LP27 a stall counts as recovering until %s', (_, end) => {
  const story = [
    [0, started],
    [0, working],
    [10, stall],
    [11, tried('stall')],
    [12, recoveryFailed],
    [30, end],
  ] as const;
  expect(spent(story)).toEqual({ working: 10, waiting: 0, quota: 0, recovering: 20 });
  expect(loopEvents(story)[0]?.recovery_count).toBe(4);
});

it('LP27 a failed request and a crash count as recovering too', () => {
  const story = [
    [0, started],
    [0, working],
    [10, tried('api_error')],
    [14, recovered],
    [20, restart],
    [20, agentGone],
    [26, working],
    [27, restarted],
    [30, over('auto.ended', 'completed')],
  ] as const;
  expect(spent(story)).toEqual({ working: 19, waiting: 0, quota: 0, recovering: 11 });
});

it('LP27 a start, a question and a stop count as waiting', () => {
  const story = [
    [0, started],
    [3, working],
    [10, asking],
    [14, working],
    [20, stopAsked],
    [25, signal(1)],
    [30, over('auto.ended', 'user_stop')],
  ] as const;
  expect(spent(story)).toEqual({ working: 13, waiting: 17, quota: 0, recovering: 0 });
});

it('LP27 a state that cannot be determined is no wait: the time counts as work', () => {
  const story = [
    [0, started],
    [3, unknown],
    [10, signal(1)],
    [14, asking],
    [16, unknown],
    [30, over('auto.ended', 'completed')],
  ] as const;
  expect(spent(story)).toEqual({ working: 25, waiting: 5, quota: 0, recovering: 0 });
});

it('LP27 an announced end is a stop until the agent withdraws it', () => {
  const story = [
    [0, started],
    [0, working],
    [10, signal(1, '(stop)')],
    [14, signal(2)],
    [20, over('auto.ended', 'completed')],
  ] as const;
  expect(spent(story)).toEqual({ working: 16, waiting: 4, quota: 0, recovering: 0 });
});

it('LP26 loops are distinguished; the removal of a failed loop is not one', () => {
  const runs = loopEvents([
    [0, agentGone],
    [1, started],
    [2, over('auto.failed', 'restart_limit')],
    [3, working],
    [4, over('auto.ended', 'restart_limit')],
    [5, started],
    [6, over('auto.ended', 'completed')],
    [7, started],
  ]);
  expect(runs.map(({ started_at, outcome }) => [started_at, outcome])).toEqual([
    [iso(1), 'failed'],
    [iso(5), 'ended'],
    [iso(7), null],
  ]);
});

it('LP28 a loop whose beginning is pruned says so and keeps what is known', () => {
  expect(
    loopEvents([
      [5, signal(4)],
      [9, over('auto.ended', 'completed')],
    ]),
  ).toMatchObject([
    {
      complete: false,
      run_id: null,
      agent: null,
      task_dir: '/t',
      iterations: 4,
      started_at: iso(5),
      ended_at: iso(9),
      seconds: { working: 4 },
    },
  ]);
});

it('LP27 no time passes where the wall clock went back', () => {
  const [run] = loopEvents([
    [100, started],
    [100, working],
    [50, signal(1)],
    [110, over('auto.ended', 'completed')],
  ]);
  expect(run).toMatchObject({ started_at: iso(100), ended_at: iso(110), seconds: { working: 10 } });
});

const anyEvent = fc.constantFrom(
  started,
  working,
  asking,
  agentGone,
  stall,
  tried('stall'),
  tried('api_error'),
  tried('quota'),
  recoveryFailed,
  recovered,
  quota,
  quotaLeft,
  restart,
  restarted,
  stopAsked,
  limits,
  signal(1),
  signal(7, '(stop)'),
  over('auto.ended', 'completed'),
  over('auto.failed', 'restart_limit'),
);
/** Usually forward; now and then the wall clock goes back. */
const anyStory = fc.array(fc.tuple(fc.integer({ min: -100, max: 5_000 }), anyEvent), {
  maxLength: 60,
});

it('LP27, LP28 the four parts add up to the length, for any cut of the beginning of the log', () => {
  fc.assert(
    fc.property(anyStory, fc.nat(60), (steps, cut) => {
      let at = 0;
      const story = steps.map(([later, draft]) => [(at += later / 1000), draft] as const);
      const kept = story.slice(cut);
      for (const run of loopEvents(kept)) {
        const end = run.ended_at ?? iso(Math.max(...kept.map(([second]) => second)));
        const length = (Date.parse(end) - Date.parse(run.started_at)) / 1000;
        if (run.ended_at !== null) expect(loopLength(run)).toBeCloseTo(length, 6);
        else expect(loopLength(run)).toBeLessThanOrEqual(length + 1e-6);
        expect(Math.min(...Object.values(run.seconds))).toBeGreaterThanOrEqual(0);
        expect(run.ended_at === null && run.outcome !== null).toBe(false);
      }
      const begun = kept.filter(([, draft]) => draft === started).length;
      expect(loopEvents(kept).filter(({ complete }) => complete)).toHaveLength(begun);
    }),
  );
});
