/**
 * The log file: it makes room for itself, loses no line over that, and survives the loss of its
 * directory.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from '../../../server/lib/log.ts';
import { RotatingFile } from '../../../server/lib/files/rotating-file.ts';
import { bundleModule } from '../../support/browser/bundle-module.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

it('KE3, KE18 rotates before a file grows beyond its limit, keeps the set number, and loses no line', () => {
  using place = new Place();
  const log = place.open({ maxBytes: 100, keep: 3 });
  for (let number = 1; number <= 40; number += 1) log.write(`line ${number}\n`);
  log.close();
  const names = ['daemon.log.3', 'daemon.log.2', 'daemon.log.1', 'daemon.log'];
  expect(place.names()).toEqual([...names].sort());
  const lines = names.flatMap((name) => place.lines(name));
  const first = Number(lines[0]?.split(' ')[1]);
  expect(first).toBeLessThan(12);
  expect(lines).toEqual(Array.from({ length: 41 - first }, (_, n) => `line ${first + n}`));
  expect(names.map((name) => place.size(name) <= 100)).toEqual([true, true, true, true]);
});

it('KE3 every file of the log is 0600, under any umask and from any earlier mode', () => {
  using place = new Place();
  mkdirSync(place.log);
  writeFileSync(join(place.log, 'daemon.log'), 'before\n');
  chmodSync(join(place.log, 'daemon.log'), 0o644);
  const before = process.umask(0);
  const log = place.open({ maxBytes: 20, keep: 9 });
  for (let number = 1; number <= 9; number += 1) log.write(`line ${number}\n`);
  process.umask(before);
  log.close();
  const modes = place.names().map((name) => statSync(join(place.log, name)).mode & 0o777);
  expect(modes.length).toBeGreaterThan(4);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

it('KE18 continues in the existing file, and ends a line that a power cut tore', () => {
  using place = new Place();
  const first = place.open({});
  first.write('whole\n');
  first.close();
  writeFileSync(join(place.log, 'daemon.log'), 'whole\ntor');
  const second = place.open({});
  second.write('next\n');
  second.close();
  expect(place.lines('daemon.log')).toEqual(['whole', 'tor', 'next']);
});

it('KE3 a lower number of files takes effect at the next rotation, and nothing else is removed', () => {
  using place = new Place();
  mkdirSync(place.log);
  const others = ['daemon.log.old', 'daemon.log.01', 'daemon.logs.7', 'other.log.9'];
  for (const name of ['daemon.log', 'daemon.log.1', 'daemon.log.2', 'daemon.log.7', ...others]) {
    writeFileSync(join(place.log, name), `${name}\n`);
  }
  const log = place.open({ maxBytes: 12, keep: 2 });
  log.write('new\n');
  log.close();
  expect(place.names()).toEqual(['daemon.log', 'daemon.log.1', 'daemon.log.2', ...others].sort());
  expect(place.lines('daemon.log.2')).toEqual(['daemon.log.1']);
});

it('KE18 where no new file can be created, the current one grows and no line is lost', () => {
  using place = new Place();
  const log = place.open({ maxBytes: 20, keep: 1 });
  log.write('line 1\n');
  // Nothing can be moved onto a directory that holds something.
  mkdirSync(join(place.log, 'daemon.log.1', 'full'), { recursive: true });
  for (let number = 2; number <= 5; number += 1) log.write(`line ${number}\n`);
  expect(place.lines('daemon.log')).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
  rmSync(join(place.log, 'daemon.log.1'), { recursive: true });
  for (let number = 6; number <= 8; number += 1) log.write(`line ${number}\n`);
  log.close();
  const lines = [...place.lines('daemon.log.1'), ...place.lines('daemon.log')];
  expect(lines).toEqual(Array.from({ length: 8 }, (_, n) => `line ${n + 1}`));
});

it('KE4 counts lost lines, and reports the number once it can write again', () => {
  using place = new Place();
  // A file where the directory should be.
  writeFileSync(place.log, '');
  const log = place.open({});
  log.write('lost\n');
  log.write('lost too\n');
  rmSync(place.log);
  log.write('here\n');
  log.write('and on\n');
  log.close();
  expect(place.lines('daemon.log')).toEqual(['2 lost', 'here', 'and on']);
});

it('KE4 a log that was removed or is not a file ends nothing', () => {
  using place = new Place();
  mkdirSync(place.log);
  const elsewhere = join(place.path, 'elsewhere');
  writeFileSync(elsewhere, 'mine\n');
  symlinkSync(elsewhere, join(place.log, 'daemon.log'));
  const log = place.open({});
  log.write('not through a link\n');
  rmSync(join(place.log, 'daemon.log'));
  execFileSync('mkfifo', [join(place.log, 'daemon.log')]);
  log.write('not into a pipe\n');
  renameSync(place.log, join(place.path, 'away'));
  log.write('here\n');
  log.close();
  log.write('after the end\n');
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine\n');
  expect(place.lines('daemon.log')).toEqual(['2 lost', 'here']);
});

it('KE4 a full disk tears no line, and the log continues once there is space', async () => {
  using place = new Place();
  const file = await bundleModule('server/lib/files/rotating-file.ts', place.path);
  const script = `
    const { RotatingFile } = await import(${JSON.stringify(file)});
    const { truncateSync } = await import('node:fs');
    const path = ${JSON.stringify(join(place.log, 'daemon.log'))};
    const log = new RotatingFile({ path, maxBytes: 1e9, keep: 2, lostLine: (n) => n + ' lost\\n' });
    for (let n = 0; n < 100; n += 1) log.write('x'.repeat(999) + '\\n');
    const { statSync } = await import('node:fs');
    console.log(statSync(path).size);
    truncateSync(path, 0);
    log.write('here\\n');
  `;
  const limited = 'ulimit -f 100; exec "$0" --input-type=module -e "$1"';
  const size = Number(execFileSync('sh', ['-c', limited, process.execPath, script]).toString());
  // 100 blocks of 512 or 1024 bytes, by the shell.
  expect(size % 1_000).toBe(0);
  expect(size).toBeGreaterThan(50_000);
  expect(place.lines('daemon.log')).toEqual([`${100 - size / 1_000} lost`, 'here']);
});

it('KE4 the daemon log says how much is missing, in a line like the others', () => {
  using place = new Place();
  writeFileSync(place.log, '');
  const settings = { home: place.path, logBytes: 10_000, logFiles: 5 };
  const { log, close } = openLog(settings, new ManualClock(1_000));
  log.warn('nobody reads this');
  rmSync(place.log);
  log.warn({ token: 'secret', session: 'web' }, 'a look failed');
  close();
  expect(place.lines('daemon.log').map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 40,
      time: 1_000,
      lost: 1,
      msg: 'log lines were lost because the log could not be written',
    },
    { level: 40, time: 1_000, session: 'web', msg: 'a look failed' },
  ]);
});

class Place {
  readonly path = mkdtempSync(join(TEST_ROOT, 'l'));
  readonly log = join(this.path, 'log');

  open(options: { maxBytes?: number; keep?: number }): RotatingFile {
    return new RotatingFile({
      path: join(this.log, 'daemon.log'),
      maxBytes: 1_000_000,
      keep: 5,
      ...options,
      lostLine: (lost) => `${lost} lost\n`,
    });
  }

  names(): string[] {
    return readdirSync(this.log).sort();
  }

  lines(name: string): string[] {
    const text = readFileSync(join(this.log, name), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    return text.slice(0, -1).split('\n');
  }

  size(name: string): number {
    return statSync(join(this.log, name)).size;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
