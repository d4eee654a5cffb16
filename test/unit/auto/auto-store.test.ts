/** A stored loop: read back as it was, also from the columns of an earlier version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AutoStore } from '../../../server/auto/auto-store.ts';
import { freshLoop } from '../../../server/auto/fresh-loop.ts';
import type { LoopState } from '../../../server/auto/machine/loop-state.ts';
import { DATABASE_FILE, knownMigrations, openDatabase } from '../../../server/db/database.ts';
import { makeFresh } from '../../../server/db/fresh-schema.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const AT = '2026-11-01T10:00:00.000Z';
const EVIDENCE = [{ witness: 'clock' as const, at: AT, lines: ['it’s "late"'] }];

/** A loop with every stored field set. */
const FULL: LoopState = {
  ...freshLoop({ sessionName: 'web', taskDir: '/srv/web', startedAt: AT }),
  runId: 'run-1',
  startedBy: 'Ada',
  dirIdentity: '1:2',
  status: 'stopping',
  maxIterations: 12,
  timeoutMinutes: 45,
  permissions: 'ask',
  iteration: 7,
  iterationBase: 3,
  restartIteration: 4,
  countUnknown: true,
  lastSignal: { step: 'check', result: 'PASS', next: 'exec', checkpoint: 'post-plan' },
  lastSignalAt: AT,
  signalMark: 'mark',
  launchCount: 3,
  restartCount: 2,
  agentProcess: { pid: 42, startedAt: '99' },
  stop: {
    reason: 'timeout',
    by: 'daemon',
    author: 'Mia',
    step: 'interrupt',
    requestedAt: AT,
    evidence: EVIDENCE,
  },
  wait: { reason: 'quota', since: AT, until: AT, evidence: EVIDENCE },
  ageMs: 5_000,
  dueMs: 6_000,
  quota: { sinceMs: 1, untilMs: null, nudges: 2, nudgedAtMs: 3, workingSinceMs: null },
  quotaWaitTotalMs: 7_000,
  error: 'what failed',
  recoveryCountStep: 1,
  recoveryCountTotal: 2,
};

/** The columns of the version before all private ones were merged into one. */
const COLUMNS = {
  session_name: 'web',
  task_dir: '/srv/web',
  status: 'stopping',
  max_iterations: 12,
  timeout_minutes: 45,
  iteration_count: 7,
  recovery_count_step: 1,
  recovery_count_total: 2,
  quota_wait_since: AT,
  started_at: AT,
  last_signal_at: AT,
  restart_count: 2,
  run_id: 'run-1',
  started_by: 'Ada',
  agent: 'claude',
  dir_identity: '1:2',
  launch_count: 3,
  agent_pid: 42,
  agent_started_at: '99',
  iteration_base: 3,
  restart_iteration: 4,
  count_unknown: 1,
  last_step: 'check',
  last_result: 'PASS',
  last_next: 'exec',
  last_checkpoint: 'post-plan',
  signal_mark: 'mark',
  stop_reason: 'timeout',
  stop_by: 'daemon',
  stop_author: 'Mia',
  stop_step: 'interrupt',
  stop_requested_at: AT,
  stop_evidence: JSON.stringify(EVIDENCE),
  wait_reason: 'quota',
  wait_since: AT,
  wait_until: AT,
  wait_evidence: JSON.stringify(EVIDENCE),
  quota: JSON.stringify(FULL.quota),
  age_ms: 5_000,
  age_at: AT,
  due_ms: 6_000,
  quota_wait_total_ms: 7_000,
  error: 'what failed',
};

it('ST9 a loop is read as it was stored, full and empty', () => {
  using home = new Home();
  const database = openDatabase(home.path);
  const store = new AutoStore(database);
  const empty = freshLoop({ sessionName: 'new', taskDir: '/srv/new', startedAt: AT });
  const savedAtMs = Date.parse(AT);
  const full = { ...FULL, check: { failed: EVIDENCE }, sentBack: 2 };
  for (const state of [empty, full]) store.insert(state, savedAtMs);
  expect(store.load()).toEqual([
    { state: empty, savedAtMs },
    { state: full, savedAtMs },
  ]);
  database.close();
});

it('ST10 the stall count and the hash of the last snapshot are in their published columns', () => {
  using home = new Home();
  const database = openDatabase(home.path);
  const store = new AutoStore(database);
  const loop = freshLoop({ sessionName: 'web', taskDir: '/srv/web', startedAt: AT });
  const columns = () =>
    database.raw.prepare('SELECT stall_count, last_capture_hash FROM task_auto').get();
  const still = (repeats: number, mark = 'screen') => ({
    ...loop,
    snapshot: { mark, sinceMs: 0, seenMs: 0, repeats },
  });
  store.insert(loop, 0);
  expect(columns()).toEqual({ stall_count: 0, last_capture_hash: '' });
  store.save(still(2), 0);
  const sha256 = '4cd6c2914887dd4a68e4c9ffbed8b077f048cf795d6cfa0b801d43e0ea5a1560';
  expect(columns()).toEqual({ stall_count: 2, last_capture_hash: sha256 });
  // A daemon that starts has none of it.
  const [read] = store.load();
  expect(read?.state.snapshot).toBe(null);
  store.save(read?.state ?? loop, 0);
  expect(columns()).toEqual({ stall_count: 0, last_capture_hash: '' });
  database.close();
});

it('ST2 ST9 a loop in the columns of an earlier version keeps all of its state', () => {
  using home = new Home();
  const [columns, values] = [Object.keys(COLUMNS), Object.values(COLUMNS)];
  const raw = makeFresh(join(home.path, DATABASE_FILE), knownMigrations().slice(0, 13));
  const insert = (names: string[], row: unknown[]) =>
    raw
      .prepare(`INSERT INTO task_auto (${names.join()}) VALUES (${names.map(() => '?').join()})`)
      .run(row);
  insert(columns, values);
  insert(
    ['session_name', 'task_dir', 'started_at', 'run_id', 'age_at', 'stop_evidence', 'quota'],
    ['odd', '/srv/odd', AT, 'run-2', AT, 'not JSON', 'nor this'],
  );
  raw.close();
  const database = openDatabase(home.path);
  const loops = new AutoStore(database).load();
  database.close();
  const plain = { sessionName: 'odd', taskDir: '/srv/odd', startedAt: AT, runId: 'run-2' };
  const unknown = { statusSince: null };
  expect(loops).toEqual([
    {
      state: freshLoop({ ...plain, ...unknown, status: 'running', launchCount: 0 }),
      savedAtMs: Date.parse(AT),
    },
    // It had no permissions to choose.
    { state: { ...FULL, ...unknown, permissions: null }, savedAtMs: Date.parse(AT) },
  ]);
});

class Home {
  readonly path = mkdtempSync(join(TEST_ROOT, 's'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
