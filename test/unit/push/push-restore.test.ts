/** Browsers of a backup: only those that the replaced database had as well. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { knownMigrations } from '../../../server/db/database.ts';
import { makeFresh } from '../../../server/db/fresh-schema.ts';
import { actingRows, settleRestored } from '../../../server/db/settle-restored.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const AT = '2026-11-22T00:00:00.000Z';

function addBrowser(raw: Sqlite.Database, id: string, endpoint: string): void {
  const insert = raw.prepare(
    `INSERT INTO push_subscriptions (id, person, mark, endpoint, p256dh, auth, label, created_at)
     VALUES (?, 'home', 'm', ?, 'p', 'a', 'Chrome', ?)`,
  );
  insert.run(id, endpoint, AT);
}

it('WP12 a restore keeps only the browsers that the replaced database had', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'b'));
  const [replaced, backup, blind] = ['replaced', 'backup', 'blind'].map((name) =>
    makeFresh(join(root, name), knownMigrations()),
  );
  if (!replaced || !backup || !blind) throw new Error('three databases');
  addBrowser(replaced, 'same', 'https://push.example/same');
  addBrowser(replaced, 'changed', 'https://push.example/mine');
  for (const raw of [backup, blind]) {
    addBrowser(raw, 'same', 'https://push.example/same');
    addBrowser(raw, 'changed', 'https://push.example/theirs');
    addBrowser(raw, 'removed', 'https://push.example/removed');
  }
  settleRestored(backup, actingRows(replaced), AT);
  settleRestored(blind, null, AT);
  const left = (raw: Sqlite.Database) =>
    raw.prepare('SELECT id FROM push_subscriptions').pluck().all();
  expect({ backup: left(backup), blind: left(blind) }).toEqual({ backup: ['same'], blind: [] });
  for (const raw of [replaced, backup, blind]) raw.close();
  rmSync(root, { recursive: true });
});
