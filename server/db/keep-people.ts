/**
 * Who may come in is no history: a restore gives nobody access that they do not have now. What the
 * database that is replaced says of a person holds; whom only the backup knows stays on the list,
 * but needs a new link.
 */
import type Sqlite from 'better-sqlite3';
import { hasTable } from './database.ts';

const COLUMNS = [
  'id',
  'name',
  'name_key',
  'role',
  'token_hash',
  'link_hash',
  'link_expires_at',
  'created_at',
  'joined_at',
  'last_seen_at',
  'removed_at',
];

type PersonRow = Record<string, string | null>;

/** Takes an open database; gives every row of people, the removed ones too. */
export function peopleOf(raw: Sqlite.Database): PersonRow[] {
  if (!hasTable(raw, 'people')) return [];
  return raw.prepare(`SELECT ${COLUMNS.join(', ')} FROM people`).all() as PersonRow[];
}

/** Takes the restored copy and the people of before, null when they could not be asked. */
export function keepPeople(raw: Sqlite.Database, known: readonly PersonRow[] | null): void {
  raw.exec('UPDATE people SET token_hash = NULL, link_hash = NULL, link_expires_at = NULL');
  const forget = raw.prepare(
    'DELETE FROM people WHERE id = :id OR (name_key = :name_key AND :removed_at IS NULL)',
  );
  const values = COLUMNS.map((column) => `:${column}`).join(', ');
  const insert = raw.prepare(`INSERT INTO people (${COLUMNS.join(', ')}) VALUES (${values})`);
  for (const person of known ?? []) {
    const { id, name_key, removed_at } = person;
    forget.run({ id, name_key, removed_at });
    insert.run(person);
  }
}
