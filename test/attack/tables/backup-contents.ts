/** What a database can hold that Loopwatch never wrote. */
import Sqlite from 'better-sqlite3';
import { writeDatabase } from '../../support/drills/database-files.ts';
import type { ForeignBackup } from '../../support/drills/foreign-backup.ts';

export type Spoil = (backup: ForeignBackup) => void;

const CANARY = 'c4n4ry';

const sql =
  (...statements: string[]): Spoil =>
  ({ file }) =>
    writeDatabase(file, statements.join(';'));

/** Statements that SQLite refuses outside its unsafe mode. */
const forced =
  (...statements: string[]): Spoil =>
  ({ file }) => {
    const raw = new Sqlite(file).unsafeMode();
    raw.pragma('writable_schema = ON');
    raw.pragma('foreign_keys = OFF');
    raw.pragma('ignore_check_constraints = ON');
    raw.exec(statements.join(';'));
    raw.close();
  };

const event = (columns: string, values: string) =>
  `INSERT INTO events (${columns}) VALUES (${values})`;

export const OBJECTS: [name: string, spoil: Spoil][] = [
  [
    'a trigger that makes an admin',
    sql(
      "CREATE TRIGGER t AFTER INSERT ON people BEGIN UPDATE people SET role = 'admin', token_hash = 'x'; END",
    ),
  ],
  [
    'a trigger that deletes events',
    sql('CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM people; END'),
  ],
  [
    'a trigger before each insert',
    sql('CREATE TRIGGER t BEFORE INSERT ON sessions BEGIN SELECT RAISE(IGNORE) WHERE 1; END'),
  ],
  [
    'a trigger called like an internal object',
    forced(
      'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM people; END',
      "UPDATE sqlite_schema SET name = 'sqlite_sequence' WHERE name = 't'",
    ),
  ],
  ['a view', sql('CREATE VIEW v AS SELECT * FROM people')],
  [
    'a view in the place of a table',
    sql(
      'ALTER TABLE prompts RENAME TO real_prompts',
      'CREATE VIEW prompts AS SELECT * FROM real_prompts',
    ),
  ],
  [
    'a view that never ends in the place of a table',
    sql(
      'DROP TABLE prompts',
      'CREATE VIEW prompts AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
    ),
  ],
  ['a virtual table', sql('CREATE VIRTUAL TABLE v USING fts5(words)')],
  ['a virtual table over its own bytes', sql('CREATE VIRTUAL TABLE v USING rtree(id, a, b)')],
  [
    'a virtual table of a module that is not there',
    forced(
      `INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING ${CANARY}(x)')`,
    ),
  ],
  ['a table of its own', sql('CREATE TABLE things (name)')],
  ['a table called like a migration', sql('CREATE TABLE __drizzle_migrations_2 (name)')],
  [
    'a table without row ids',
    sql('DROP TABLE prompts', 'CREATE TABLE prompts (id TEXT PRIMARY KEY) WITHOUT ROWID'),
  ],
  ['a table that is missing', sql('DROP TABLE prompts')],
  ['a column of its own', sql('ALTER TABLE people ADD COLUMN is_owner INTEGER')],
  [
    'a column that is computed',
    sql('ALTER TABLE people ADD COLUMN copy TEXT GENERATED ALWAYS AS (upper(token_hash)) VIRTUAL'),
  ],
  ['a column with bidi in its name', sql('ALTER TABLE people ADD COLUMN "\u202eelor" TEXT')],
  ['an index of its own', sql('CREATE INDEX i ON people (lower(name))')],
  [
    'an index of another condition',
    sql(
      'DROP INDEX people_name_key',
      'CREATE UNIQUE INDEX people_name_key ON people (name_key) WHERE length(name) > 1',
    ),
  ],
  [
    'an index that loads a program',
    forced(
      "UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX people_name_key ON people (load_extension(name_key))' WHERE name = 'people_name_key'",
    ),
  ],
  [
    'a schema that is no SQL',
    forced(`UPDATE sqlite_schema SET sql = '${CANARY}' WHERE name = 'people'`),
  ],
  [
    'two tables on one page',
    forced(
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'events') WHERE name = 'prompts'",
    ),
  ],
  [
    'a table on no page',
    forced("UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'people'"),
  ],
];

