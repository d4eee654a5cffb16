/**
 * Creates an empty database with our own migrations, as an earlier version of the program would
 * have.
 */
import type Sqlite from 'better-sqlite3';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { recordMigrations } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

/** Migrations missing from the list run when the database is opened. */
export function makeFresh(file: string, migrations: readonly MigrationMeta[]): Sqlite.Database {
  const raw = openSqlite(file);
  try {
    raw.pragma('foreign_keys = OFF');
    raw
      .transaction(() => {
        for (const statement of migrations.flatMap(({ sql }) => sql)) raw.exec(statement);
        recordMigrations(raw, migrations);
      })
      .immediate();
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}
