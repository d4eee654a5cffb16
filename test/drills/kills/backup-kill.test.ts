/** kill -9 and a full disk at the system calls by which a backup and a restore write. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { strace, type Straced, type StraceOptions } from '../../support/drills/strace.ts';
import { World } from '../../support/daemon/world.ts';

const PROGRAM = join(packageRoot(), 'dist/server/main.js');
/** Moments per test; each costs a process under strace. */
const MOMENTS = sized({ short: 6, middle: 20, long: Infinity });

it('KE7 kill -9 at any write of a backup leaves the old one or the new one, and no lasting remains', async () => {
  await seeded(async (random) => {
    await using rig = await Rig.make();
    const file = join(rig.out, 'backup.db');
    const words = ['backup', file, '--force'];
    expect((await rig.world.cli(...words)).code).toBe(0);
    const old = rig.head(file);
    await rig.addEvents();
    const now = rig.head(rig.database);
    const keep = readFileSync(file);
    const seen = { old: 0, new: 0 };
    for (const inject of moments(await rig.run(words), random)) {
      rmSync(file);
      writeFileSync(file, keep);
      const { signal } = await rig.run(words, inject);
      expect({ inject, signal }).toEqual({ inject, signal: 'SIGKILL' });
      const head = rig.head(file);
      expect([old, now]).toContain(head);
      seen[head === old ? 'old' : 'new'] += 1;
      expect({ inject, head: rig.head(rig.database) }).toEqual({ inject, head: now });
    }
    expect((await rig.world.cli(...words)).code).toBe(0);
    expect({ names: readdirSync(rig.out), head: rig.head(file) }).toEqual({
      names: ['backup.db'],
      head: now,
    });
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.new).toBeGreaterThan(0);
    console.log(`backup killed: ${seen.old} left the old one, ${seen.new} the new one`);
  });
});

it('KE9 kill -9 at any write of a restore leaves the old database or the new one', async () => {
  await seeded(async (random) => {
    await using rig = await Rig.make();
    const file = join(rig.out, 'backup.db');
    expect((await rig.world.cli('backup', file)).code).toBe(0);
    const backedUp = rig.head(file);
    await rig.addEvents();
    await rig.leaveLog();
    const now = rig.head(rig.database);
    const home = join(rig.world.root, 'home-kept');
    cpSync(rig.world.home, home, { recursive: true, preserveTimestamps: true });
    const all = moments(await rig.run(['restore', file]), random);
    const seen = { old: 0, new: 0 };
    for (const inject of all) {
      rig.resetHome(home);
      const { signal } = await rig.run(['restore', file], inject);
      expect({ inject, signal }).toEqual({ inject, signal: 'SIGKILL' });
      const isNew = rig.isRestored();
      seen[isNew ? 'new' : 'old'] += 1;
      expect({ inject, head: rig.head(rig.database) }).toEqual({
        inject,
        head: isNew ? backedUp : now,
      });
      // No matter what was left, the next one works and cleans it up.
      const { code, stderr } = await rig.world.cli('restore', file);
      expect({ inject, code, stderr }).toEqual({ inject, code: 0, stderr: '' });
      expect({ inject, head: rig.head(rig.database) }).toEqual({ inject, head: backedUp });
      expect({ inject, odd: rig.oddNames() }).toEqual({ inject, odd: [] });
      expect({ inject, kept: rig.keptHeads() }).toEqual({
        inject,
        kept: isNew ? [backedUp, now] : [now],
      });
    }
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.new).toBeGreaterThan(0);
    console.log(`restore killed: ${seen.old} left the old one, ${seen.new} the new one`);
  });
});

it('KE9 a daemon that starts after a killed restore clears what it left', async () => {
  await using rig = await Rig.make();
  const file = join(rig.out, 'backup.db');
  expect((await rig.world.cli('backup', file)).code).toBe(0);
  const before = rig.head(rig.database);
  const { calls } = await rig.run(['restore', file]);
  const renames = [...calls.keys()].filter((call) => call.startsWith('rename'));
  const { signal } = await rig.run(['restore', file], {
    call: renames[0] ?? 'rename',
    what: 'signal=KILL',
    when: '1',
  });
  expect(signal).toBe('SIGKILL');
  expect(rig.oddNames()).not.toEqual([]);
  const { daemon } = await rig.world.start();
  expect(rig.oddNames()).toEqual([]);
  await daemon.close();
  expect(rig.head(rig.database)).toBeGreaterThan(before);
});

