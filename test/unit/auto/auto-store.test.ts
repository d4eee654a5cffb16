/** A stored loop: read back as it was, also from the columns of an earlier version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AutoStore } from '../../../server/auto/stores/auto-store.ts';
import { freshLoop } from '../../../server/auto/machine/fresh-loop.ts';
import {
  type LoopFacts,
  type LoopWait,
  NOTHING,
  type Now,
  type Stop,
} from '../../../server/auto/machine/loop-state.ts';
import { DATABASE_FILE, knownMigrations, openDatabase } from '../../../server/db/database.ts';
import { makeFresh } from '../../../server/db/fresh-schema.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const AT = '2026-11-01T10:00:00.000Z';
const EVIDENCE = [{ witness: 'clock' as const, at: AT, lines: ['it’s "late"'] }];

/** All that is stored of a loop in any state. */
const FACTS = {
  sessionName: 'web',
  taskDir: '/srv/web',
  startedAt: AT,
  runId: 'run-1',
  startedBy: 'Ada',
  dirIdentity: '1:2',
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
  sentBack: 2,
  ageMs: 5_000,
  quotaWaitTotalMs: 7_000,
  error: 'what failed',
  recoveryCountStep: 1,
  recoveryCountTotal: 2,
} satisfies Partial<LoopFacts>;

const STOP: Stop = {
  reason: 'timeout',
  by: 'daemon',
  author: 'Mia',
  step: 'interrupt',
  requestedAt: AT,
  evidence: EVIDENCE,
};
const WAIT: LoopWait = { reason: 'quota', since: AT, until: AT, evidence: EVIDENCE };
const QUOTA = { sinceMs: 1, untilMs: null, nudges: 2, nudgedAtMs: 3, workingSinceMs: null };

/** Each state with all that is stored of it. */
const STATES: Now[] = [
  { ...NOTHING, status: 'starting' },
  { ...NOTHING, status: 'running', wait: WAIT, dueMs: 6_000 },
  { ...NOTHING, status: 'quota_wait', wait: WAIT, dueMs: 6_000, quota: QUOTA },
  { ...NOTHING, status: 'restart_wait', wait: WAIT, dueMs: 6_000 },
  {
    ...NOTHING,
    status: 'stopping',
    stop: STOP,
    wait: WAIT,
    dueMs: 6_000,
    check: { failed: EVIDENCE },
  },
  { ...NOTHING, status: 'failed', stop: STOP, wait: WAIT },
];

/** The columns of the version before all private ones were merged into one. */
const COLUMNS = {
  session_name: 'web',
  task_dir: '/srv/web',
  status: 'quota_wait',
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
  wait_reason: 'quota',
  wait_since: AT,
  wait_until: AT,
  wait_evidence: JSON.stringify(EVIDENCE),
  quota: JSON.stringify(QUOTA),
  age_ms: 5_000,
  age_at: AT,
  due_ms: 6_000,
  quota_wait_total_ms: 7_000,
  error: 'what failed',
};

it('ST9 a loop is read as it was stored, in each state and empty', () => {
  using home = new Home();
  const database = openDatabase(home.path);
  const store = new AutoStore(database);
  const empty = freshLoop({ sessionName: 'new', taskDir: '/srv/new', startedAt: AT });
  const savedAtMs = Date.parse(AT);
  const full = STATES.map((now) => {
    const places = { taskDir: `/srv/${now.status}`, dirIdentity: `1:${now.status}` };
    return freshLoop({ ...FACTS, sessionName: now.status, ...places }, now);
  });
  const states = [empty, ...full].sort((a, b) => (a.sessionName < b.sessionName ? -1 : 1));
  for (const state of states) store.insert(state, savedAtMs);
  expect(store.load()).toEqual(states.map((state) => ({ state, savedAtMs })));
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
      state: freshLoop({ ...plain, ...unknown, launchCount: 0 }, { ...NOTHING, status: 'running' }),
      savedAtMs: Date.parse(AT),
    },
    // It had no permissions to choose.
    {
      state: freshLoop({ ...FACTS, ...unknown, permissions: null, sentBack: 0 }, STATES[2]),
      savedAtMs: Date.parse(AT),
    },
  ]);
});

it('ST9 a state that another program wrote gets the least that it needs', () => {
  using home = new Home();
  const database = openDatabase(home.path);
  const insert = database.raw.prepare(
    'INSERT INTO task_auto (session_name, task_dir, started_at, status, state) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { status } of STATES)
    insert.run(status, `/srv/${status}`, AT, status, '{"ageMs":5000}');
  const loops = new AutoStore(database).load();
  database.close();
  const found = loops.map(({ state: { status, stop, wait, dueMs, quota } }) => [
    status,
    {
      stop: stop?.reason ?? null,
      wait: wait?.reason ?? null,
      dueMs,
      quota: quota?.sinceMs ?? null,
    },
  ]);
  const none = { stop: null, wait: null, dueMs: null, quota: null };
  expect(Object.fromEntries(found)).toEqual({
    starting: none,
    running: none,
    quota_wait: { ...none, wait: 'quota', quota: 5_000 },
    restart_wait: { ...none, wait: 'crashed', dueMs: 5_000 },
    stopping: { ...none, stop: 'user_stop', wait: 'user_stop' },
    failed: { ...none, stop: 'restart_limit' },
  });
});

class Home {
  readonly path = mkdtempSync(join(TEST_ROOT, 's'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
