/** Sessions of phased runs as archives: exported, verified, and imported from hostile ones. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { expect, it } from 'vitest';
import { pack } from '../../../server/checkpoints/archive.ts';
import { exportSession } from '../../../server/checkpoints/export-session.ts';
import { importSession } from '../../../server/checkpoints/import-session.ts';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import { saveCheckpoint } from '../../../server/checkpoints/save-checkpoint.ts';
import { asStorageError } from '../../../server/lib/files/storage-error.ts';
import {
  checkpoint,
  failureOf,
  LEAST,
  namesBelow,
  newHome,
  NOW_MS,
} from '../../support/runs/checkpoint-home.ts';

function savedHome(): { home: string; directory: string } {
  const home = newHome();
  saveCheckpoint(home, checkpoint());
  return { home, directory: join(home, 'sessions/one') };
}

async function exported(): Promise<{ home: string; file: string }> {
  const { home, directory } = savedHome();
  const file = join(home, 'one.tar.gz');
  saveCheckpoint(
    home,
    checkpoint({ plan_path: join(directory, 'plan/plan.md'), own: { kept: true } }),
  );
  mkdirSync(join(directory, 'plan'));
  for (const name of ['plan/plan.md', 'plan/plan.agent.md', 'report.md', 'lock.old']) {
    writeFileSync(join(directory, name), `# ${basename(name)} €\n`);
  }
  await exportSession(home, 'one', file, NOW_MS);
  return { home, file };
}

it('CK16 an export is one private archive that sha256sum verifies', async () => {
  const { home, file } = await exported();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const out = join(home, 'out');
  mkdirSync(out);
  execFileSync('tar', ['-xzf', file, '-C', out]);
  expect(namesBelow(join(out, 'one'))).toEqual([
    'SHA256SUMS',
    'checkpoint.json',
    'plan.agent.md',
    'plan.md',
    'report.md',
  ]);
  const check = () =>
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: join(out, 'one'), stdio: 'pipe' });
  expect(check().toString().match(/OK$/gm)?.length).toBe(4);
  writeFileSync(join(out, 'one/plan.md'), 'changed');
  expect(check).toThrow();
});

it('CK16 an export overwrites nothing and leaves nothing out silently', async () => {
  const { home, directory } = savedHome();
  const file = join(home, 'file');
  const attempt = async (id = 'one') =>
    failureOf(async () => exportSession(home, id, file, NOW_MS));
  expect(await attempt('two')).toMatch(/^run_unknown: /);
  mkdirSync(join(directory, 'plan'));
  symlinkSync('/etc/hostname', join(directory, 'plan/plan.md'));
  expect(await attempt()).toMatch(/^checkpoint_unreadable: plan\.md /);
  expect(existsSync(file)).toBe(false);
  rmSync(join(directory, 'plan/plan.md'));
  writeFileSync(file, 'mine');
  expect(await attempt()).toMatch(/^archive_exists: /);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it('CK16 an export to where nothing can be written names that directory, not the home', async () => {
  const { home } = savedHome();
  const attempt = async (file: string) =>
    failureOf(async () => exportSession(home, 'one', file, NOW_MS));
  expect(await attempt('/nowhere/x.tar.gz')).toBe(
    'directory_missing: /nowhere does not exist; create it first',
  );
  const full = asStorageError(Object.assign(new Error('full'), { code: 'ENOSPC' }), '/media/usb');
  expect((full as Error).message).toBe(
    'the disk of /media/usb is full; nothing was changed. Free space and try again',
  );
  // No file can be created here, by root neither.
  expect(await attempt('/sys/x.tar.gz')).toMatch(/^storage_failed: \/sys cannot be used \(E/);
});

it('CK17 an import brings a session back, also under another id', async () => {
  const { home, file } = await exported();
  const before = loadCheckpoint(home, 'one');
  expect(await failureOf(async () => importSession(home, file))).toMatch(/^run_exists: /);
  const other = newHome();
  await importSession(other, file);
  const plan_path = join(other, 'sessions/one/plan/plan.md');
  expect(loadCheckpoint(other, 'one')).toEqual({ ...before, plan_path });
  expect(readFileSync(plan_path, 'utf8')).toBe('# plan.md €\n');
  const renamed = await importSession(home, file, 'two');
  expect(loadCheckpoint(home, 'two')).toEqual(renamed);
  expect(renamed).toEqual({
    ...before,
    session_id: 'two',
    plan_path: join(home, 'sessions/two/plan/plan.md'),
  });
  expect(statSync(join(home, 'sessions/two')).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, 'sessions/two/plan/plan.md')).mode & 0o777).toBe(0o600);
  expect(await failureOf(async () => importSession(home, file, '../x'))).toMatch(/^run_unknown: /);
});

it('CK17 a path in an archive leads to no file of this machine', async () => {
  const home = newHome();
  const file = join(home, 'a.tar.gz');
  const content = Buffer.from(JSON.stringify({ ...LEAST, plan_path: '/etc/passwd' }));
  writeFileSync(file, await pack({ id: 'one', files: new Map([['checkpoint.json', content]]) }, 0));
  expect((await importSession(home, file)).plan_path).toBe(null);
});

interface Entry {
  path: string;
  type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'FIFO' | 'CharacterDevice';
  linkpath?: string;
  content?: Buffer;
  size?: number;
}

function tarOf(entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ content = Buffer.alloc(0), size, ...entry }) => {
    const header = new Header({
      type: 'File',
      mode: 0o644,
      size: size ?? content.length,
      ...entry,
    });
    header.encode();
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header.block ?? Buffer.alloc(0), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const GOOD = new Map([['checkpoint.json', Buffer.from(JSON.stringify(LEAST))]]);

/** A good archive, and these entries with it. */
async function archiveWith(...entries: Entry[]): Promise<Buffer> {
  const good = gunzipSync(await pack({ id: 'one', files: GOOD }, 0));
  return gzipSync(Buffer.concat([tarOf(entries).subarray(0, -1024), good]));
}

