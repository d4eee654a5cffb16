/**
 * Tasks in a very large repository: other requests are answered in the meantime, and answers stay
 * small.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { WorkDiff, WorkState } from '../../../shared/schema/tasks/project.ts';
import { git } from '../../support/git/git-repository.ts';
import { Prober } from '../../support/browser/prober.ts';
import { sized } from '../../support/house/random.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

const FILES = sized({ short: 3_000, middle: 30_000, long: 100_000 });
const IN_ONE_DIRECTORY = 1_000;
/** Answers during one operation; an event loop blocked until its end answers one or two. */
const ANSWERS = sized({ short: 3, middle: 5, long: 50 });
/** One in each such span is enough where a quick machine is done sooner. */
const ANSWER_MS = 100;
/** Of an answer about a worktree: 200 KiB of a diff, names, and JSON's overhead. */
const MAX_ANSWER_BYTES = 512 * 1024;
const DO = '/api/v1/tasks/by-name/large';

function makeFiles(directory: string, kind: string): void {
  for (let made = 0; made < FILES; made += 1) {
    const place = join(directory, kind, `part-${Math.floor(made / IN_ONE_DIRECTORY)}`);
    if (made % IN_ONE_DIRECTORY === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file-${made}.txt`), `${kind} ${made}\n`);
  }
}

it(`WT21 a worktree of ${FILES} files, as many new ones and as many ignored ones delays no one`, async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const tasks = new TaskHome(world, api);
  const { repository } = tasks;
  writeFileSync(join(repository, '.gitignore'), 'cache/\n');
  makeFiles(repository, 'source');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '--message', 'Grow');
  await using prober = new Prober(api.url);
  const figures: string[] = [];
  const request = async (method: string, path: string, body?: object) => {
    const beganAt = performance.now();
    const sent = async () => api.send(method, path, body);
    const { result, answers } = await prober.during(sent);
    const bytes = JSON.stringify(result.body).length;
    const tookMs = performance.now() - beganAt;
    const seconds = (tookMs / 1000).toFixed(1);
    const waited = Math.round(prober.slowestMs);
    figures.push(`${method} ${path}: ${seconds} s, ${bytes} B, ${answers} others, ≤ ${waited} ms`);
    expect(result.status, JSON.stringify(result.body)).toBe(200);
    expect(bytes).toBeLessThan(MAX_ANSWER_BYTES);
    const least = Math.min(ANSWERS, Math.floor(tookMs / ANSWER_MS));
    expect(answers, figures.at(-1)).toBeGreaterThanOrEqual(least);
    return result.body as unknown;
  };
  const create = { task_name: 'large', description: 'Greet.', root_folder: repository };
  await request('POST', '/api/v1/tasks', create);
  const worktree = join(repository, '.claude_worktrees/large');
  makeFiles(worktree, 'fresh');
  makeFiles(worktree, 'cache');
  rmSync(join(worktree, 'source/part-0'), { recursive: true });
  const state = (await request('GET', `${DO}/worktree`)) as { projects?: WorkState[] };
  const diff = (await request('GET', `${DO}/diff`)) as WorkDiff[];
  console.log(JSON.stringify(state).slice(0, 600), JSON.stringify(diff).slice(0, 300));
  await request('POST', `${DO}/clear-and-restart`);
  await request('DELETE', DO);
  console.log(figures.join('\n'));
  expect(readdirSync(join(repository, '.claude_worktrees'))).toEqual([]);
});
