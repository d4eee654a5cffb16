/** `loopwatch task merge` against a real daemon and real git: its output and its exit codes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

it('TK31 TK32 TK33 task merge previews, shows the checks, and ends with 1 when it is refused', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const tasks = new TaskHome(world, api);
  const { repository } = tasks;
  const branch = git(repository, 'symbolic-ref', '--short', 'HEAD');
  const gates = [{ name: 'lint', command: 'echo looks fine; test ! -e theirs.txt' }];
  const steps = ['write hello.txt Hello', 'say One step is done.'];
  await tasks.run('fix', steps, { max_iterations: 1, gates });
  await tasks.until('fix', 'EXHAUSTED');
  const merge = async (...more: string[]) =>
    world.cli('task', 'merge', 'fix', '--into', branch, ...more);
  const preview = await merge('--preview');
  expect([preview.code, preview.stdout]).toEqual([
    0,
    expect.stringMatching(/uncommitted files, committed before a merge: 1\n {2}check: lint\n/),
  ]);
  const before = git(repository, 'rev-parse', branch);
  writeFileSync(join(repository, 'theirs.txt'), 'theirs\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'Other work');
  const refused = await merge();
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/failed: lint\n {4}looks fine\n[^]*\(merge_refused\)\n$/);
  git(repository, 'reset', '-q', '--hard', before);
  const merged = await merge('--squash', '--message', 'Greet');
  expect([merged.code, merged.stderr]).toEqual([0, '']);
  const commit = git(repository, 'rev-parse', '--short=10', branch);
  expect(merged.stdout).toBe(
    `  passed: lint\n    looks fine\nfix: merged into ${branch} as ${commit}\n`,
  );
  expect(git(repository, 'log', '-1', '--format=%s', branch)).toBe('Greet');
});
