/** A database too large to be checked whole before the daemon starts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATABASE_FILE, DatabaseError, openDatabase } from '../../../server/db/database.ts';
import { World } from '../../support/daemon/world.ts';

const PAGE_BYTES = 4_096;

/** Makes the events need more than 64 MiB. */
const LARGE = `
  INSERT INTO events (at, type, subject_kind, subject_id, data)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  SELECT strftime('%Y-%m-%dT%H:%M:%fZ'), 'daemon.stopping', 'daemon', 'daemon', '{"x":"' || hex(randomblob(8000)) || '"}'
  FROM n`;

it('ST12 in a large database, damaged events end the daemon with 78, and other damage is refused', async () => {
  await using world = new World();
  mkdirSync(world.home, { mode: 0o700 });
  const file = join(world.home, DATABASE_FILE);
  const database = openDatabase(world.home);
  database.raw.exec(LARGE);
  database.close();
  const sound = readFileSync(file);
  expect(sound.length).toBeGreaterThan(64 * 1024 * 1024);
  const running = await world.spawn();
  expect((await running.api.get('/healthz')).status).toBe(200);
  await running.kill();

  const middle = Math.floor(sound.length / 2 / PAGE_BYTES) * PAGE_BYTES;
  writeFileSync(file, Buffer.from(sound).fill(0xff, middle, middle + PAGE_BYTES));
  const { code, stdout, stderr } = await world.cli('start');
  expect({ code, stdout }).toEqual({
    code: 78,
    stdout: expect.stringMatching(/listening/) as string,
  });
  expect(stderr).toMatch(/the events in .* are damaged .*backup/);

  const damaged = Buffer.from(sound).fill(0xff, PAGE_BYTES * 2, PAGE_BYTES * 6);
  writeFileSync(file, damaged);
  expect(() => openDatabase(world.home)).toThrow(DatabaseError);
  expect(readFileSync(file).equals(damaged)).toBe(true);
});
