/** Runs from their prompt to their report: a real daemon, real git, the stand-in as the agent. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { git } from '../../support/git/git-repository.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { until } from '../../support/house/until.ts';
import { phasedScript, RunHome } from '../../support/runs/run-home.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { World } from '../../support/daemon/world.ts';

async function home(world: World): Promise<RunHome> {
  const { api } = await world.start();
  return new RunHome(world, api);
}

/** A test that passes once the fix of the second round is there. */
const NEEDS_TWO_FIXES = { test_commands: ['test -f stand-in-fix-2.md'] };

it('RN1, RN30 a run plans, executes, is reviewed and completes, each phase in its own conversation', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start();
  const run = await runs.until(id, 'done');
  expect(run).toMatchObject({ phase: 'complete', reason: 'completed', proof: 'unproven' });
  expect(run.iteration).toBe(0);
  const conversations = Object.values(run.conversations).filter((each) => each !== null);
  expect(new Set(conversations).size).toBe(3);
  const modes = standInCalls(world).map(({ argv }) => argv[argv.indexOf('--permission-mode') + 1]);
  expect(modes).toEqual(['plan', 'acceptEdits', 'plan']);
  const rules = standInCalls(world).map(({ argv }) =>
    argv.filter((word) => word.startsWith('--allowedTools=')),
  );
  expect(rules).toEqual([[], ['--allowedTools=Bash(git add:*),Bash(git commit:*)'], []]);
  expect(existsSync(join(runs.repository, 'stand-in-1.md'))).toBe(false);
  expect(git(runs.repository, 'log', '--format=%s', run.branch ?? '')).toBe(
    'Do what the plan asks for\nBegin',
  );
});

it('RN2 B4-4 B4-7 the host checks first: a fix round gets the exact failing output', async () => {
  await using world = new World();
  const runs = await home(world);
  const test = 'echo the greeting is missing; test -f stand-in-fix-2.md';
  const { id } = await runs.start([], { test_commands: [test] });
  const run = await runs.until(id, 'done');
  expect(run).toMatchObject({ iteration: 2, proof: 'proven' });
  expect(run.rounds.map(({ checks, verdict }) => [checks, verdict])).toEqual([
    ['tests_failed', null],
    ['tests_failed', null],
    ['passed', 'pass'],
  ]);
  const fixes = standInCalls(world).filter(({ message }) => message.startsWith('Fix round'));
  expect(fixes).toHaveLength(2);
  for (const { message } of fixes) expect(message).toContain('the greeting is missing');
  expect(await runs.checks(id)).toHaveLength(3);
});

it('RN3 a reviewer who finds something opens a fix round with the findings', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start(['in review turn 1 review fail The name is not used.']);
  const run = await runs.until(id, 'done');
  expect(run.iteration).toBe(1);
  const [fix] = standInCalls(world).filter(({ message }) => message.startsWith('Fix round'));
  expect(fix?.message).toContain('The name is not used.');
});

it('RN4 a plan that waits for review is executed as it was edited', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { review_plan: true });
  const waiting = await runs.until(id, 'waiting');
  expect(waiting.wait).toMatchObject({ reason: 'plan_review', until: null });
  const plan = (await runs.api.get(`/api/runs/${id}/plan`)).body;
  expect(plan).toMatchObject({ awaits_review: true });
  const text = '# Plan\n\n- [ ] Greet in Latin';
  const edit = { text, hash: plan['hash'] };
  const edited = await runs.api.send('PUT', `/api/runs/${id}/plan`, edit);
  expect(edited.status).toBe(200);
  expect((await runs.post(id, 'plan/accept', { hash: String(plan['hash']) })).status).toBe(409);
  await runs.post(id, 'plan/accept', { hash: edited.body['hash'] });
  await runs.until(id, 'done');
  const execute = standInCalls(world).find(({ message }) => message.startsWith('Do the task'));
  expect(execute?.message).toContain('Greet in Latin');
});

