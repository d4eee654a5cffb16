/** The native parts of the package where they are missing. */
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { firstThatLoads } from '../../../server/db/open-sqlite.ts';
import { ConfigError } from '../../../server/lib/config/config.ts';
import { loadPtyHost } from '../../../server/terminals/open-terminal-host.ts';

const missing = () => '/nowhere/better_sqlite3.node';

it('PK4 the first native part of SQLite that loads is used', () => {
  const good = createRequire(import.meta.url).resolve(
    'better-sqlite3/build/Release/better_sqlite3.node',
  );
  expect(firstThatLoads([missing, () => good])).toHaveProperty('Database');
});

it('PK4 without one, the start names the machine, the reasons and what to install', () => {
  const load = () => firstThatLoads([missing, missing]);
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(`${process.platform}-${process.arch}`);
  expect(load).toThrow('npm install better-sqlite3@12');
  expect(load).toThrow('/nowhere/better_sqlite3.node');
});

it('PK5 without the native part of terminals inside the daemon, the start says to install tmux', async () => {
  const load = loadPtyHost(async () => Promise.reject(new Error("Cannot find package 'x'\nat y")));
  await expect(load).rejects.toThrow(ConfigError);
  await expect(load).rejects.toThrow(
    "@lydell/node-pty, which cannot be loaded (Cannot find package 'x'). Install tmux",
  );
});
