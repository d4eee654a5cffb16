/** Which loops the history lists, their totals, and when one can be restarted. */
import { expect, it } from 'vitest';
import type { PastLoop } from '../../shared/schema/loops/past-loop.ts';
import { EMPTY_FLEET, type Fleet } from '../../web/lib/state/fleet.ts';
import {
  restartPrefill,
  hasOutcome,
  isWithin,
  mergeLoops,
  outcomeOf,
  readLoopFilter,
  loopTotals,
  totalsText,
  writeLoopFilter,
} from '../../web/lib/history/loop-filter.ts';

const NOW_MS = Date.parse('2026-01-08T00:00:00.000Z');
const at = (hoursAgo: number) => new Date(NOW_MS - hoursAgo * 3_600_000).toISOString();

function run(change: Partial<PastLoop> = {}): PastLoop {
  return {
    run_id: 'r',
    session: 'web',
    task_dir: '/tasks/Parser',
    agent: 'claude',
    started_at: at(3),
    ended_at: at(2),
    outcome: 'ended',
    reason: 'completed',
    unproven: null,
    evidence: [],
    error: null,
    iterations: 4,
    restart_count: 0,
    recovery_count: 0,
    seconds: { working: 60, waiting: 20, quota: 0, recovering: 0 },
    current_share: null,
    complete: true,
    ...change,
  };
}

const GOES_ON = run({ ended_at: null, outcome: null, reason: null, current_share: 'working' });
const FAILED = run({ outcome: 'failed', reason: 'restart_limit' });
const STOPPED = run({ reason: 'user_stop' });
const LOST = run({ outcome: null, reason: null });

it('HP2 each loop has one outcome, also one whose end was never recorded', () => {
  expect([run(), GOES_ON, FAILED, STOPPED, LOST].map(outcomeOf)).toEqual([
    'completed',
    'running',
    'failed',
    'other',
    'other',
  ]);
});

it('HP2 a filter selects by outcome, reason, range, session and task module', () => {
  const filter = (query: string) => readLoopFilter(new URLSearchParams(query));
  expect(hasOutcome(FAILED, filter('outcome=failed'))).toBe(true);
  expect(hasOutcome(run(), filter('outcome=failed'))).toBe(false);
  expect(hasOutcome(STOPPED, filter('reason=user_stop'))).toBe(true);
  expect(hasOutcome(STOPPED, filter('reason=timeout'))).toBe(false);
  expect(isWithin(run(), filter('range=hour'), NOW_MS)).toBe(false);
  expect(isWithin(run(), filter('range=day'), NOW_MS)).toBe(true);
  expect(isWithin(run({ ...GOES_ON, started_at: at(900) }), filter('range=hour'), NOW_MS)).toBe(
    true,
  );
  expect(isWithin(run(), filter('text=parser'), NOW_MS)).toBe(true);
  expect(isWithin(run(), filter('text=WEB'), NOW_MS)).toBe(true);
  expect(isWithin(run({ task_dir: null }), filter('text=parser'), NOW_MS)).toBe(false);
});

it('HP2 an address becomes the same filter again, and values that no loop can have are left out', () => {
  const filter = { range: 'day', outcome: 'failed', reason: 'timeout', text: 'a b' } as const;
  const fields = Object.entries(writeLoopFilter(filter)) as [string, string][];
  expect(readLoopFilter(new URLSearchParams(fields))).toEqual(filter);
  const odd = readLoopFilter(new URLSearchParams('range=x&outcome=toString&reason=constructor'));
  expect(odd).toEqual({ range: 'week', outcome: null, reason: null, text: '' });
  expect(Object.values(writeLoopFilter(odd))).toEqual([null, null, null, null]);
});

it('HP3 totals count finished loops, and add up where the time went', () => {
  const totals = loopTotals([run(), run(), FAILED, STOPPED, GOES_ON]);
  expect(totals).toEqual({
    count: 5,
    over: 4,
    completed: 2,
    seconds: { working: 300, waiting: 100, quota: 0, recovering: 0 },
  });
  expect(totalsText(totals)).toEqual({
    loops: '5 loops',
    success: '2 of 4 completed (50 %)',
    seconds: 400,
  });
  expect(totalsText(loopTotals([GOES_ON])).success).toBe('none ended');
});

it('HP8 a loop that was read again replaces the old reading, newest first', () => {
  const old = { run: run({ run_id: 'a', iterations: 1 }), readAt: 1 };
  const newer = { run: run({ run_id: 'b', started_at: at(1) }), readAt: 1 };
  const again = { run: run({ run_id: 'a', iterations: 9 }), readAt: 2 };
  expect(mergeLoops([old], [newer, again])).toEqual([newer, again]);
});

it('HP4 a loop is started again in its session if that is free, and not while its task is at work', () => {
  const session = { name: 'web' } as Fleet['sessions'][string];
  const loopOn = (name: string, task_dir: string, status = 'running') =>
    ({
      [name]: { loop: { session_name: name, task_dir, status }, readAt: 0 },
    }) as unknown as Fleet['loops'];
  const fleet = (change: Partial<Fleet>) => ({
    ...EMPTY_FLEET,
    sessions: { web: session },
    ...change,
  });
  const here = { session: 'web', taskDir: '/tasks/Parser' };
  expect(restartPrefill(run(), fleet({}))).toEqual(here);
  expect(restartPrefill(run(), fleet({ sessions: {} }))).toEqual({ ...here, session: null });
  expect(restartPrefill(run(), fleet({ loops: loopOn('web', '/tasks/other') }))).toEqual({
    ...here,
    session: null,
  });
  expect(restartPrefill(run(), fleet({ loops: loopOn('web', '/tasks/Parser', 'failed') }))).toEqual(
    here,
  );
  expect(restartPrefill(run(), fleet({ loops: loopOn('cli', '/tasks/Parser') }))).toBeNull();
  expect(restartPrefill(GOES_ON, fleet({}))).toBeNull();
  expect(restartPrefill(run({ agent: 'stand-in' }), fleet({}))).toBeNull();
  expect(restartPrefill(run({ task_dir: null }), fleet({}))).toBeNull();
});