it.each(['backup', 'restore'])(
  'KE7 KE9 a full disk at any write of a %s changes nothing',
  async (word) => {
    await seeded(async (random) => {
      await using rig = await Rig.make();
      const file = join(rig.out, 'backup.db');
      if (word === 'restore') expect((await rig.world.cli('backup', file)).code).toBe(0);
      const words = word === 'restore' ? ['restore', file] : ['backup', file];
      const home = join(rig.world.root, 'home-kept');
      cpSync(rig.world.home, home, { recursive: true });
      const { calls } = await rig.run(words);
      const writes = calls.get('pwrite64') ?? 0;
      // The last writes may come after the new one has its name.
      const picked = Array.from({ length: writes - 3 }, (_, n) => n + 1);
      while (picked.length > MOMENTS) picked.splice(random.int(1, picked.length - 2), 1);
      for (const number of picked) {
        if (word === 'backup') rmSync(file, { force: true });
        rig.resetHome(home);
        const head = rig.head(rig.database);
        const { code, stderr } = await rig.run(words, {
          call: 'pwrite64',
          what: 'error=ENOSPC',
          when: `${number}+`,
        });
        expect({ number, code, stderr }).toEqual({
          number,
          code: 1,
          stderr: expect.stringMatching(/free some space.* \((storage_full|internal)\)$/) as string,
        });
        expect({ head: rig.head(rig.database), odd: rig.oddNames() }).toEqual({ head, odd: [] });
        expect(readdirSync(rig.out)).toEqual(word === 'backup' ? [] : ['backup.db']);
      }
    });
  },
);

type Inject = NonNullable<StraceOptions['inject']>;

/** Moments at which a run wrote: all rare calls, and a sample of the others. */
function moments({ calls, code }: Straced, random: Random): Inject[] {
  expect(code).toBe(0);
  const all = [...calls].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, n): Inject => {
      return { call, what: 'signal=KILL', when: String(n + 1) };
    }),
  );
  const naming = all.filter(({ call }) => /^(rename|link)/.test(call));
  // The last call that is awaited: by then the new one has its name.
  const last = all.filter(({ call }) => call === 'fsync').slice(-1);
  const others = all.filter((moment) => !naming.includes(moment) && !last.includes(moment));
  while (others.length > MOMENTS - naming.length - last.length) {
    others.splice(random.int(0, others.length - 1), 1);
  }
  return [...naming, ...last, ...others];
}

/** A home with a database, and a directory for its backups. */
class Rig {
  readonly world = new World();
  readonly out = join(this.world.root, 'tasks');
  readonly database = join(this.world.home, 'loopwatch.db');

  static async make(): Promise<Rig> {
    const rig = new Rig();
    await rig.addEvents();
    return rig;
  }

  /** Some more events. */
  async addEvents(): Promise<void> {
    const { daemon } = await this.world.start();
    await daemon.close();
  }

  /** As a killed daemon leaves it: with commits that only the write-ahead log has. */
  async leaveLog(): Promise<void> {
    const daemon = await this.world.spawn();
    await daemon.kill();
    expect(existsSync(`${this.database}-wal`)).toBe(true);
  }

  async run(words: readonly string[], inject?: Inject): Promise<Straced> {
    const { environment: env, root: cwd } = this.world;
    return strace([process.execPath, PROGRAM, ...words], { env, cwd, inject });
  }

  /** The newest event of a database whose every page is sound. */
  head(file: string): number {
    const raw = new Sqlite(file, { fileMustExist: true });
    try {
      expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
      return Number(raw.prepare('SELECT max(seq) FROM events').pluck().get());
    } finally {
      raw.close();
    }
  }

  isRestored(): boolean {
    const raw = new Sqlite(this.database, { fileMustExist: true });
    try {
      return raw.prepare("SELECT 1 FROM meta WHERE key = 'restored'").get() !== undefined;
    } finally {
      raw.close();
    }
  }

  resetHome(kept: string): void {
    rmSync(this.world.home, { recursive: true });
    cpSync(kept, this.world.home, { recursive: true, preserveTimestamps: true });
  }

  /** Names that neither a daemon nor a finished restore leaves. */
  oddNames(): string[] {
    return readdirSync(this.world.home).filter((name) => name.includes('.partial-'));
  }

  /** The newest events of the databases that restores have kept. */
  keptHeads(): number[] {
    return readdirSync(this.world.home)
      .filter((name) => /before-restore-[^.]*$/.test(name) && !/-(wal|shm|journal)$/.test(name))
      .map((name) => this.head(join(this.world.home, name)))
      .sort((one, other) => one - other);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