it('RN5 CK21 the same failure again and again ends a run as stuck, with a report', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { test_commands: ['echo never; false'] });
  const run = await runs.until(id, 'failed');
  expect(run).toMatchObject({ reason: 'stuck', iteration: 2, proof: 'refuted' });
  const seen = await runs.sees(id, 'has a report', ({ has_report }) => has_report);
  expect(seen.error).toContain('the same failure');
  const file = readFileSync(join(world.home, 'sessions', id, 'checkpoint.json'), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ force_stopped: false, force_stop_reason: 'stuck' });
  const report = await runs.api.get(`/api/runs/${id}/report`);
  expect(report.body['text']).toContain('Greet by name.');
  expect(statSync(String(report.body['path'])).mode & 0o777).toBe(0o600);
});

it('RN31 a plan written in a turn that broke off is found when the next turn only names it', async () => {
  await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '20,20' });
  const runs = await home(world);
  const file = { file_path: '/home/me/.claude/plans/a.md', content: '- [ ] Greet in Latin' };
  const { id } = await runs.start(
    [
      `in plan turn 1 tool Write ${JSON.stringify(file)}`,
      'in plan turn 1 overload',
      'in plan turn 2 say The plan is ready.',
    ],
    { review_plan: true },
  );
  // It waits for the next try before.
  await runs.sees(id, 'its plan waits', ({ wait }) => wait?.reason === 'plan_review');
  const plan = (await runs.api.get(`/api/runs/${id}/plan`)).body;
  expect(plan['text']).toBe('- [ ] Greet in Latin');
});

