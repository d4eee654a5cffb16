/** A unit and a report of the smallest kind, changed where a test needs it. */
import type { Report, ReportUnit } from '../../../shared/schema/usage/report.ts';
import { noSeconds } from '../../../server/report/timeline.ts';

const AT = '2026-11-21T23:00:00.000Z';
const NONE = { tokens: null, cost: null };

export function aUnit(name: string, more: Partial<ReportUnit> = {}): ReportUnit {
  const kind = more.kind ?? 'task';
  return {
    id: `${kind}:${name}@1`,
    kind,
    name,
    asked: null,
    project: '/p',
    by: null,
    opened_at: AT,
    closed_at: null,
    complete: true,
    state: 'working',
    waits_for: null,
    outcome: null,
    reason: null,
    error: null,
    word: null,
    word_by: null,
    proof: null,
    seconds: noSeconds(),
    restarts: 0,
    branches: [],
    branches_error: null,
    used: { interval: NONE, total: NONE },
    links: {
      itself: `/tasks/${name}`,
      opened: null,
      state: null,
      proof: null,
      branches: null,
      used: '/usage',
    },
    ...more,
  };
}

/** One that is completed, with the files of its branch where it has one. */
export function completed(name: string, isProven: boolean, commits = 1): ReportUnit {
  const branch = { repository: '/p', branch: `task/${name}`, base: 'main' };
  const change = { commits, files: 1, additions: 1, deletions: 0, uncommitted: 0 };
  const checks = [{ name: 'npm test', status: 'passed' as const }];
  return aUnit(name, {
    state: 'ended',
    outcome: 'completed',
    closed_at: AT,
    word: isProven ? 'checks' : 'agent',
    proof: isProven ? { state: 'proven', commit: 'a1b2c3d4', checks } : null,
    branches: [{ ...branch, ...change }],
  });
}

export function aReport(more: Partial<Report> = {}): Report {
  const totals = { completed: 0, proven: 0, ended_otherwise: 0, open: 0 };
  return {
    as_of: AT,
    since: AT,
    until: AT,
    needs: [],
    units: [],
    totals: { ...totals, seconds: noSeconds(), used: NONE },
    overlaps: [],
    merge_orders: [],
    anomalies: [],
    ...more,
  };
}