async function damagedArchive(change: (tar: Buffer) => Buffer): Promise<Buffer> {
  return gzipSync(change(gunzipSync(await pack({ id: 'one', files: GOOD }, 0))));
}

const content = Buffer.from('x');
const HOSTILE: [what: string, archive: () => Promise<Buffer> | Buffer, why: RegExp][] = [
  [
    'a symbolic link',
    async () => archiveWith({ path: 'one/plan.md', type: 'SymbolicLink', linkpath: '/etc/passwd' }),
    /no plain file/,
  ],
  [
    'a hard link',
    async () => archiveWith({ path: 'one/plan.md', type: 'Link', linkpath: 'one/checkpoint.json' }),
    /no plain file/,
  ],
  [
    'a directory',
    async () => archiveWith({ path: 'one/plan.md', type: 'Directory' }),
    /no plain file/,
  ],
  ['a FIFO', async () => archiveWith({ path: 'one/plan.md', type: 'FIFO' }), /no plain file/],
  [
    'a device',
    async () => archiveWith({ path: 'one/plan.md', type: 'CharacterDevice' }),
    /no plain file/,
  ],
  ['a path upwards', async () => archiveWith({ path: '../plan.md', content }), /it holds/],
  [
    'a path through the session',
    async () => archiveWith({ path: 'one/../../plan.md', content }),
    /it holds/,
  ],
  ['an absolute path', async () => archiveWith({ path: '/one/plan.md', content }), /it holds/],
  ['a deeper path', async () => archiveWith({ path: 'one/plan.md/x', content }), /it holds/],
  ['another name', async () => archiveWith({ path: 'one/lock', content }), /it holds "one\/lock"/],
  [
    'a second checkpoint',
    async () => archiveWith({ path: 'one/checkpoint.json', content }),
    /twice/,
  ],
  ['two sessions', async () => archiveWith({ path: 'two/plan.md', content }), /one session/],
  [
    'a file without a sum',
    async () => archiveWith({ path: 'one/plan.md', content }),
    /do not match/,
  ],
  [
    'no sums',
    () => gzipSync(tarOf([{ path: 'one/checkpoint.json', content: GOOD.get('checkpoint.json') }])),
    /do not match/,
  ],
  [
    'a changed file',
    async () =>
      damagedArchive((tar) => {
        const changed = Buffer.from(tar);
        changed[512 + changed.subarray(512).indexOf('execute')] = 0x45;
        return changed;
      }),
    /do not match/,
  ],
  [
    'a size it does not have',
    async () => archiveWith({ path: 'one/plan.md', content, size: 4_000_000 }),
    /./,
  ],
  [
    'a huge size',
    async () => archiveWith({ path: 'one/plan.md', content, size: 4 * 2 ** 30 }),
    /too large/,
  ],
  ['a bomb', () => gzipSync(Buffer.alloc(80 * 2 ** 20)), /too large/],
  ['a bomb in a bomb', () => gzipSync(gzipSync(Buffer.alloc(50 * 2 ** 20))), /compressed twice/],
  ['half a header', async () => damagedArchive((tar) => tar.subarray(0, 300)), /./],
  ['half a file', async () => damagedArchive((tar) => tar.subarray(0, 600)), /damaged/],
  ['nothing', () => Buffer.alloc(0), /cut off/],
  ['an empty archive', () => gzipSync(Buffer.alloc(1024)), /./],
  ['no archive', () => gzipSync(Buffer.from('hello')), /./],
  ['no gzip', () => tarOf([{ path: 'one/checkpoint.json', content }]), /not compressed/],
  ['half of the bytes', async () => (await archiveWith()).subarray(0, 100), /cut off/],
  ['a checkpoint of another id', async () => pack({ id: 'other', files: GOOD }, 0), /session_id/],
  [
    'a checkpoint that is none',
    async () => pack({ id: 'one', files: new Map([['checkpoint.json', content]]) }, 0),
    /JSON/,
  ],
  [
    'no checkpoint',
    async () => pack({ id: 'one', files: new Map([['plan.md', content]]) }, 0),
    /empty/,
  ],
];

