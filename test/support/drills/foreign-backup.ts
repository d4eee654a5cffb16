/** A database with rows in every table, at any version of the schema, and a home to restore it into. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { knownMigrations } from '../../../server/db/database.ts';
import { makeFresh } from '../../../server/db/fresh-schema.ts';
import { TEST_ROOT } from '../house/test-root.ts';

type Row = Record<string, string | number | Buffer | null>;

const AT = '2026-11-01T10:00:00.000Z';

/** Newest columns too: a version that lacks one of them gets the row without it. */
const ROWS: Record<string, Row[]> = {
  meta: [{ key: 'epoch', value: 'first-life' }],
  events: [
    { seq: 3, at: AT, type: 'session.created', session: 'web', data: '{"cwd":"/srv/web"}' },
    { seq: 7, at: AT, type: 'auto.started', session: 'web', data: '{}' },
  ],
  people: [
    {
      id: 'person-1',
      name: 'Ada',
      name_key: 'ada',
      role: 'operator',
      token_hash: 'a'.repeat(64),
      created_at: AT,
      joined_at: AT,
    },
  ],
  sessions: ['opening', 'open', 'closing'].map((status) => ({
    name: status,
    cwd: '/srv/web',
    terminal: 'tmux',
    status,
    created_at: AT,
  })),
  inputs: [
    {
      session: 'web',
      text: 'hello',
      submit: 1,
      source: 'person',
      delivery: 'delivered',
      author: 'Ada',
      created_at: AT,
      changed_at: AT,
    },
  ],
  attention: [
    { id: 'z', session: 'web', reason: 'quota', title: 'First', raised_at: AT, request: '{}' },
    { id: 'a', session: 'web', reason: 'quota', title: 'Second', raised_at: AT, answer: 'yes' },
  ],
  screens: [{ session: 'web', at_ms: 1, seq: 3, bytes: 4, picture: Buffer.from([0, 255, 1, 2]) }],
  alert_rules: [
    rule('rule-1', 'night page', 1, { kind: 'command', argv: ['/bin/page', 'key'] }),
    rule('rule-2', 'team', 1, { kind: 'webhook', url: 'https://example.org/key' }),
    rule('rule-3', 'silent', 0, { kind: 'command', argv: ['/bin/true'] }),
  ],
  alert_deliveries: ['waiting', 'sent'].map((state, at) => ({
    id: `delivery-${at + 1}`,
    rule: 'rule-1',
    seq: 3,
    type: 'x',
    body: '{}',
    state,
    due_ms: 1,
    created_at: AT,
    changed_at: AT,
  })),
  task_auto: [
    {
      session_name: 'web',
      task_dir: '/srv/tasks/web',
      iteration_count: 7,
      started_at: AT,
      restart_count: 2,
      run_id: 'run-1',
      started_by: 'Ada',
      quota: '',
    },
  ],
  project_sessions: [{ id: 'project-1', project_path: '/srv/web', created_at: AT, updated_at: AT }],
  tasks: [
    {
      id: 'task-1',
      task_name: 'fix',
      name_key: 'fix',
      session_id: 'project-1',
      plan: '{}',
      root_folder: '/srv/web',
      status: 'PENDING',
      state: '{}',
      created_at: AT,
      updated_at: AT,
    },
  ],
  interactions: [
    {
      task_id: 'task-1',
      source: '1',
      type: 'assistant',
      turn: 1,
      content: 'ä',
      length: 1,
      cost_usd: 0.25,
      duration_ms: 12,
      at: AT,
    },
  ],
  task_inputs: [
    {
      id: 'input-1',
      task_id: 'task-1',
      text: 'go',
      interrupt: 0,
      state: 'delivered',
      created_at: AT,
      changed_at: AT,
    },
  ],
  test_cases: [
    { task_id: 'task-1', type: 'gate', name: 'n', command: 'c', status: 'passed', at: AT },
  ],
  prompts: [{ id: 'prompt-1', title: 't', content: 'c', created_at: AT, updated_at: AT }],
  worktrees: ['creating', 'removing', 'ready'].map((state, at) => ({
    id: `worktree-${at + 1}`,
    owner: 'task-1',
    repository: '/srv/web',
    path: `/srv/w${at}`,
    branch: `task/${at}`,
    base: 'main',
    base_commit: 'c',
    owns_branch: 1,
    state,
    created_at: AT,
  })),
  usage_days: [
    {
      day: '2026-11-01',
      source: 'transcript',
      model: 'm',
      subject_kind: 'session',
      subject_id: 'web',
      project: '/srv/web',
      person: 'Ada',
      input_tokens: 3,
      latest_ms: 1,
    },
  ],
  usage_entries: [{ key: 'message request', sums: 1, input_tokens: 3, at_ms: 1 }],
  usage_claims: [{ key: 'other request' }],
  usage_meters: [{ key: 'conversation c', cost_micros: 5 }],
  usage_conversations: [
    {
      id: 'c',
      subject_kind: 'session',
      subject_id: 'web',
      project: '/srv/web',
      person: 'Ada',
      since_ms: 0,
      reading: 'live',
    },
  ],
  project_setups: [
    {
      project: '/srv/web',
      setup: '{"copy":[".env"],"share":[],"setup":"npm ci","teardown":null,"minutes":10}',
      is_on: 1,
      author: 'mia',
      changed_at: '2026-01-01T00:00:00.000Z',
    },
  ],
  task_requests: [{ id: '0f0e0d0c-0000-4000-8000-000000000001', hash: 'h', is_whole: 1 }],
  placements: [
    { id: '0f0e0d0c-0000-4000-8000-000000000001', hash: 'h', host: 'other', handover: '{}' },
  ],
  push_subscriptions: [
    {
      id: 'browser-1',
      person: 'person-1',
      mark: 'm',
      endpoint: 'https://fcm.googleapis.com/x',
      p256dh: 'p',
      auth: 'a',
      label: 'Chrome',
      created_at: AT,
    },
  ],
  usage_files: [{ path: '/srv/c.jsonl', identity: '1:2', offset: 7, is_inside: 0 }],
};

