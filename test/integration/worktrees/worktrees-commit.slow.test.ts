/** Commits of the content of a worktree to its own branch, with real git. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

const who = (stage: WorktreeStage, path: string) =>
  stage.git(path, 'log', '-1', '--format=%an <%ae> / %cn <%ce> / %B').trim();

it('WT40 a commit has the exact content, new files too, and leaves the worktree clean', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.gitignore', '*.log\n');
  stage.write(stage.repository, 'gone', 'gone\n');
  stage.commit(stage.repository, 'files');
  const made = await stage.create('fix');
  const before = stage.git(made.path, 'rev-parse', 'HEAD');
  stage.write(made.path, 'README', 'changed\n');
  stage.write(made.path, 'ü/ü b.txt', 'new\n');
  stage.write(made.path, 'x.log', 'ignored\n');
  stage.write(made.path, 'run', '#!/bin/sh\n');
  chmodSync(join(made.path, 'run'), 0o755);
  rmSync(join(made.path, 'gone'));
  stage.git(made.path, 'add', 'README');
  const commit = await stage.worktrees.commit(made, 'First phase\n\n# not a comment');
  expect(stage.git(made.path, 'rev-parse', 'HEAD', 'task/fix', 'HEAD^')).toBe(
    [commit, commit, before].join('\n'),
  );
  expect(stage.git(made.path, 'symbolic-ref', 'HEAD')).toBe('refs/heads/task/fix');
  expect(stage.git(made.path, 'status', '--porcelain')).toBe('');
  const changes = ['M\tREADME', 'D\tgone', 'A\trun', 'A\tü/ü b.txt'];
  const listing = stage.git(
    made.path,
    '-c',
    'core.quotePath=false',
    'diff',
    '--name-status',
    before,
  );
  expect(listing.split('\n')).toEqual(changes);
  expect(stage.git(made.path, 'ls-tree', 'HEAD', 'run')).toMatch(/^100755/);
  expect(stage.read(made.path, 'x.log')).toBe('ignored\n');
  expect(stage.git(made.path, 'log', '-1', '--format=%B')).toBe('First phase\n\n# not a comment');
  // Nothing dirty: the same commit, and no other.
  expect(await stage.worktrees.commit(made, 'again')).toBe(commit);
  expect(stage.backups()).toEqual([]);
});

it('WT40 the committer is the one of the settings, or Loopwatch where they name none', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const commit = async (name: string) => {
    stage.write(made.path, name, '');
    await stage.worktrees.commit(made, name);
    return who(stage, made.path);
  };
  const loopwatch = 'Loopwatch <loopwatch@localhost>';
  expect(await commit('one')).toBe(`${loopwatch} / ${loopwatch} / one`);
  stage.git(stage.repository, 'config', 'user.name', '<>');
  stage.git(stage.repository, 'config', 'user.email', 'ada@example.org');
  expect(await commit('two')).toBe(`${loopwatch} / ${loopwatch} / two`);
  stage.git(stage.repository, 'config', 'user.name', 'Ada');
  const ada = 'Ada <ada@example.org>';
  expect(await commit('three')).toBe(`${ada} / ${ada} / three`);
});

it('WT40 what was staged and changed again is kept under a backup ref', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a', 'staged\n');
  stage.git(made.path, 'add', 'a');
  stage.write(made.path, 'a', 'later\n');
  await stage.worktrees.commit(made, 'work');
  expect([stage.backups().length, stage.holds('staged\n'), stage.holds('later\n')]).toEqual([
    1,
    true,
    true,
  ]);
  expect(stage.git(made.path, 'status', '--porcelain')).toBe('');
});

it('WT40 a file that is changed right after its commit shows as changed', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const file = join(made.path, 'a');
  writeFileSync(file, 'one\n');
  const time = new Date(Math.floor(Date.now() / 1000) * 1000);
  utimesSync(file, time, time);
  await stage.worktrees.commit(made, 'one');
  // The same size and time: only the content differs.
  writeFileSync(file, 'two\n');
  utimesSync(file, time, time);
  await stage.worktrees.commit(made, 'two');
  expect(stage.git(made.path, 'show', 'HEAD:a')).toBe('two');
});

it('WT41 a commit is refused where it would belong elsewhere, and everything stays', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const refuse = async (code: string, text: RegExp) => {
    stage.write(made.path, 'a', 'work\n');
    const before = [stage.git(made.path, 'for-each-ref'), stage.git(made.path, 'status', '-s')];
    const refused = await refusedWith(stage.worktrees.commit(made, 'work'));
    expect([refused.code, refused.message]).toEqual([code, expect.stringMatching(text)]);
    expect([stage.git(made.path, 'for-each-ref'), stage.git(made.path, 'status', '-s')]).toEqual(
      before,
    );
    rmSync(join(made.path, 'a'));
  };
  stage.git(made.path, 'switch', '-q', '--detach');
  await refuse('worktree_failed', /is on no branch; check out task\/fix there/);
  stage.git(made.path, 'switch', '-q', '-c', 'other');
  stage.write(made.path, 'README', 'other\n');
  stage.commit(made.path, 'other');
  await refuse('worktree_failed', /is on other; /);
  stage.git(made.path, 'switch', '-q', 'task/fix');
  stage.write(made.path, 'README', 'mine\n');
  stage.commit(made.path, 'mine');
  expect(() => stage.git(made.path, 'merge', '-q', 'other')).toThrow();
  await refuse('worktree_failed', /a merge in .* is not finished/);
  stage.git(made.path, 'merge', '--abort');
  const lock = join(stage.repository, '.git/worktrees/fix/index.lock');
  writeFileSync(lock, '');
  await refuse('git_failed', /index.*wait until no other git works there/);
  rmSync(lock);
  stage.git(made.path, 'update-ref', '-d', 'refs/heads/task/fix');
  await refuse('branch_missing', /task\/fix no longer exists/);
});

it('WT42 killed after the branch moved: the next commit brings the index along, without another one', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const entry = join(stage.repository, '.git/worktrees/fix');
  const index = stage.read(entry, 'index');
  stage.write(made.path, 'README', 'changed\n');
  stage.write(made.path, 'new', 'new\n');
  const bytes = stage.git(made.path, 'ls-files', '--stage');
  const commit = await stage.worktrees.commit(made, 'work');
  expect(index).not.toBe('');
  // As git left them before the rename: the old index, and a lock.
  stage.git(made.path, 'read-tree', 'HEAD^');
  expect(stage.git(made.path, 'ls-files', '--stage')).toBe(bytes);
  writeFileSync(join(entry, 'index.lock'), 'half');
  expect((await refusedWith(stage.worktrees.commit(made, 'work'))).code).toBe('git_failed');
  const old = new Date(stage.home.clock.now() - 61_000);
  utimesSync(join(entry, 'index.lock'), old, old);
  expect(await stage.worktrees.commit(made, 'work')).toBe(commit);
  expect([stage.git(made.path, 'status', '--porcelain'), stage.backups()]).toEqual(['', []]);
});

it('WT42 git killed at each of its steps: the content is committed by the next call, once', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const mortal = join(stage.root, 'mortal-git');
  const start = stage.git(made.path, 'rev-parse', 'HEAD');
  for (const command of ['add', 'write-tree', 'commit-tree', 'update-ref']) {
    for (const when of ['before', 'after'] as const) {
      const run = when === 'after' ? 'git "$@";' : '';
      const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) ${run} kill -9 $$;; esac\nexec git "$@"\n`;
      writeFileSync(mortal, script, { mode: 0o755 });
      stage.restart(mortal);
      const text = `${command} ${when}\n`;
      stage.write(made.path, 'a', text);
      const refused = await refusedWith(stage.worktrees.commit(made, 'work'));
      expect([command, when, refused.code]).toEqual([command, when, 'git_failed']);
      expect(stage.read(made.path, 'a')).toBe(text);
      stage.restart();
      const commit = await stage.worktrees.commit(made, 'work');
      expect(stage.git(made.path, 'show', `${commit}:a`)).toBe(text.trim());
      expect(stage.git(made.path, 'status', '--porcelain')).toBe('');
    }
  }
  expect(stage.git(made.path, 'rev-list', '--count', `${start}..HEAD`)).toBe('8');
  expect([stage.backups(), readdirSync(stage.scratch)]).toEqual([[], []]);
});

it('WT40 another repository inside stays where it is, in no commit', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  mkdirSync(join(made.path, 'inner'));
  stage.git(join(made.path, 'inner'), 'init', '-q');
  stage.write(made.path, 'inner/a', 'inner\n');
  stage.write(made.path, 'b', 'outer\n');
  const commit = await stage.worktrees.commit(made, 'work');
  expect(stage.git(made.path, 'ls-tree', '--name-only', commit)).toBe('README\nb');
  expect(existsSync(join(made.path, 'inner/a'))).toBe(true);
});

it('WT49 the difference between two commits is bounded as that of a worktree, with nothing dirty', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const from = stage.git(made.path, 'rev-parse', 'HEAD');
  stage.write(made.path, 'a', 'one\n');
  const one = await stage.worktrees.commit(made, 'one');
  for (let number = 0; number < 220; number += 1) {
    stage.write(made.path, `n/${number}`, 'ü'.repeat(2000).concat('\n'));
  }
  const two = await stage.worktrees.commit(made, 'two');
  stage.write(made.path, 'dirty', '');
  expect(await stage.worktrees.diffBetween(made, from, one)).toMatchObject({
    files: [{ path: 'a', status: 'added', additions: 1, deletions: 0, dirty: false }],
    patch: expect.stringContaining('+one') as string,
    cut: false,
  });
  const { files, patch, cut } = await stage.worktrees.diffBetween(made, one, two);
  expect([files.length, cut, Buffer.byteLength(patch) <= 200 * 1024]).toEqual([200, true, true]);
  expect((await stage.worktrees.diffBetween(made, one, from)).files[0]?.status).toBe('deleted');
  for (const odd of ['main', '--all', from.slice(0, 12), 'f'.repeat(40), `${from}^{tree}`, '']) {
    const refused = await refusedWith(stage.worktrees.diffBetween(made, from, odd));
    expect([odd, refused.code]).toEqual([odd, 'invalid_body']);
  }
});
