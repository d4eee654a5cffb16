/** Databases of every earlier version, with rows in every table: opened, backed up, restored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, it } from 'vitest';
import { backupDatabase } from '../../../server/db/backup-database.ts';
import { DATABASE_FILE, knownMigrations, openDatabase } from '../../../server/db/database.ts';
import { restoreDatabase } from '../../../server/db/restore-database.ts';
import * as alertSchema from '../../../server/db/alert-schema.ts';
import * as runSchema from '../../../server/db/run-schema.ts';
import * as schema from '../../../server/db/schema.ts';
import * as taskSchema from '../../../server/db/task-schema.ts';
import * as usageSchema from '../../../server/db/usage-schema.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { ForeignBackup } from '../../support/drills/foreign-backup.ts';

const VERSIONS = knownMigrations().map((_, index) => index + 1);

type Rows = ReturnType<ForeignBackup['rows']>;

/** Everything an older version wrote is still there; newer columns have their defaults. */
function expectKept(now: Rows, before: Rows): void {
  for (const [table, rows] of Object.entries(before)) {
    const changed = { attention: aboutSubject, task_auto: withState }[table];
    const kept = changed === undefined ? rows : rows.map(changed);
    expect({ table, rows: now[table] }).toMatchObject({ table, rows: kept });
  }
}

/** Two columns became one subject. */
function aboutSubject({ session, task, ...row }: Rows[string][number]): Rows[string][number] {
  if (session === undefined) return row;
  const isTask = task !== undefined && task !== null;
  return { ...row, subject_kind: isTask ? 'task' : 'session', subject_id: isTask ? task : session };
}

const LOOP_COLUMNS = Object.values(getTableColumns(schema.taskAuto)).map(({ name }) => name);

/** Removed columns became part of the state. */
function withState(row: Rows[string][number]): Rows[string][number] {
  const columns = Object.entries(row).filter(([name]) => LOOP_COLUMNS.includes(name));
  const { started_by: name } = row;
  const state = expect.stringContaining(`"startedBy":${JSON.stringify(name)}`) as string;
  return { ...Object.fromEntries(columns), ...(name === undefined ? {} : { state }) };
}

it.each(VERSIONS)(
  'ST7 a database of %i migrations is brought up to date with every row',
  (count) => {
    using backup = new ForeignBackup();
    const database = join(backup.home, DATABASE_FILE);
    backup.fill(count, database);
    const before = backup.rows(database);
    expect(Object.keys(before)).not.toEqual([]);
    const opened = openDatabase(backup.home);
    expect(opened.raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(opened.raw.pragma('foreign_key_check')).toEqual([]);
    opened.close();
    expectKept(backup.rows(database), before);
  },
);

it('ST7 EV15 the events of an older version get their subject', () => {
  using backup = new ForeignBackup();
  const database = join(backup.home, DATABASE_FILE);
  backup.fill(12, database);
  const old = new Sqlite(database);
  const insert = old.prepare("INSERT INTO events (at, type, session, data) VALUES ('', ?, ?, ?)");
  insert.run('attention.raised', null, '{"id":"i","task":"fix"}');
  insert.run('attention.raised', 'web', '{"id":"i"}');
  insert.run('task.status', null, '{"task":"fix"}');
  insert.run('people.invited', null, '{"id":"p","name":"Ada"}');
  insert.run('alert.sent', 'web', '{"rule":"r"}');
  insert.run('alert.failed', null, '{"rule":"r"}');
  insert.run('daemon.started', null, '{}');
  insert.run('task.deleted', null, 'not json');
  old.close();
  const opened = openDatabase(backup.home);
  const about = "SELECT subject_kind || ':' || subject_id FROM events ORDER BY seq";
  expect(opened.raw.prepare(about).pluck().all()).toEqual([
    'session:web',
    'loop:web',
    'task:fix',
    'session:web',
    'task:fix',
    'person:p',
    'alert:r',
    'alert:r',
    'daemon:local',
    'task:',
  ]);
  opened.close();
});

it('ST7 a task of an older version keeps its conversation', () => {
  using backup = new ForeignBackup();
  const database = join(backup.home, DATABASE_FILE);
  backup.fill(14, database);
  const states = [
    '{"sessionId":"c-1","lostSessions":1,"turns":2}',
    '{"sessionId":null}',
    'not json',
  ];
  const old = new Sqlite(database);
  const task = old.prepare('SELECT * FROM tasks').get() as Record<string, unknown>;
  const columns = Object.keys(task);
  const insert = old.prepare(
    `INSERT INTO tasks (${columns.join(',')}) VALUES (${columns.map(() => '?').join(',')})`,
  );
  for (const [index, state] of states.entries()) {
    const name = `kept-${index}`;
    const row = { ...task, id: name, task_name: name, name_key: name, state };
    insert.run(Object.values(row));
  }
  old.close();
  const opened = openDatabase(backup.home);
  const read = "SELECT state FROM tasks WHERE id LIKE 'kept-%' ORDER BY id";
  const [kept = '', none = '', damaged] = opened.raw.prepare(read).pluck().all() as string[];
  expect(JSON.parse(kept)).toEqual({ conversationId: 'c-1', lostConversations: 1, turns: 2 });
  expect(JSON.parse(none)).toMatchObject({ conversationId: null });
  expect(damaged).toBe('not json');
  opened.close();
});

it.each(VERSIONS)(
  'ST7, KE14, KE21 a backup of %i migrations is restored with every row',
  async (count) => {
    using backup = new ForeignBackup();
    backup.fill(count);
    const before = backup.settled(backup.rows(backup.file));
    const { home, file } = backup;
    restoreDatabase({ home, file, at: '2026-11-22T10:00:00.000Z' });
    const database = join(home, DATABASE_FILE);
    const now = backup.rows(database);
    for (const table of Object.keys(before)) {
      if (!(table in backup.rows(file))) Reflect.deleteProperty(before, table);
    }
    expectKept(now, before);
    // And what is restored can be backed up and restored again.
    const again = join(backup.root, 'again.db');
    await backupDatabase({ home, file: again, force: false });
    restoreDatabase({ home, file: again, at: '2026-11-22T10:00:00.000Z' });
    expect(backup.rows(database)).toEqual(now);
  },
);

it('ST8 the migrations create exactly the tables that the schema describes', async () => {
  const folder = join(packageRoot(), 'server/db/migrations/meta');
  const journal = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as {
    entries: { idx: number }[];
  };
  const newest = String(journal.entries.at(-1)?.idx ?? 0).padStart(4, '0');
  const last = JSON.parse(readFileSync(join(folder, `${newest}_snapshot.json`), 'utf8')) as never;
  const now = (await generateSQLiteDrizzleJson({
    ...schema,
    ...alertSchema,
    ...taskSchema,
    ...usageSchema,
    ...runSchema,
  })) as unknown;
  expect(await generateSQLiteMigration(last, now as never)).toEqual([]);
});
