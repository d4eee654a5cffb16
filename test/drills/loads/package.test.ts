/**
 * The package as a person gets it: packed, installed in an empty directory from the npm registry, and
 * run there. No compiler and no headers of Node: the PATH has Node, npm and a shell alone.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execFile, type ExecResult } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const MEGABYTE = 1024 * 1024;
const INSTALL_LIMIT_MS = 300_000;
const PROGRAMS = ['node', 'sh', 'bash', 'ps', 'env', 'cat', 'uname', 'tmux', 'git'];

const root = mkdtempSync(join(TEST_ROOT, 'package-'));
const app = join(root, 'app');
const bin = join(root, 'bin');
const installed = join(app, 'node_modules/loopwatch');
const environment: NodeJS.ProcessEnv = {
  PATH: bin,
  HOME: join(root, 'user'),
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  PORT: '0',
  XDG_RUNTIME_DIR: join(root, 'run'),
  // What this machine sets for native parts must not count.
  npm_config_userconfig: join(root, 'npmrc'),
  npm_config_globalconfig: join(root, 'global-npmrc'),
  npm_config_cache: join(root, 'cache'),
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
};

beforeAll(async () => {
  for (const name of ['app', 'bin', 'user', 'run']) mkdirSync(join(root, name));
  for (const name of ['npmrc', 'global-npmrc']) writeFileSync(join(root, name), '');
  for (const name of PROGRAMS) link(name);
  // What `prepack` runs; the rest of the build is there.
  for (const script of ['build:types', 'build:native']) {
    done(await execFile('npm', ['run', script], { cwd: packageRoot(), timeoutMs: 120_000 }));
  }
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root];
  const packed = await execFile('npm', words, { cwd: packageRoot(), timeoutMs: 120_000 });
  const tarball = join(root, done(packed).trim());
  writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
  const npm = join(dirname(realpathSync(which('npm'))), 'npm-cli.js');
  done(await inApp(process.execPath, [npm, 'install', tarball], INSTALL_LIMIT_MS));
}, 2 * INSTALL_LIMIT_MS);

afterAll(async () => {
  await loopwatch('stop');
  rmSync(root, { recursive: true, force: true });
});

it('PK1 the installed package is below 60 MB, with its licence and without sources, tests and tools', () => {
  expect(sizeOf(join(app, 'node_modules'))).toBeLessThan(60 * MEGABYTE);
  expect(readdirSync(installed).toSorted()).toEqual(
    [
      '.claude-plugin',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'plugin',
      'server',
    ].toSorted(),
  );
  expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual(
    ['client', 'native', 'server', 'stand-in', 'types', 'web'].toSorted(),
  );
  expect(existsSync(join(app, 'node_modules/vitest'))).toBe(false);
});

it('PK2 the installed package starts a daemon that answers, serves the page and stops', async () => {
  const started = done(await loopwatch('start', '--detach'));
  const base = /log in: (http:\/\/[^/]+)/.exec(started)?.[1] ?? '';
  const page = await fetch(base);
  expect(page.status).toBe(200);
  const script = /(?:src|href)="([^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
  expect((await fetch(new URL(script, base))).status).toBe(200);
  expect(done(await loopwatch('status'))).toContain('no sessions');
  const home = join(root, 'user');
  expect(done(await loopwatch('session', 'open', 'web', home))).toContain('web');
  done(await loopwatch('session', 'close', 'web'));
  expect(done(await loopwatch('stop'))).toContain('daemon stopped');
});

it('PK3 a program imports each export of the installed package', async () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string; default: string }>;
  };
  for (const [name, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    expect([name, existsSync(join(installed, target.types))]).toEqual([name, true]);
    const script = `import('${name.replace('.', 'loopwatch')}').then((all) => console.log(Object.keys(all).length))`;
    const count = Number(done(await inApp(process.execPath, ['-e', script], 60_000)));
    expect(count).toBeGreaterThan(0);
  }
});

async function loopwatch(...words: string[]): Promise<ExecResult> {
  const program = join(app, 'node_modules/.bin/loopwatch');
  return inApp(process.execPath, [program, ...words], 180_000);
}

async function inApp(
  program: string,
  words: readonly string[],
  timeoutMs: number,
): Promise<ExecResult> {
  return execFile(program, words, { cwd: app, env: environment, timeoutMs });
}

function done(result: ExecResult): string {
  if (!result.ok) throw new Error(`${String(result.code)}: ${result.stderr || result.stdout}`);
  return result.stdout;
}

function which(name: string): string {
  const directories = (process.env['PATH'] ?? '').split(':');
  // npm's own directories hold programs of this checkout.
  const found = directories
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no ${name} on the PATH`);
  return found;
}

function link(name: string): void {
  symlinkSync(name === 'node' ? process.execPath : which(name), join(bin, name));
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
