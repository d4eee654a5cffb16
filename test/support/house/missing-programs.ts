/** Test files that this machine cannot run, because a program they drive is not installed. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { CHROMIUM } from '../../../shots/chromium.ts';

interface Need {
  /** Text of a file that drives the program. */
  mark: string;
  program: string;
  /** Arguments with which it must succeed: a container may have it and forbid what it does. */
  probe?: string[];
}

const NEEDS: Need[] = [
  { mark: "execFile('tmux'", program: 'tmux' },
  { mark: 'createTmuxHost', program: 'tmux' },
  { mark: "spawn('script'", program: 'script' },
  { mark: "'git'", program: 'git' },
  { mark: 'playwright-core', program: CHROMIUM },
  { mark: "'strace'", program: 'strace', probe: ['-o', '/dev/null', 'true'] },
  { mark: 'drills/small-disk.ts', program: 'unshare', probe: ['-m', 'true'] },
  { mark: 'drills/read-only-directory.ts', program: 'unshare', probe: ['-m', 'true'] },
  { mark: "'unshare'", program: 'unshare', probe: ['-U', '-r', 'true'] },
  { mark: "'/usr/bin/python3'", program: '/usr/bin/python3', probe: ['-c', 'import websockets'] },
  { mark: "'long-poll.sh'", program: 'curl' },
  { mark: "'long-poll.sh'", program: 'jq' },
  { mark: "'/usr/sbin/nats-server'", program: '/usr/sbin/nats-server' },
];

/** A skipped file, and the programs it would need. */
export interface UnrunnableTest {
  file: string;
  programs: string[];
}

/** Finds the test files below a directory that drive a missing program, also through their imports. */
export function unrunnableTests(directory: string): UnrunnableTest[] {
  const missing = NEEDS.filter(({ program, probe }) => !works(program, probe));
  if (missing.length === 0) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(directory, name))
    .map((file) => {
      const texts = textsFrom(resolve(file), resolve(directory));
      const needed = missing.filter(({ mark }) => texts.some((text) => text.includes(mark)));
      return { file, programs: [...new Set(needed.map(({ program }) => program))] };
    })
    .filter(({ programs }) => programs.length > 0);
}

/** The text of a file and of all its imports below `directory`. */
function textsFrom(file: string, directory: string, known = new Map<string, string>()): string[] {
  if (!known.has(file) && file.startsWith(directory)) {
    const text = readFileSync(file, 'utf8');
    known.set(file, text);
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+\.ts)'/g)) {
      textsFrom(resolve(dirname(file), path), directory, known);
    }
  }
  return [...known.values()];
}

function works(program: string, probe: string[] | undefined): boolean {
  if (!isInstalled(program)) return false;
  return probe === undefined || spawnSync(program, probe, { stdio: 'ignore' }).status === 0;
}

function isInstalled(program: string): boolean {
  const directories = program.startsWith('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return directories.some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