it.each(HOSTILE)(
  'CK17 an archive with %s is refused and leaves nothing',
  async (_, archive, why) => {
    const home = newHome();
    const file = join(home, 'a.tar.gz');
    writeFileSync(file, await archive());
    const failure = await failureOf(async () => importSession(home, file));
    expect(failure).toMatch(/^invalid_archive: This is no archive of a session: /);
    expect(failure).toMatch(why);
    expect(namesBelow(home)).toEqual(['a.tar.gz']);
  },
);

it('CK17 the archive that hostile ones are made of is good', async () => {
  const home = newHome();
  const file = join(home, 'a.tar.gz');
  writeFileSync(file, await archiveWith());
  expect((await importSession(home, file)).session_id).toBe('one');
});

it('CK17 what is no file, or of a newer version, is not imported', async () => {
  const home = newHome();
  const fifo = join(home, 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const path of [fifo, home, '/dev/zero', join(home, 'absent')]) {
    expect(await failureOf(async () => importSession(home, path))).toMatch(/^invalid_archive: /);
  }
  const file = join(home, 'newer.tar.gz');
  const newer = Buffer.from(JSON.stringify({ ...LEAST, version: 2 }));
  writeFileSync(file, await pack({ id: 'one', files: new Map([['checkpoint.json', newer]]) }, 0));
  expect(await failureOf(async () => importSession(home, file))).toMatch(/^checkpoint_version: /);
  expect(existsSync(join(home, 'sessions'))).toBe(false);
});