export class ForeignBackup {
  readonly root = mkdtempSync(join(TEST_ROOT, 'f'));
  readonly file = join(this.root, 'backup.db');
  readonly home = join(this.root, 'home');

  constructor() {
    mkdirSync(this.home, { mode: 0o700 });
  }

  /** Creates the database as the first `versions` migrations left it. */
  fill(versions = knownMigrations().length, file = this.file): void {
    const raw = makeFresh(file, knownMigrations().slice(0, versions));
    for (const table of tablesIn(raw)) {
      const known = columnsIn(raw, table);
      for (const row of ROWS[table] ?? []) {
        const columns = Object.keys(row).filter((column) => known.includes(column));
        const values = columns.map((column) => row[column]);
        const marks = columns.map(() => '?').join();
        raw
          .prepare(`INSERT INTO ${table} ("${columns.join('","')}") VALUES (${marks})`)
          .run(values);
      }
    }
    raw.close();
  }

  /** Every row of every table but `meta`, in order, as the newest version would read it. */
  rows(file: string): Record<string, Row[]> {
    const raw = new Sqlite(file, { readonly: true });
    const tables = tablesIn(raw).filter((table) => table !== 'meta');
    const read = (table: string) => {
      const rows = raw.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all() as Row[];
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      );
    };
    const found = Object.fromEntries(tables.map((table) => [table, read(table)]));
    raw.close();
    return found;
  }

  /** The same rows without what a restore removes from them. */
  settled(rows: Record<string, Row[]>): Record<string, Row[]> {
    const set = (table: string, change: (row: Row) => Row) => (rows[table] ?? []).map(change);
    const without = ({ token_hash: _token, ...row }: Row): Row => row;
    const dead = { state: 'dead', error: 'restored from a backup and not sent' };
    return {
      ...rows,
      people: set('people', without),
      sessions: set('sessions', (row) => ({ ...row, status: 'open' })),
      worktrees: set('worktrees', (row) => ({ ...row, state: 'ready' })),
      project_setups: set('project_setups', (row) => ({ ...row, is_on: 0 })),
      push_subscriptions: [],
      alert_rules: set('alert_rules', (row) => ({ ...row, enabled: 0, cursor: 7 })),
      alert_deliveries: set('alert_deliveries', (row) =>
        row['state'] === 'waiting'
          ? { ...row, ...dead, changed_at: '2026-11-22T10:00:00.000Z' }
          : row,
      ),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function rule(id: string, name: string, enabled: number, target: object): Row {
  const filter = '{"types":["*"],"sessions":null,"reasons":null}';
  return { id, name, enabled, filter, target: JSON.stringify(target), cursor: 0, created_at: AT };
}

function tablesIn(raw: Sqlite.Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
  const names = raw.prepare(sql).pluck().all() as string[];
  return names.filter((name) => !/^(sqlite_|__drizzle)/.test(name));
}

function columnsIn(raw: Sqlite.Database, table: string): string[] {
  return (raw.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
}
