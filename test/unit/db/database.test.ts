/** The database file of a home: created, adopted, refused; and who may own it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  DATABASE_FILE,
  DatabaseError,
  knownMigrations,
  openDatabase,
} from '../../../server/db/database.ts';
import { makeFresh } from '../../../server/db/fresh-schema.ts';
import { HomeLockedError, lockHome } from '../../../server/db/home.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { World } from '../../support/daemon/world.ts';

/** The published table, column by column; two of them are named only in its text. */
const PUBLISHED = [
  'session_name TEXT PRIMARY KEY',
  'task_dir TEXT NOT NULL UNIQUE',
  "status TEXT DEFAULT 'running'",
  'max_iterations INTEGER DEFAULT 20',
  'timeout_minutes INTEGER DEFAULT 30',
  'iteration_count INTEGER DEFAULT 0',
  'recovery_count_step INTEGER DEFAULT 0',
  'recovery_count_total INTEGER DEFAULT 0',
  "last_capture_hash TEXT DEFAULT ''",
  'stall_count INTEGER DEFAULT 0',
  "quota_wait_since TEXT DEFAULT ''",
  'started_at TEXT',
  'last_signal_at TEXT',
];

const VARIANTS: Record<string, readonly string[]> = {
  'as published': PUBLISHED,
  'with restart_count': [...PUBLISHED, 'restart_count INTEGER DEFAULT 0'],
  'without quota_wait_since': PUBLISHED.filter((column) => !column.startsWith('quota_wait_since')),
};

const ROWS = [
  {
    session_name: 'web',
    task_dir: '/srv/tasks/web',
    status: 'running',
    max_iterations: 12,
    timeout_minutes: 45,
    iteration_count: 7,
    recovery_count_step: 1,
    recovery_count_total: 2,
    last_capture_hash: 'abc',
    stall_count: 1,
    started_at: '2026-11-01T10:00:00.000Z',
    last_signal_at: '2026-11-01T10:20:00.000Z',
  },
  { session_name: 'plain', task_dir: '/srv/tasks/plain', started_at: '2026-11-01T11:00:00.000Z' },
];

it('UL8 the pages that the connection keeps are bounded to 4 MB', () => {
  using home = new Home();
  const database = openDatabase(home.path);
  expect(database.raw.pragma('cache_size', { simple: true })).toBe(-4_000);
  database.close();
});

it('ST1 creates a new database with every migration', () => {
  using home = new Home();
  openDatabase(home.path).close();
  expect({ migrations: home.migrations(), first: home.columns().slice(0, 14) }).toEqual({
    migrations: 28,
    first: [...PUBLISHED.map((column) => column.split(' ')[0]), 'restart_count'],
  });
});

it('ST1 keeps its content when it is opened again', () => {
  using home = new Home();
  openDatabase(home.path).close();
  const made = readFileSync(home.file);
  openDatabase(home.path).close();
  expect(readFileSync(home.file).equals(made)).toBe(true);
  expect(readdirSync(home.path)).toEqual([DATABASE_FILE]);
});

it.each(Object.entries(VARIANTS))('ST2 adopts a table %s with its rows', (_, columns) => {
  using home = new Home();
  home.makeByHand(columns);
  const before = home.read('SELECT * FROM task_auto ORDER BY session_name');
  openDatabase(home.path).close();
  const names = columns.map((column) => column.split(' ')[0]).join();
  expect({
    migrations: home.migrations(),
    rows: home.read(`SELECT ${names} FROM task_auto ORDER BY session_name`),
    added: home.read('SELECT quota_wait_since, restart_count, run_id FROM task_auto'),
  }).toEqual({
    migrations: 28,
    rows: before,
    added: ROWS.map(() => ({ quota_wait_since: '', restart_count: 0, run_id: '' })),
  });
});

it('ST2 keeps a copy of the database it migrates', () => {
  using home = new Home();
  home.makeByHand(PUBLISHED);
  const rows = home.read('SELECT * FROM task_auto');
  openDatabase(home.path).close();
  const copies = readdirSync(home.path).filter((name) => name.includes('.before-'));
  expect(copies).toHaveLength(1);
  expect(home.read('SELECT * FROM task_auto', copies[0])).toEqual(rows);
});

it('AT14 items from before there were tasks stay unchanged, in their order', () => {
  using home = new Home();
  const raw = makeFresh(home.file, knownMigrations().slice(0, 9));
  raw.exec(`INSERT INTO attention (id, session, reason, title, raised_at)
    VALUES ('b', 'web', 'quota', 'x', '2026'), ('a', 'db', 'quota', 'x', '2026')`);
  raw.close();
  openDatabase(home.path).close();
  expect(home.migrations()).toBe(knownMigrations().length);
  const rows = home.read(
    'SELECT id, subject_kind, subject_id, title FROM attention ORDER BY rowid',
  );
  expect(rows).toEqual([
    { id: 'b', subject_kind: 'session', subject_id: 'web', title: 'x' },
    { id: 'a', subject_kind: 'session', subject_id: 'db', title: 'x' },
  ]);
});