export const VERSIONS: [name: string, spoil: Spoil][] = [
  [
    'a newer version',
    sql("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)"),
  ],
  [
    'a version between two',
    sql(
      'UPDATE __drizzle_migrations SET created_at = created_at - 1 WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)',
    ),
  ],
  ['a negative version', sql('UPDATE __drizzle_migrations SET created_at = -1')],
  ['a version in words', sql(`UPDATE __drizzle_migrations SET created_at = '${CANARY}'`)],
  ['a version beyond all numbers', sql('UPDATE __drizzle_migrations SET created_at = 9e999')],
  ['a version of 1', sql('UPDATE __drizzle_migrations SET created_at = 1')],
  ['no version with all tables', sql('DELETE FROM __drizzle_migrations')],
  ['no list of versions', sql('DROP TABLE __drizzle_migrations')],
  [
    'an older version with newer tables',
    sql(
      'DELETE FROM __drizzle_migrations WHERE created_at > (SELECT min(created_at) FROM __drizzle_migrations)',
    ),
  ],
];

export const VALUES: [name: string, spoil: Spoil][] = [
  ['a role that there is not', sql("UPDATE people SET role = 'root'")],
  ['a role in capitals', sql("UPDATE people SET role = 'ADMIN'")],
  ['an event that is no JSON', sql(`UPDATE events SET data = '{},"seq":1'`)],
  ['an event that is a number', sql("UPDATE events SET data = '1'")],
  [
    'an event of 100,000 lists',
    sql(`UPDATE events SET data = '${'['.repeat(100_000)}${']'.repeat(100_000)}'`),
  ],
  ['a session called by a path', sql("UPDATE sessions SET name = '../../x' WHERE name = 'open'")],
  ['a session without a name', sql("UPDATE sessions SET name = '' WHERE name = 'open'")],
  [
    'a session of two lines as a name',
    sql("UPDATE sessions SET name = 'a' || char(10) || 'b' WHERE name = 'open'"),
  ],
  [
    'a session of 1 MiB as a name',
    sql(`UPDATE sessions SET name = '${'x'.repeat(2 ** 20)}' WHERE name = 'open'`),
  ],
  [
    'an alert that leads nowhere',
    sql(`UPDATE alert_rules SET target = '{"kind":"webhook","url":5}'`),
  ],
  [
    'an alert that runs nothing',
    sql(`UPDATE alert_rules SET target = '{"kind":"command","argv":[]}'`),
  ],
  [
    'an alert of an unknown kind',
    sql(`UPDATE alert_rules SET target = '{"kind":"eval","code":"${CANARY}"}'`),
  ],
  ['bytes for a text', sql("UPDATE prompts SET title = x'00ff'")],
  ['bytes for a time', sql("UPDATE task_auto SET started_at = x'31'")],
  ['a fraction for a number', sql('UPDATE task_auto SET iteration_count = 1.5')],
  ['a text for a count', sql(`UPDATE task_auto SET iteration_count = '${CANARY}'`)],
  ['a task that belongs nowhere', sql('PRAGMA foreign_keys = OFF', 'DELETE FROM project_sessions')],
  [
    'numbers that are used up',
    sql("UPDATE sqlite_sequence SET seq = 9223372036854775806 WHERE name = 'events'"),
  ],
  [
    'a counter twice',
    sql("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', 9223372036854775807)"),
  ],
  [
    'an event with the last number',
    sql(event('seq, at, type, data', "9223372036854775807, 'x', 'x', '{}'")),
  ],
];
