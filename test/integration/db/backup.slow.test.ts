/** `loopwatch backup`, without loops: what is created, and what is refused. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { namesIn, readDatabase } from '../../support/drills/database-files.ts';
import { World } from '../../support/daemon/world.ts';

const PROGRAM = join(packageRoot(), 'dist/server/main.js');

const SETTLED = "delivery NOT IN ('held', 'delivering')";
const WITH_EVENT = "SELECT json_extract(data, '$.id') FROM events WHERE type = 'session.input'";

it('KE5 a backup has the newest event of the running daemon, in one private file', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const file = join(world.root, 'backup.db');
  const { code, stdout } = await world.cli('backup', file, '--json');
  expect(code).toBe(0);
  const { body } = await api.get('/api/status');
  const made = JSON.parse(stdout) as Record<string, unknown>;
  expect(made).toEqual({
    file,
    bytes: statSync(file).size,
    sessions: 1,
    loops: 0,
    tasks: 0,
    events: made['head'],
    head: made['head'],
    epoch: body['epoch'],
  });
  expect(readDatabase(file, "SELECT name || ' ' || status FROM sessions")).toEqual(['web open']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(namesIn(world.root)).toEqual(['backup.db']);
});

it('KE19 prints what the backup contains, and what it does not', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  const file = join(world.root, "it's a backup.db");
  const { code, stdout } = await world.cli('backup', file);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^saved to .*it's a backup\.db\n2 events \(newest 2 of epoch [0-9a-f]{20}\), 0 sessions, 0 loops, 0 tasks; \d+ bytes\nnot included: the token, the log, recordings and current terminal contents\n$/,
  );
});

it('KE5 a backup of a daemon that keeps writing is one moment of it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const counts: number[] = [];
  const writing = new AbortController();
  const writer = (async () => {
    for (let number = 0; !writing.signal.aborted; number += 1) {
      const body = { text: `true ${number}`, submit: false };
      await api.send('POST', '/api/sessions/web/input', body);
    }
  })();
  for (let number = 1; number <= 4; number += 1) {
    const file = join(world.root, `backup-${number}.db`);
    const { code, stdout } = await world.cli('backup', file, '--json');
    const made = JSON.parse(stdout) as { events: number; head: number };
    expect({ code, events: made.events }).toEqual({ code: 0, events: made.head });
    // Each settled input has its event, written in the same transaction; no other input has one.
    const others = `SELECT id FROM inputs WHERE (${SETTLED}) <> (id IN (${WITH_EVENT}))`;
    expect(readDatabase(file, others)).toEqual([]);
    expect(readDatabase(file, WITH_EVENT)).not.toEqual([]);
    expect(readDatabase(file, 'PRAGMA integrity_check')).toEqual(['ok']);
    counts.push(made.head);
  }
  writing.abort();
  await writer;
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
});

it('KE6 a backup replaces nothing without --force, and never a file of the daemon', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  const file = join(world.root, 'backup.db');
  writeFileSync(file, 'mine');
  expect(await world.cli('backup', file)).toMatchObject({
    code: 1,
    stderr: `loopwatch: ${file} exists; choose another name, or add --force to replace it\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await world.cli('backup', file, '--force')).code).toBe(0);
  expect(readDatabase(file, 'PRAGMA integrity_check')).toEqual(['ok']);
  symlinkSync(world.home, join(world.root, 'other-way'));
  for (const name of ['loopwatch.db', 'loopwatch.db-wal', 'token', 'new.db']) {
    for (const directory of [world.home, join(world.root, 'other-way')]) {
      const { code, stderr } = await world.cli('backup', join(directory, name), '--force');
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('choose another directory') as string,
      });
    }
  }
  expect((await world.cli('backup', join(world.root, 'tasks'), '--force')).code).toBe(1);
  expect((await world.cli('backup', join(world.root, 'none', 'x.db'), '--force')).code).toBe(4);
  expect(existsSync(join(world.home, 'new.db'))).toBe(false);
  await daemon.close();
});

it('KE6 without a home or a database there is nothing to back up', async () => {
  await using world = new World();
  expect(await world.cli('backup', join(world.root, 'x.db'))).toMatchObject({ code: 4 });
  expect(existsSync(world.home)).toBe(false);
  mkdirSync(world.home, { mode: 0o700 });
  expect(await world.cli('backup', join(world.root, 'x.db'))).toMatchObject({ code: 1 });
  expect(namesIn(world.home)).toEqual([]);
});

it.each(['', 'before'])(
  'KE7 a file that cannot grow leaves the earlier file at its name (%j)',
  async (before) => {
    await using world = new World();
    const { daemon } = await world.start();
    await daemon.close();
    const directory = join(world.root, 'out');
    mkdirSync(directory);
    const file = join(directory, 'backup.db');
    if (before !== '') writeFileSync(file, before);
    // 72 blocks, of 512 or 1024 bytes by the shell: no file can be longer than that.
    const limited = 'ulimit -f 72; exec "$0" "$@"';
    const words = ['-c', limited, process.execPath, PROGRAM, 'backup', file, '--force'];
    const run = () => execFileSync('sh', words, { env: world.environment, stdio: 'pipe' });
    expect(run).toThrow(
      /a disk write failed; no backup was written to .*; free some space.* \(internal\)/,
    );
    expect(namesIn(directory)).toEqual(before === '' ? [] : ['backup.db']);
    if (before !== '') expect(readFileSync(file, 'utf8')).toBe(before);
  },
);

it('KE7 a damaged database is not backed up', async () => {
  await using world = new World();
  const { daemon } = await world.start();
  await daemon.close();
  const file = join(world.home, 'loopwatch.db');
  const bytes = readFileSync(file).fill(0xff, 4096 * 2, 4096 * 6);
  writeFileSync(file, bytes);
  const target = join(world.root, 'backup.db');
  const { code, stderr } = await world.cli('backup', target);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is damaged .* no backup was written/) as string,
  });
  expect(namesIn(world.root)).toEqual([]);
});