it.each(Object.entries(VARIANTS))(
  'ST2 RC5 a daemon lists loops adopted from a table %s whose directories are gone as failed, and removes them',
  async (_, columns) => {
    await using world = new World();
    mkdirSync(world.home);
    new Home(world.home).makeByHand(columns);
    const { api } = await world.start();
    const { body } = await api.get('/api/task-auto');
    expect(body).toMatchObject({
      loops: [
        { session_name: 'plain', status: 'failed', stop_reason: 'dir_gone', iteration: 0 },
        {
          session_name: 'web',
          status: 'failed',
          stop_reason: 'dir_gone',
          task_dir: '/srv/tasks/web',
          iteration: 7,
          max_iterations: 12,
          timeout_minutes: 45,
        },
      ],
    });
    const removed = await Promise.all(
      ['web', 'plain'].map((name) => api.send('DELETE', `/api/sessions/${name}/task-auto`)),
    );
    expect(removed).toEqual([
      { status: 200, body: { status: 'stopped', seq: expect.any(Number) as number } },
      { status: 200, body: { status: 'stopped', seq: expect.any(Number) as number } },
    ]);
    expect((await api.get('/api/task-auto')).body).toEqual({ loops: [] });
  },
);

it('RC4 a row that cannot be read keeps no other from recovering', async () => {
  await using world = new World();
  mkdirSync(world.home);
  const home = new Home(world.home);
  home.makeByHand(PUBLISHED);
  home.write(
    "INSERT INTO task_auto (session_name, task_dir, status) VALUES ('odd', '/x', 'weird')",
  );
  const { api } = await world.start();
  const { loops } = (await api.get('/api/task-auto')).body as { loops: Record<string, unknown>[] };
  const recovered = loops.filter(({ session_name }) => session_name !== 'odd');
  expect(recovered.map(({ session_name, status }) => [session_name, status])).toEqual([
    ['plain', 'failed'],
    ['web', 'failed'],
  ]);
});

it('ST3 refuses a database of a newer Loopwatch and leaves it unchanged', () => {
  using home = new Home();
  openDatabase(home.path).close();
  home.write("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
  const before = readFileSync(home.file);
  expect(() => openDatabase(home.path)).toThrow(/newer Loopwatch/);
  expect(readFileSync(home.file).equals(before)).toBe(true);
  expect(readdirSync(home.path)).toEqual([DATABASE_FILE]);
});

it.each([
  ['overwritten', (bytes: Buffer) => bytes.fill(0x5a)],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['broken in the middle', (bytes: Buffer) => bytes.fill(0xff, 4096 * 2, 4096 * 6)],
  ['broken in its head', (bytes: Buffer) => bytes.fill(0, 0, 100)],
])('ST4 refuses a database that was %s and leaves it unchanged', (_, damage) => {
  using home = new Home();
  openDatabase(home.path).close();
  const damaged = damage(readFileSync(home.file));
  writeFileSync(home.file, damaged);
  expect(() => openDatabase(home.path)).toThrow(DatabaseError);
  expect(readFileSync(home.file).equals(damaged)).toBe(true);
});

it('ST4 a daemon on a damaged database exits with 78, says so and creates no other', async () => {
  await using world = new World();
  mkdirSync(world.home, { mode: 0o700 });
  const file = join(world.home, DATABASE_FILE);
  writeFileSync(file, Buffer.alloc(20_000, 'not a database'));
  const before = readFileSync(file);
  const { code, stdout, stderr } = await world.cli('start');
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr).toMatch(/is damaged .*backup/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('ST5 gives a home to one at a time', () => {
  using home = new Home();
  const release = lockHome(home.path);
  expect(() => lockHome(home.path)).toThrow(HomeLockedError);
  release();
  lockHome(home.path)();
});

it('ST5 a second daemon ends with 75 and names the first; after kill -9 the home is free', async () => {
  await using world = new World();
  const first = await world.spawn();
  const { code, stderr } = await world.cli('start');
  expect(code).toBe(75);
  expect(stderr).toContain(`pid ${first.process.pid ?? 0}`);
  await first.kill();
  const second = await world.spawn();
  expect((await second.api.get('/healthz')).status).toBe(200);
  second.process.kill('SIGTERM');
  expect(await once(second.process, 'exit')).toEqual([0, null]);
});

/** A home directory whose database a test creates and reads by hand. */
class Home {
  readonly path: string;

  constructor(path = mkdtempSync(join(TEST_ROOT, 'd'))) {
    this.path = path;
  }

  get file(): string {
    return join(this.path, DATABASE_FILE);
  }

  makeByHand(columns: readonly string[]): void {
    this.write(`CREATE TABLE task_auto (${columns.join(', ')})`);
    for (const row of ROWS) {
      const values = Object.values(row).map((value) => `'${value}'`);
      this.write(`INSERT INTO task_auto (${Object.keys(row).join()}) VALUES (${values.join()})`);
    }
  }

  write(sql: string): void {
    const raw = new Sqlite(this.file);
    raw.exec(sql);
    raw.close();
  }

  read(sql: string, name = DATABASE_FILE): unknown[] {
    const raw = new Sqlite(join(this.path, name), { readonly: true });
    const rows = raw.prepare(sql).all();
    raw.close();
    return rows;
  }

  migrations(): number {
    return this.read('SELECT hash FROM __drizzle_migrations').length;
  }

  columns(): string[] {
    return (this.read("SELECT name FROM pragma_table_info('task_auto')") as { name: string }[]).map(
      ({ name }) => name,
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