it('RN32 the report names a call that the permissions refused', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([
    'in execute turn 1 deny WebFetch',
    'in execute turn 1 say Done without it.',
  ]);
  await runs.until(id, 'done');
  await runs.sees(id, 'has a report', ({ has_report }) => has_report);
  const report = await runs.api.get(`/api/runs/${id}/report`);
  expect(report.body['text']).toMatch(/Refused by the permissions:\n\n- `WebFetch/);
});

it('RN6 B4-5 B4-8 a person stops a run and resumes it in its phase, with the same prompt and plan', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start(['in execute turn 1 hang', 'in execute turn 2 say Done.']);
  await runs.sees(id, 'executes', (run) => run.phase === 'execute' && run.process_pid !== null);
  await runs.sees(id, 'is heard', (run) => run.conversations.execute !== null);
  await runs.post(id, 'stop', { reason: 'lunch' });
  const stopped = await runs.until(id, 'stopped');
  expect(stopped).toMatchObject({ phase: 'execute', reason: 'user_stop' });
  const file = join(world.home, 'sessions', id, 'checkpoint.json');
  const checkpoint = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(checkpoint).toMatchObject({ force_stopped: true, force_stop_reason: 'lunch' });
  expect((await runs.post(id, 'resume')).status).toBe(200);
  const run = await runs.until(id, 'done');
  expect(run.conversations).toMatchObject({ execute: stopped.conversations.execute });
  expect(run.prompt).toBe(stopped.prompt);
  const after = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(after).toMatchObject({ force_stopped: false, force_stop_reason: null });
  // The message of before the stop was not sent again, and nothing empty was.
  const words = standInCalls(world).map(({ message }) => message);
  expect([new Set(words).size, words.filter((each) => each.trim() === '')]).toEqual([4, []]);
});

it('RN7 people’s words are heard before anything automatic, also while it waits', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { ...NEEDS_TWO_FIXES, max_fix_rounds: 0 });
  const failed = await runs.until(id, 'failed');
  expect(failed.reason).toBe('fix_limit');
  expect((await runs.post(id, 'input', { input: 'hello' })).status).toBe(409);
  writeFileSync(join(failed.worktree_path ?? '', 'stand-in-fix-2.md'), 'by hand');
  expect((await runs.post(id, 'resume')).status).toBe(200);
  expect(await runs.until(id, 'done')).toMatchObject({ proof: 'proven' });
});

it('RN8 the work is merged into a branch once the checks pass on the result', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { test_commands: ['test -f stand-in-1.md'] });
  await runs.until(id, 'done');
  const branch = git(runs.repository, 'symbolic-ref', '--short', 'HEAD');
  const merged = await runs.post(id, 'merge', { into: branch });
  expect([merged.status, merged.body['merged_into']]).toEqual([200, branch]);
  expect(existsSync(join(runs.repository, 'stand-in-1.md'))).toBe(true);
});

it('RN8 a merge that waited for another one is refused when the run was resumed meanwhile', async () => {
  await using world = new World();
  const runs = await home(world);
  const [hold, seen] = [join(world.root, 'hold'), join(world.root, 'seen')];
  const wait = `[ ! -e ${hold} ] || { touch ${seen}; while [ -e ${hold} ]; do sleep 0.05; done; }`;
  const { id } = await runs.start([], { test_commands: [wait] });
  await runs.until(id, 'done');
  git(runs.repository, 'branch', 'other');
  writeFileSync(hold, '');
  const branch = git(runs.repository, 'symbolic-ref', '--short', 'HEAD');
  const first = runs.post(id, 'merge', { into: branch });
  await until('its checks run', () => existsSync(seen));
  const second = runs.post(id, 'merge', { into: 'other' });
  expect((await runs.post(id, 'resume', { from_phase: 'execute' })).status).toBe(200);
  rmSync(hold);
  expect([(await first).status, (await second).status]).toEqual([200, 409]);
});

it('FA3 a deletion that could not be stored leaves the run as it was', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start();
  await runs.until(id, 'done');
  const other = new Sqlite(join(world.home, DATABASE_FILE));
  const remove = async () => runs.api.send('DELETE', `/api/runs/${id}?cleanup_worktree=false`);
  other.exec('BEGIN IMMEDIATE');
  expect((await remove()).status).toBe(503);
  other.exec('ROLLBACK');
  other.close();
  expect((await runs.post(id, 'input', { input: 'more' })).status).toBe(409);
  expect((await remove()).status).toBe(200);
  expect((await runs.api.events('&types=run.deleted')).length).toBe(1);
});

it('TF4 a task and a run do not work in one directory', async () => {
  await using world = new World();
  const runs = await home(world);
  const tasks = new TaskHome(world, runs.api, 'tasks');
  const place = world.taskDir('plain');
  const plain = { root_folder: place, use_worktree: false };
  await tasks.run('first', ['hang'], plain);
  const start = { prompt: phasedScript('in plan hang'), cwd: place };
  expect(refusal(await runs.api.send('POST', '/api/runs', start))).toBe('400 project_busy');
  await tasks.post('first', 'stop');
  const { id } = await runs.start(['in plan hang'], { cwd: place });
  expect(refusal(await tasks.post('first', 'resume'))).toBe('400 project_busy');
  const made = { task_name: 'second', description: 'Greet', ...plain };
  expect(refusal(await runs.api.send('POST', '/api/v1/tasks', made))).toBe('400 project_busy');
  await runs.post(id, 'stop');
  await runs.until(id, 'stopped');
  expect((await tasks.post('first', 'resume')).status).toBe(200);
  expect(refusal(await runs.post(id, 'resume'))).toBe('400 project_busy');
});

it('RN23 the reviewer and who fixes see what changed, by file', async () => {
  await using world = new World();
  const runs = await home(world);
  const test = 'test -f stand-in-fix-2.md';
  const { id } = await runs.start([], { test_commands: [test] });
  await runs.until(id, 'done');
  const messages = standInCalls(world).map(({ message }) => message);
  const opened = (words: string) => messages.find((message) => message.startsWith(words));
  expect(opened('Fix round 1.')).toContain('added stand-in-1.md (+1 -0)');
  expect(opened('Review the work')).toContain('added stand-in-fix-2.md (+1 -0)');
});
