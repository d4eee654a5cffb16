/** Runs that are merged into a branch once they are complete: real git, a daemon that is killed. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function home(world: World): Promise<RunHome & { branch: string }> {
  const { api } = await world.start();
  const runs = new RunHome(world, api);
  const branch = git(runs.repository, 'symbolic-ref', '--short', 'HEAD');
  git(runs.repository, 'remote', 'add', 'origin', join(world.root, 'nowhere.git'));
  return Object.assign(runs, { branch });
}

it('RN33 complete work is merged once its checks pass on the merged result', async () => {
  await using world = new World();
  const runs = await home(world);
  const checks = { test_commands: ['test -f stand-in-1.md'] };
  const { id } = await runs.start([], { ...checks, merge_into: runs.branch });
  const run = await runs.until(id, 'done');
  expect(run).toMatchObject({ merged_into: runs.branch, not_merged: null, proof: 'proven' });
  expect(existsSync(join(runs.repository, 'stand-in-1.md'))).toBe(true);
  const { has_report } = await runs.sees(id, 'has a report', (one) => one.has_report);
  const { body } = await runs.api.get(`/api/runs/${id}/report`);
  expect([has_report, String(body['text'])]).toEqual([true, expect.stringContaining('is merged')]);
  expect(git(runs.repository, 'for-each-ref', '--format=%(refname)', 'refs/remotes')).toBe('');
});

it('RN33 a conflict, a check that fails on the result, and no check at all leave the branch alone', async () => {
  await using world = new World();
  const runs = await home(world);
  const { repository, branch } = runs;
  const held = 'until test -e go; do sleep 0.05; done';
  const go = (run: { worktree_path: string | null }) =>
    writeFileSync(join(run.worktree_path ?? '', 'go'), '');
  const conflicting = await runs.start(['in execute write greeting.txt Ave'], {
    test_commands: [held],
    merge_into: branch,
  });
  const failing = await runs.start([], {
    // Passes in the worktree, and fails where the other branch is merged in.
    test_commands: [`test -e theirs.txt && echo theirs breaks it && exit 1; ${held}`],
    merge_into: branch,
  });
  const unchecked = await runs.start([], { test_commands: [], merge_into: branch });
  for (const { id } of [conflicting, failing])
    await runs.sees(id, 'is checked', (run) => run.stage === 'checking');
  writeFileSync(join(repository, 'greeting.txt'), 'Salve\n');
  writeFileSync(join(repository, 'theirs.txt'), 'theirs\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'Other work');
  const before = git(repository, 'rev-parse', branch);
  go(conflicting);
  go(failing);
  const whys = [/conflicts with \S+ in greeting.txt/, /theirs breaks it/, /nothing proves it/];
  for (const [index, { id }] of [conflicting, failing, unchecked].entries()) {
    const run = await runs.until(id, 'done');
    expect([run.merged_into, run.not_merged]).toEqual([
      null,
      expect.stringMatching(whys[index] ?? ''),
    ]);
    expect(run.actions).toContain('merge');
    const { body } = await runs.api.get('/api/attention?state=open');
    const items = body['items'] as { subject: object; title: string }[];
    expect(items).toContainEqual(
      expect.objectContaining({ subject: { kind: 'run', id }, title: 'The work was not merged' }),
    );
  }
  expect(git(repository, 'rev-parse', branch)).toBe(before);
});

it('RN33 a branch that does not exist, or a run without a branch of its own, is refused at once', async () => {
  await using world = new World();
  const runs = await home(world);
  const start = async (more: object) => {
    const body = { prompt: 'Greet.', cwd: runs.repository, ...more };
    const answer = await runs.api.send('POST', '/api/runs', body);
    return [answer.status, (answer.body['error'] as { code: string }).code];
  };
  expect(await start({ merge_into: 'nowhere' })).toEqual([400, 'branch_missing']);
  expect(await start({ merge_into: '-x' })).toEqual([400, 'invalid_body']);
  expect(await start({ merge_into: 'HEAD' })).toEqual([400, 'invalid_body']);
  expect(await start({ merge_into: 'mine', branch: 'mine' })).toEqual([400, 'invalid_body']);
  const inPlace = { merge_into: runs.branch, use_worktree: false };
  expect(await start(inPlace)).toEqual([400, 'worktree_needed']);
  expect((await runs.api.get('/api/runs')).body['total']).toBe(0);
});

it.each([
  ['before the branch moved', false],
  ['after the branch moved', true],
])(
  'RN34 a merge whose daemon was killed %s is finished by the next one, once',
  async (_, hasLanded) => {
    await using world = new World();
    const first = await world.spawn();
    const runs = new RunHome(world, first.api);
    const { repository } = runs;
    const branch = git(repository, 'symbolic-ref', '--short', 'HEAD');
    const went = join(world.root, 'went');
    // The first time on the merged result it does not end.
    const test = `test -e merged.txt || exit 0; test -e ${went} && exit 0; touch ${went}; sleep 600`;
    const { id } = await runs.start(['in execute hang'], {
      test_commands: [test],
      merge_into: branch,
    });
    await runs.sees(id, 'executes', (run) => run.conversations.execute !== null);
    writeFileSync(join(repository, 'merged.txt'), 'theirs\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '-qm', 'Other work');
    await runs.post(id, 'input', { input: 'Go on.', interrupt: true });
    await runs.sees(id, 'is merging', (run) => run.stage === 'merging');
    await until('the check of the merge', () => Promise.resolve(existsSync(went) || null));
    await first.kill();
    const message = `Merge run ${id}: Greet by name.`;
    if (hasLanded) {
      const own = git(repository, 'branch', '--format=%(refname:short)').split('\n');
      const work = own.find((name) => name !== branch) ?? '';
      git(repository, 'merge', '-q', '--no-ff', '-m', message, work);
    }
    const { api } = await world.start();
    runs.api = api;
    expect(await runs.until(id, 'done')).toMatchObject({ merged_into: branch, not_merged: null });
    const merges = git(repository, 'log', '--merges', '--format=%s', branch).split('\n');
    expect(merges).toEqual([message]);
  },
);
