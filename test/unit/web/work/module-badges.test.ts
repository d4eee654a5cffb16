/** How the list of task modules names the loop that works on one. */
import { expect, it } from 'vitest';
import { namedLoopBadge } from '../../../../web/lib/modules/module-style.ts';

it('MO19 the badge of a loop says how it fares', () => {
  const wait = {
    reason: 'quota' as const,
    since: '2026-01-01T00:00:00.000Z',
    until: null,
    next: 'Wait.',
    evidence: [],
  };
  const badge = (status: 'running' | 'failed', held: typeof wait | null = null) =>
    namedLoopBadge({ session_name: 'web', status, wait: held });
  expect(badge('running').tone).toBe('work');
  expect(badge('failed')).toEqual({ label: 'Loop web: Failed', tone: 'fail', mark: 'cross' });
  expect(badge('running', wait)).toMatchObject({ tone: 'wait', mark: 'clock' });
});
