/** A repository under attack: what a person or an agent can leave in it, and every operation on it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitRepository } from '../support/git/git-repository.ts';
import type { Target } from './attack.ts';

export interface Planting {
  /** The working tree. */
  repository: string;
  /** Its `.git`. */
  git: string;
  /** Outside the repository, below the roots. */
  aside: string;
  /** Leaves its first argument as a trace when it is run. */
  program: string;
  /** Runs git as a person does, on the repository as it is then. */
  run: (...args: string[]) => string;
}

export type Plant = (planting: Planting) => void;

export interface Repositories extends Target {
  made: number;
}

const ATTRIBUTES = '*.txt filter=zz diff=zz merge=zz\n*.long filter=long\n';
/** Appears in files outside the repository. */
export const CANARY = 'c4n4ry';
/** A failure of git itself comes with git's own message. */
const CLEAR = ['git_failed', 'worktree_failed'];
const HOUR_MS = 3_600_000;

/** Makes a repository with files that trigger drivers, and plants something in it. */
export function arm(
  scene: Repositories,
  plant: Plant,
): Planting & { traces: string; name: string } {
  scene.made += 1;
  const name = `r${scene.made}`;
  const aside = scene.world.taskDir(`${name}-aside`);
  const traces = join(aside, 'traces');
  mkdirSync(traces);
  const program = join(aside, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${traces}/"\${1:-none}"\ncat\n`, { mode: 0o755 });
  const repository = gitRepository(scene.world.taskDir(name));
  const run = (...args: string[]) => asPerson(repository, args);
  writeFileSync(join(repository, '.gitattributes'), ATTRIBUTES);
  for (const file of ['a.txt', 'c.long']) writeFileSync(join(repository, file), 'content\n');
  run('add', '-A');
  run('commit', '--quiet', '--message', 'files');
  const planting = { repository, git: join(repository, '.git'), aside, program, run };
  plant(planting);
  return Object.assign(planting, { traces, name });
}

/** Runs everything a task does to a repository; returns what ran, and the outcome. */
export async function liveThrough(
  scene: Repositories,
  plant: Plant,
  spoil: (path: string) => void,
) {
  const { repository, name, traces } = arm(scene, plant);
  const odd: unknown[] = [];
  let said = '';
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await scene.api.send(method, path, body);
    said += JSON.stringify(answer.body);
    const isClear = CLEAR.includes(answer.body.error?.code ?? '');
    if (answer.status >= 500 && !isClear) odd.push([method, path, answer]);
    return answer.status;
  };
  await ask('GET', `/api/v1/git-branches?path=${encodeURIComponent(repository)}`);
  const task = { task_name: name, description: 'x', root_folder: repository };
  const status = await ask('POST', '/api/v1/tasks', task);
  const worktree = join(repository, '.claude_worktrees', name);
  const isMade = status === 200 && existsSync(join(worktree, 'a.txt'));
  if (isMade) {
    change(worktree);
    spoil(worktree);
  }
  const place = `/api/v1/tasks/by-name/${name}`;
  for (const path of [`${place}/worktree`, `${place}/diff`]) await ask('GET', path);
  for (const path of [`${place}/worktree`, place]) await ask('DELETE', path);
  // Node cannot remove a name that is not valid text, which would fail the end of the test.
  execFileSync('rm', ['-rf', repository]);
  return { ran: readdirSync(traces), isMade, odd, isLeaked: said.includes(CANARY) };
}

/** Newer than any index: git has to compare contents. */
function change(worktree: string): void {
  const later = new Date(Date.now() + HOUR_MS);
  for (const file of ['a.txt', 'c.long', 'new.txt']) {
    writeFileSync(join(worktree, file), 'changed\n');
    utimesSync(join(worktree, file), later, later);
  }
}

/** Unhardened git, in the repository as it was left. */
export function asPerson(directory: string, args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
  };
  return execFileSync('git', args, { cwd: directory, env, encoding: 'utf8', stdio: 'pipe' });
}
