/** `loopwatch restore`, without loops: what is refused, what is restored, what stays. */
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  namesIn,
  PUBLISHED_TABLE,
  readDatabase,
  writeDatabase,
} from '../../support/drills/database-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('KE8, KE20 a restore is refused while a daemon runs, and for every file that is not a backup', async () => {
  await using world = new World();
  const first = await world.spawn();
  const good = join(world.root, 'good.db');
  await world.cli('backup', good);
  const running = await world.cli('restore', good);
  expect(running).toMatchObject({ code: 75, stdout: '' });
  expect(running.stderr).toContain(`pid ${first.process.pid ?? 0}`);
  first.process.kill('SIGTERM');
  await until('the daemon ended', () => first.process.exitCode !== null);
  const database = join(world.home, 'loopwatch.db');
  const before = { names: namesIn(world.home), bytes: readFileSync(database) };
  const make = (name: string, content: string | Buffer) => {
    writeFileSync(join(world.root, name), content);
    return join(world.root, name);
  };
  const bytes = readFileSync(good);
  const foreign = join(world.root, 'foreign.db');
  writeDatabase(foreign, 'CREATE TABLE things (name)');
  const newer = join(world.root, 'newer.db');
  copyFileSync(good, newer);
  writeDatabase(
    newer,
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)",
  );
  const refusals: [string, number, RegExp][] = [
    [join(world.root, 'none.db'), 4, /none\.db does not exist/],
    [join(world.root, 'tasks'), 1, /is not a file/],
    [make('empty.db', ''), 1, /not a Loopwatch database/],
    [make('text.db', 'a text, and a long one: '.repeat(500)), 1, /damaged or not a database/],
    [make('short.db', bytes.subarray(0, bytes.length / 2)), 1, /damaged or not a database/],
    [make('broken.db', Buffer.from(bytes).fill(0xff, 8192, 20_000)), 1, /damaged or no/],
    [foreign, 1, /not a Loopwatch database/],
    [newer, 1, /written by a newer Loopwatch/],
    [database, 1, /is the current database/],
  ];
  for (const [file, code, stderr] of refusals) {
    const answer = await world.cli('restore', file);
    expect({ file, ...answer }).toMatchObject({ file, code, stdout: '' });
    expect(answer.stderr).toMatch(stderr);
    expect({ file, names: namesIn(world.home) }).toEqual({ file, names: before.names });
  }
  expect(readFileSync(database).equals(before.bytes)).toBe(true);
});

it('KE8 KE9 a database that another program holds is not replaced', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  const file = join(world.root, 'backup.db');
  await world.cli('backup', file);
  const other = new Sqlite(join(world.home, 'loopwatch.db'));
  other.pragma('journal_mode = WAL');
  other.prepare('SELECT count(*) FROM events').get();
  const names = () => namesIn(world.home).filter((name) => !/-(wal|shm)$/.test(name));
  const before = names();
  const answer = await world.cli('restore', file);
  other.close();
  expect(answer).toMatchObject({ code: 1 });
  expect(answer.stderr).toMatch(/another program has .* open; close it and try again/);
  expect(names()).toEqual(before);
});

it('KE10, KE22 a restored database has a new epoch, and the printed way back works', async () => {
  await using world = new World();
  const first = await world.start();
  await first.api.openSession('web', world.taskDir('web'));
  const file = join(world.root, 'backup.db');
  const made = JSON.parse((await world.cli('backup', file, '--json')).stdout) as { epoch: string };
  await first.api.openSession('later', world.taskDir('later'));
  const before = await first.api.events();
  await first.daemon.close();
  const { code, stdout } = await world.cli('restore', file);
  expect(code).toBe(0);
  const kept = /kept as (\S+before-restore-\S+)\n/.exec(stdout)?.[1] ?? '';
  expect(stdout).toContain(`loopwatch restore ${kept}\n`);
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const second = await world.start();
  const { body } = await second.api.get('/api/status');
  expect(body['epoch']).not.toBe(made.epoch);
  expect(stdout).toContain(`of epoch ${String(body['epoch'])}`);
  const started = (await second.api.events('&types=daemon.started')).map(({ data }) => data);
  expect(started).toMatchObject([{}, { restored: true }]);
  await second.daemon.close();
  const third = await world.start();
  expect((await third.api.events('&types=daemon.started')).at(-1)?.data).not.toHaveProperty(
    'restored',
  );
  await third.daemon.close();
  // And back.
  expect((await world.cli('restore', kept)).code).toBe(0);
  const fourth = await world.start();
  expect((await fourth.api.events()).slice(0, before.length)).toEqual(before);
  expect([made.epoch, body['epoch']]).not.toContain(
    (await fourth.api.get('/api/status')).body['epoch'],
  );
});

it('KE22 a backup restores into an empty home, and in place of a damaged database', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  const file = join(world.root, 'backup.db');
  await world.cli('backup', file);
  const database = join(world.home, 'loopwatch.db');
  writeFileSync(database, Buffer.alloc(20_000, 'not a database'));
  const damaged = await world.cli('restore', file, '--json');
  expect(damaged).toMatchObject({ code: 0 });
  const { replaced } = JSON.parse(damaged.stdout) as { replaced: string };
  expect(readFileSync(replaced, 'utf8').startsWith('not a database')).toBe(true);
  expect(readDatabase(database, 'PRAGMA integrity_check')).toEqual(['ok']);
  const elsewhere = { LOOPWATCH_HOME: join(world.root, 'elsewhere') };
  Object.assign(world.environment, elsewhere);
  expect(JSON.parse((await world.cli('restore', file, '--json')).stdout)).toMatchObject({
    replaced: null,
    events: 2,
  });
  const { api } = await world.start();
  expect((await api.events()).length).toBe(3);
});

it('KE21 a database of an older version is migrated, and the file stays unchanged', async () => {
  await using world = new World();
  const file = join(world.root, 'old.db');
  writeDatabase(file, PUBLISHED_TABLE);
  writeDatabase(
    file,
    "INSERT INTO task_auto (session_name, task_dir, started_at) VALUES ('web', '/srv/web', '2026-11-01T10:00:00.000Z')",
  );
  const before = readFileSync(file);
  const { code, stdout } = await world.cli('restore', file, '--json');
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, loops: 1, head: 0 });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(namesIn(world.home)).toEqual(['lock.db', 'loopwatch.db']);
  const { api } = await world.start();
  expect(await api.loop('web')).toMatchObject({ status: 'failed', stop_reason: 'restored' });
});
