/** Runs on the page: their groups, badges, phases and what an event says of them at once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Wait } from '../../../../shared/schema/model.ts';
import type { RunStatus } from '../../../../shared/schema/runs/run-phase.ts';
import {
  cleanupBody,
  cleanupProblem,
  cleanupText,
} from '../../../../web/lib/runs/list/cleanup-choice.ts';
import { PROBLEM_TEXT } from '../../../../web/lib/runs/list/problem-text.ts';
import {
  passesRunFilter,
  readRunFilter,
  writeRunFilter,
} from '../../../../web/lib/runs/list/run-filter.ts';
import { groupOf, groupRuns } from '../../../../web/lib/runs/list/run-groups.ts';
import { phaseRail, type RailSubject } from '../../../../web/lib/runs/phase-rail.ts';
import { activeSeconds, spentNow } from '../../../../web/lib/runs/run-clock.ts';
import { proofBadge, runBadge, storedBadges } from '../../../../web/lib/runs/run-style.ts';
import { endText, runLine } from '../../../../web/lib/runs/run-wait.ts';
import { applyRunEvent, mustReadRun } from '../../../../web/lib/runs/state/apply-run-event.ts';
import { exampleRun, RUN_AT, runEvent, said } from '../../../support/runs/example-run.ts';

const wait = (reason: Wait['reason'], until: string | null = null): Wait => ({
  reason,
  since: RUN_AT,
  until,
  next: 'Next.',
  evidence: [],
});
const LATER = '2026-01-01T01:00:00.000Z';

it('RX1 a run is in the first group that fits', () => {
  const at = (status: RunStatus, more: object = {}) =>
    groupOf(exampleRun('a', { status, ...more }));
  expect(at('waiting', { wait: wait('plan_review') })).toBe('needs');
  expect(at('waiting', { wait: wait('question') })).toBe('needs');
  expect(at('waiting', { wait: wait('quota', LATER) })).toBe('waits');
  // The end of a usage limit can be unknown, and no person is needed for it.
  expect(at('waiting', { wait: wait('quota') })).toBe('waits');
  expect(at('failed')).toBe('needs');
  expect([at('running'), at('stopping')]).toEqual(['work', 'work']);
  expect(at('queued')).toBe('waits');
  expect([at('stopped'), at('done')]).toEqual(['over', 'over']);
});

it('RX1 the longest wait for a person comes first, elsewhere the newest', () => {
  const old = { ...wait('question'), since: '2025-12-31T00:00:00.000Z' };
  const groups = groupRuns([
    exampleRun('new-wait', { status: 'waiting', wait: wait('question') }),
    exampleRun('old-wait', { status: 'waiting', wait: old }),
    exampleRun('first', { started_at: RUN_AT }),
    exampleRun('second', { started_at: LATER }),
    exampleRun('ended', { status: 'done', completed_at: RUN_AT }),
    exampleRun('ended-later', { status: 'stopped', completed_at: null, updated_at: LATER }),
  ]);
  expect(groups.needs.map(({ id }) => id)).toEqual(['old-wait', 'new-wait']);
  expect(groups.work.map(({ id }) => id)).toEqual(['second', 'first']);
  expect(groups.over.map(({ id }) => id)).toEqual(['ended-later', 'ended']);
});

it('RX2 a run says what it does, waits for or ended with, and shows stale and missing directories', () => {
  const line = (more: Parameters<typeof exampleRun>[1]) => runLine(exampleRun('a', more)).text;
  expect(line({ phase: 'review', stage: 'checking' })).toBe('Running the checks');
  expect(line({ status: 'waiting', wait: wait('plan_review') })).toBe('Plan review');
  expect(line({ status: 'waiting', wait: wait('quota', LATER) })).toMatch(/ until \d\d:\d\d$/);
  expect(line({ status: 'failed', reason: 'stuck', error: 'npm test' })).toBe('Stuck: npm test');
  expect(line({ status: 'stopped', reason: 'user_stop', stale: true })).toMatch(/more than a day/);
  expect(line({ status: 'stopped', valid: false })).toMatch(/no longer exists/);
  expect(runLine(exampleRun('a', { status: 'waiting', wait: wait('question') })).since).toBe(
    RUN_AT,
  );
  expect(runBadge(exampleRun('a', { status: 'waiting', wait: wait('plan_review') })).label).toBe(
    'Needs you',
  );
  const marks = storedBadges({ stale: true, valid: false }).map(({ label }) => label);
  expect(marks).toEqual(['Stale', 'Directory missing']);
  expect(storedBadges({ stale: false, valid: true })).toEqual([]);
});

it('RX2 a result without checks is never shown as verified', () => {
  expect(proofBadge({ proof: null })).toBe(null);
  expect(proofBadge({ proof: 'proven' })?.tone).toBe('good');
  expect(proofBadge({ proof: 'unproven' })).toMatchObject({ label: 'Unverified', tone: 'wait' });
  const done = exampleRun('a', { status: 'done', proof: 'unproven', iteration: 2 });
  expect(endText(done)).toMatch(/after 2 fix rounds, but there were no checks/);
  expect(endText({ ...done, proof: 'proven', iteration: 0 })).toMatch(/^The host’s checks and/);
  expect(endText({ ...done, status: 'failed', reason: 'fix_limit' })).toMatch(/failing check/);
});

it('RX3 the rail shows what is done, where the run is and what is ahead', () => {
  const stages = (run: RailSubject) => phaseRail(run).map(({ stage }) => stage);
  const at = (phase: RailSubject['phase'], iteration = 0, status: RunStatus = 'running') =>
    stages({ phase, iteration, status });
  expect(at('plan')).toEqual(['current', 'ahead', 'ahead', 'ahead', 'ahead']);
  expect(at('review')).toEqual(['done', 'done', 'current', 'ahead', 'ahead']);
  expect(at('fix', 2)).toEqual(['done', 'done', 'done', 'current', 'ahead']);
  // The review comes again after a fix.
  expect(at('review', 2)).toEqual(['done', 'done', 'current', 'done', 'ahead']);
  expect(at('complete', 0, 'done')).toEqual(['done', 'done', 'done', 'skipped', 'done']);
  expect(at('complete', 1, 'done')).toEqual(['done', 'done', 'done', 'done', 'done']);
  expect(at('fix', 6, 'failed')).toEqual(['done', 'done', 'done', 'ended', 'ahead']);
  expect(phaseRail({ phase: 'fix', iteration: 2, status: 'running' })[3]?.label).toBe('Fix 2');
  expect(phaseRail({ phase: 'plan', iteration: 0, status: 'queued' })[3]?.label).toBe('Fix');
});

it('RX3 at most one phase of the rail is lit, for any run', () => {
  const subject = fc.record({
    phase: fc.constantFrom('plan', 'execute', 'review', 'fix', 'complete'),
    iteration: fc.integer({ min: 0, max: 9 }),
    status: fc.constantFrom(
      'queued',
      'running',
      'waiting',
      'stopping',
      'stopped',
      'failed',
      'done',
    ),
  });
  fc.assert(
    fc.property(subject, (run) => {
      const lit = phaseRail(run).filter(({ stage }) => stage === 'current' || stage === 'ended');
      expect(lit.map(({ phase }) => phase)).toEqual(run.status === 'done' ? [] : [run.phase]);
    }),
  );
});

it('RX4 what an event says of a run is shown at once', () => {
  const run = exampleRun('r1');
  const phase = runEvent(1, 'run.phase', { phase: 'fix', before: 'review', iteration: 2 });
  expect(applyRunEvent(run, phase)).toMatchObject({ phase: 'fix', iteration: 2 });
  const waits = runEvent(2, 'run.status', {
    status: 'waiting',
    before: 'running',
    phase: 'plan',
    reason: 'plan_review',
    until: null,
    error: null,
    author: undefined,
  });
  const waiting = applyRunEvent(run, waits);
  expect(waiting).toMatchObject({
    status: 'waiting',
    wait: { reason: 'plan_review', until: null },
  });
  // A wait that was read has evidence; the same status again does not take it away.
  const known = { ...exampleRun('r1', waiting ?? {}), wait: wait('plan_review') };
  expect(applyRunEvent(known, waits)?.wait).toBe(known.wait);
  const done = runEvent(3, 'run.done', {
    status: 'done',
    reason: 'completed',
    proof: 'proven',
    iteration: 1,
    active_seconds: 90,
    cost_usd: 2,
    commit: 'abc',
  });
  expect(applyRunEvent(waiting ?? run, done)).toMatchObject({
    status: 'done',
    stage: 'over',
    wait: null,
    proof: 'proven',
    completed_at: done.at,
    active_seconds: 90,
    cost_usd: 2,
  });
  expect(applyRunEvent(run, runEvent(4, 'run.deleted', { kept: [], author: undefined }))).toBe(
    null,
  );
});

it('RX4 a run is read again after events, but not after plain interactions and saves', () => {
  expect(mustReadRun(runEvent(1, 'run.checkpoint', { phase: 'plan', events: 3 }))).toBe(false);
  expect(mustReadRun(said(2, 'plan', 0))).toBe(false);
  expect(mustReadRun(said(3, 'plan', 0, { output_tokens: 40 }))).toBe(true);
  expect(mustReadRun(runEvent(4, 'run.stopped', { reason: null, author: undefined }))).toBe(true);
});

it('RX5 time continues between two readings while the run works, and stops in a wait', () => {
  const run = exampleRun('a');
  expect(activeSeconds(run, 5000)).toBe(65);
  expect(activeSeconds({ ...run, status: 'waiting' }, 5000)).toBe(60);
  expect(spentNow(run, 5000).execute?.seconds).toBe(45);
  expect(spentNow(run, 5000).plan?.seconds).toBe(20);
});

it('RX6 the filter is in the address and searches id, title, branch and directory', () => {
  const run = exampleRun('r1', { title: 'Add a limit' });
  expect(passesRunFilter(run, { status: null, text: 'LIMIT run/r1' })).toBe(true);
  expect(passesRunFilter(run, { status: null, text: 'limit other' })).toBe(false);
  expect(passesRunFilter(run, { status: 'done', text: '' })).toBe(false);
  const read = (query: string) => readRunFilter(new URLSearchParams(query));
  expect(read('status=failed&q=a')).toEqual({ status: 'failed', text: 'a' });
  expect(read('status=nonsense')).toEqual({ status: null, text: '' });
  expect(writeRunFilter({ status: null, text: ' ' })).toEqual({ status: null, q: null });
});

it('RX7 each problem of a stored run says what to do', () => {
  for (const { label, next } of Object.values(PROBLEM_TEXT)) {
    expect(label).not.toBe('');
    expect(next).toMatch(/\.$/);
  }
});

it('RX8 a cleanup is previewed with exactly the choice that is removed', () => {
  const choice = {
    kinds: ['completed', 'corrupt'] as const,
    includeStopped: true,
    olderThanHours: 168,
  };
  expect(cleanupBody(choice, true)).toEqual({
    completed: true,
    corrupt: true,
    include_stopped: true,
    older_than_hours: 168,
    dry_run: true,
  });
  expect(cleanupBody({ ...choice, olderThanHours: null }, false)).toEqual({
    completed: true,
    corrupt: true,
    include_stopped: true,
    dry_run: false,
  });
  expect(cleanupProblem({ ...choice, kinds: [] })).toMatch(/at least one/);
  const removed = [{ id: 'a', why: 'completed' }];
  expect(cleanupText({ dry_run: true, removed, kept: [] })).toBe('1 run would be removed.');
  expect(cleanupText({ dry_run: false, removed, kept: removed })).toBe('1 run removed, 1 kept.');
  expect(cleanupText({ dry_run: true, removed: [], kept: [] })).toBe('Nothing to remove.');
});
