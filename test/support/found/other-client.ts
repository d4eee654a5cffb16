/**
 * Clients of other agents that a person runs without Loopwatch: real processes under the paths that
 * real ones have, and the files these keep.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { rolloutHead, rolloutPath } from './rollout-lines.ts';
import { until } from '../house/until.ts';

export class OtherClient {
  readonly pid: number;
  readonly startedAt: string;

  constructor(pid: number) {
    this.pid = pid;
    this.startedAt = readProcess(pid)?.startedAt ?? '';
  }

  get isRunning(): boolean {
    return readProcess(this.pid)?.startedAt === this.startedAt;
  }

  async kill(): Promise<void> {
    if (this.isRunning) process.kill(this.pid, 'SIGKILL');
    await until('its end', () => !this.isRunning);
  }
}

/** A rollout with its first line; returns its path. */
export function startRollout(home: string, id: string, cwd: string, differs: object = {}): string {
  const path = join(home, rolloutPath(id));
  mkdirSync(dirname(path), { recursive: true });
  say(path, rolloutHead(id, cwd, Date.now(), differs));
  return path;
}

export function say(path: string, ...lines: object[]): void {
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/**
 * A process whose executable is `name`, with these files open for writing; it ends with the test.
 * `words`: further arguments; `prefix`: the program that runs it.
 */
export async function startHolder(
  root: string,
  files: readonly string[],
  { name = 'codex', words = '', prefix = '' } = {},
): Promise<OtherClient> {
  const executable = join(root, 'vendor/x86_64-unknown-linux-musl/bin', name);
  mkdirSync(dirname(executable), { recursive: true });
  // Another one may run it.
  if (!existsSync(executable)) copyFileSync(realpathSync('/usr/bin/tail'), executable);
  const opened = files.map((file, index) => `${index + 3}>>'${file}'`).join(' ');
  const line = `${prefix} '${executable}' -s 1 --pid=${process.pid} -f /dev/null ${words}`;
  return run(`${line} ${opened} >/dev/null 2>&1 & echo $!`, root);
}

/** Starts itself again as the real one does; ends when the test does. */
const GEMINI = `
const { spawn } = require('node:child_process');
const test = Number(process.argv[2]);
// Not what it finds at its start: the outer one may have ended by then.
const outer = process.env.GEMINI_CLI_NO_RELAUNCH;
if (outer) {
  setInterval(() => {
    try { process.kill(test, 0); } catch ({ code }) { if (code === 'ESRCH') process.exit(); }
  }, 500);
  setInterval(() => { if (process.ppid !== Number(outer)) process.exit(); }, 50);
} else {
  const again = ['--max-old-space-size=64', ...process.argv.slice(1)];
  const env = { ...process.env, GEMINI_CLI_NO_RELAUNCH: String(process.pid) };
  spawn(process.execPath, again, { stdio: 'ignore', env }).on('exit', () => process.exit());
}
`;

/** Returns the outer one of its two processes. `home`: of the user; `prefix`: the program that runs it. */
export async function startGemini(
  root: string,
  home: string,
  cwd: string,
  prefix = '',
): Promise<OtherClient> {
  const script = join(root, 'lib/node_modules/@google/gemini-cli/bundle/gemini.js');
  const link = join(root, 'bin/gemini');
  mkdirSync(dirname(script), { recursive: true });
  mkdirSync(dirname(link), { recursive: true });
  mkdirSync(cwd, { recursive: true });
  writeFileSync(script, GEMINI);
  if (!existsSync(link)) symlinkSync(script, link);
  const line = `${prefix} '${process.execPath}' '${link}' ${process.pid} >/dev/null 2>&1 & echo $!`;
  return run(line, cwd, { HOME: home });
}

/** As Gemini CLI 0.61.0 writes it; returns its path. */
export function startChat(home: string, cwd: string, id: string): string {
  const base = join(home, '.gemini');
  const directory = join(base, 'tmp/shop');
  mkdirSync(join(directory, 'chats'), { recursive: true });
  writeFileSync(join(base, 'projects.json'), JSON.stringify({ projects: { [cwd]: 'shop' } }));
  writeFileSync(join(directory, '.project_root'), cwd);
  const path = join(directory, 'chats', `session-2026-11-25T18-44-${id.slice(0, 8)}.jsonl`);
  const at = new Date().toISOString();
  const projectHash = createHash('sha256').update(cwd).digest('hex');
  say(path, { sessionId: id, projectHash, startTime: at, lastUpdated: at, kind: 'main' });
  return path;
}

async function run(
  line: string,
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<OtherClient> {
  const env = { PATH: process.env['PATH'], ...environment };
  const { stdout } = await execFile('/bin/sh', ['-c', line], { env, cwd, timeoutMs: 60_000 });
  return new OtherClient(Number(stdout));
}
