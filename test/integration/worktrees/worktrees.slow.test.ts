/** Worktrees: created and found again, with real git. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT1 a worktree is a directory in its repository, on a new branch', async () => {
  using stage = new WorktreeStage();
  const tip = stage.git(stage.repository, 'rev-parse', 'main');
  const made = await stage.create('fix');
  expect(made).toMatchObject({ owner: 'fix', branch: 'task/fix', base: 'main', baseCommit: tip });
  expect(made).toMatchObject({ repository: stage.repository, ownsBranch: true });
  expect(made.path).toBe(join(stage.repository, '.claude_worktrees/fix'));
  expect(stage.git(made.path, 'symbolic-ref', '--short', 'HEAD')).toBe('task/fix');
  expect(stage.listed()).toEqual([made.path]);
  expect(stage.events()).toEqual(['created task/fix']);
  expect(stage.worktrees.of('fix')).toEqual([made]);
});

it('WT22 a new branch begins where requested, otherwise at its namesake of the remote, otherwise where the repository is', async () => {
  using stage = new WorktreeStage();
  const remote = stage.makeRepository('remote');
  stage.git(remote, 'switch', '-qc', 'shared');
  const shared = stage.commit(remote, 'on the remote');
  stage.git(stage.repository, 'remote', 'add', 'origin', remote);
  stage.git(stage.repository, 'fetch', '-q');
  stage.git(stage.repository, 'switch', '-qc', 'other');
  const other = stage.commit(stage.repository, 'on other');
  expect(await stage.create('a', { branch: 'shared' })).toMatchObject({
    base: 'origin/shared',
    baseCommit: shared,
    ownsBranch: true,
  });
  // It tracks no remote branch: a plain push goes nowhere.
  expect(stage.read(stage.repository, '.git/config')).not.toContain('[branch');
  expect(await stage.create('b')).toMatchObject({ base: 'other', baseCommit: other });
  const { base, baseCommit } = await stage.create('c', { base: 'main' });
  expect([base, baseCommit]).toEqual(['main', stage.git(stage.repository, 'rev-parse', 'main')]);
  stage.git(stage.repository, 'switch', '-q', '--detach');
  expect(await stage.create('d')).toMatchObject({ base: other, baseCommit: other });
});

it('WT23 a repository behind a link, or named from inside, is the same repository', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'work.txt', 'unfinished\n');
  const link = join(stage.root, 'link');
  symlinkSync(stage.repository, link);
  stage.write(stage.repository, 'deep/er/file', '');
  const inside = join(stage.repository, 'deep/er');
  for (const repository of [link, inside, made.path]) {
    const again = await refusedWith(stage.create('fix', { repository }));
    expect([again.code, repository]).toEqual(['branch_in_use', repository]);
    expect((await stage.worktrees.repositoryOf(repository))?.root).toBe(stage.repository);
  }
  expect((await stage.restore('fix', { repository: link })).path).toBe(made.path);
  expect(stage.read(made.path, 'work.txt')).toBe('unfinished\n');
  const second = await stage.create('second', { repository: link });
  expect(second.path).toBe(join(stage.repository, '.claude_worktrees/second'));
});

it('WT24 unsupported repositories are refused', async () => {
  using stage = new WorktreeStage();
  const code = async (repository: string) =>
    (await refusedWith(stage.create('fix', { repository }))).code;
  expect(await code(join(stage.root, 'nowhere'))).toBe('project_missing');
  expect(await code('/')).toBe('outside_roots');
  mkdirSync(join(stage.root, 'plain'));
  expect(await code(join(stage.root, 'plain'))).toBe('not_a_repository');
  expect(await code(join(stage.repository, '.git/refs'))).toBe('not_a_repository');
  stage.git(stage.root, 'init', '-q', '--bare', 'bare.git');
  expect(await code(join(stage.root, 'bare.git'))).toBe('not_a_repository');
  stage.git(stage.root, 'init', '-q', '--separate-git-dir', join(stage.root, 'apart'), 'split');
  expect(await code(join(stage.root, 'split'))).toBe('not_a_repository');
  stage.git(stage.root, 'init', '-q', 'fresh');
  expect(await refusedWith(stage.create('fix', { repository: join(stage.root, 'fresh') }))).toEqual(
    {
      code: 'worktree_failed',
      message: expect.stringContaining('create a first commit') as string,
    },
  );
  expect(await stage.worktrees.repositoryOf(join(stage.root, 'plain'))).toBeNull();
  mkdirSync(join(stage.root, 'plain/.git'));
  expect(await stage.worktrees.repositoryOf(join(stage.root, 'plain'))).toBeNull();
  expect(stage.events()).toEqual([]);
});

it('WT24 a git directory, a bare or a damaged repository is refused rather than taken for a plain directory', async () => {
  using stage = new WorktreeStage();
  const found = async (name: string) =>
    refusedWith(stage.worktrees.repositoryOf(join(stage.root, name)));
  stage.git(stage.root, 'init', '-q', '--bare', 'bare.git');
  stage.git(stage.root, 'init', '-q', 'flagged');
  stage.git(join(stage.root, 'flagged'), 'config', 'core.bare', 'true');
  stage.write(stage.root, 'cut/.git', 'gitdir: ../nowhere\n');
  mkdirSync(join(stage.root, 'dangling'));
  symlinkSync('nowhere', join(stage.root, 'dangling/.git'));
  stage.git(stage.root, 'init', '-q', 'broken');
  stage.write(stage.root, 'broken/.git/HEAD', 'garbage');
  stage.write(stage.root, 'broken/deep/file', '');
  const git = 'a bare repository or git directory; choose';
  const damaged = 'is damaged, and git finds no repository there; restore it';
  for (const [name, reason] of [
    ['bare.git', git],
    ['bare.git/hooks', git],
    ['flagged', git],
    [`${basename(stage.repository)}/.git`, git],
    [`${basename(stage.repository)}/.git/refs`, git],
    ['cut', damaged],
    ['dangling', damaged],
    ['broken', damaged],
    ['broken/deep', damaged],
    ['broken/.git/refs', damaged],
  ] as const) {
    const { code, message } = await found(name);
    expect([name, code, message]).toEqual([
      name,
      'not_a_repository',
      expect.stringContaining(reason),
    ]);
  }
});

it('WT23 a repository outside the roots is refused, by a link or a linked worktree too', async () => {
  using stage = new WorktreeStage();
  using other = new WorktreeStage();
  symlinkSync(other.repository, join(stage.root, 'way-out'));
  const way = join(stage.root, 'way-out');
  expect((await refusedWith(stage.create('fix', { repository: way }))).code).toBe('outside_roots');
  // A linked worktree below the roots whose repository is not.
  other.git(other.repository, 'worktree', 'add', '-q', join(stage.root, 'linked'));
  const linked = join(stage.root, 'linked');
  expect((await refusedWith(stage.create('fix', { repository: linked }))).code).toBe(
    'outside_roots',
  );
});

it('WT2 an invalid task name touches nothing', async () => {
  using stage = new WorktreeStage();
  for (const name of ['..', '.', '', 'a/b', 'a b', '-x', '../..', 'a\0b', 'é', '.git']) {
    expect([name, (await refusedWith(stage.create(name))).code]).toEqual([name, 'invalid_body']);
  }
  expect(stage.read(stage.repository, 'README')).toBe('hello\n');
  expect(existsSync(join(stage.repository, '.claude_worktrees'))).toBe(false);
});

it('WT2 existing files at its path are never deleted', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.claude_worktrees/fix/mine.txt', 'mine\n');
  const refused = await refusedWith(stage.create('fix'));
  expect(refused.code).toBe('worktree_failed');
  expect(refused.message).toMatch(/already exists.*move it away/);
  expect(stage.read(stage.repository, '.claude_worktrees/fix/mine.txt')).toBe('mine\n');
  symlinkSync('/nowhere', join(stage.repository, '.claude_worktrees/dangling'));
  expect((await refusedWith(stage.create('dangling'))).code).toBe('worktree_failed');
  expect(stage.branches()).toEqual(['main']);
  expect(stage.events()).toEqual([]);
});

it('WT2 a directory of worktrees that is a link or a file is refused', async () => {
  using stage = new WorktreeStage();
  const place = join(stage.repository, '.claude_worktrees');
  symlinkSync(stage.root, place);
  expect((await refusedWith(stage.create('fix'))).code).toBe('worktree_failed');
  rmSync(place);
  stage.write(stage.repository, '.claude_worktrees', 'a file');
  expect((await refusedWith(stage.create('fix'))).code).toBe('worktree_failed');
  expect(existsSync(join(stage.root, 'fix'))).toBe(false);
});

it('WT3, WT26 names of branches are compared whole', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'feat/x');
  const feature = await stage.create('feature', { branch: 'feat/x' });
  expect(feature.ownsBranch).toBe(false);
  const plain = await stage.create('plain', { branch: 'x' });
  expect(plain).toMatchObject({ branch: 'x', ownsBranch: true });
  expect(plain.path).not.toBe(feature.path);
  const stranger = await refusedWith(stage.create('stranger', { branch: 'y', base: 'eat/x' }));
  expect(stranger.code).toBe('branch_missing');
});

it('WT25 a branch that is in use is refused', async () => {
  using stage = new WorktreeStage();
  const code = async (name: string, branch: string) =>
    (await refusedWith(stage.create(name, { branch }))).code;
  expect(await code('a', 'main')).toBe('branch_in_use');
  stage.git(stage.repository, 'worktree', 'add', '-q', '-b', 'theirs', '../elsewhere');
  expect(await code('a', 'theirs')).toBe('branch_in_use');
  const made = await stage.create('a', { branch: 'mine' });
  // The agent may do anything to the worktree: the branch stays reserved for it.
  stage.git(made.path, 'switch', '-q', '--detach');
  expect(await code('b', 'mine')).toBe('branch_in_use');
  expect(await code('a', 'third')).toBe('branch_in_use');
});

it('WT25 git cannot have a branch and another below it', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'x');
  stage.git(stage.repository, 'branch', 'deep/y/z');
  for (const branch of ['x/y', 'x/y/z', 'deep/y', 'deep']) {
    const refused = await refusedWith(stage.create('fix', { branch }));
    expect([branch, refused.code]).toEqual([branch, 'branch_in_use']);
    expect(refused.message).toMatch(/so git cannot create .*; choose another branch/);
  }
});

it('WT27 an invalid branch name, or one git takes for an option, is refused', async () => {
  using stage = new WorktreeStage();
  for (const branch of ['-x', '--upload-pack=x', 'a..b', 'a~1', 'a:b', '@{-1}', 'a.lock', 'HEAD']) {
    const refused = await refusedWith(stage.create('fix', { branch }));
    expect([branch, refused.code]).toEqual([branch, 'invalid_body']);
  }
  const refused = await refusedWith(stage.create('fix', { base: '--help' }));
  expect(refused.code).toBe('invalid_body');
  expect(stage.branches()).toEqual(['main']);
});

it('WT4 when one of several cannot be created, none is', async () => {
  using stage = new WorktreeStage();
  const second = stage.makeRepository('second');
  const requests = [
    stage.request('fix'),
    stage.request('fix', { repository: second, base: 'unknown' }),
  ];
  const refused = await refusedWith(stage.worktrees.create('fix', 'fix', requests));
  expect(refused.code).toBe('branch_missing');
  expect([stage.listed(), stage.branches(), stage.worktrees.of('fix')]).toEqual([[], ['main'], []]);
  expect(existsSync(join(stage.repository, '.claude_worktrees/fix'))).toBe(false);
  expect(stage.events()).toEqual(['created task/fix', 'rolled_back task/fix']);
  // And nothing blocks the next attempt.
  const both = [stage.request('fix'), stage.request('fix', { repository: second })];
  expect(await stage.worktrees.create('fix', 'fix', both)).toHaveLength(2);
});

it('WT4 a branch that existed before is not removed with the rest', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'theirs');
  const requests = [stage.request('a', { branch: 'theirs' }), stage.request('b', { base: 'no' })];
  await refusedWith(stage.worktrees.create('a', 'a', requests));
  expect([stage.listed(), stage.branches()]).toEqual([[], ['main', 'theirs']]);
});

it('WT5 the main worktree does not see the others', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.git/info/exclude', '# no newline at the end');
  await stage.create('a');
  await stage.create('b');
  expect(stage.git(stage.repository, 'status', '--porcelain')).toBe('');
  stage.git(stage.repository, 'add', '.');
  expect(stage.git(stage.repository, 'diff', '--cached', '--name-only')).toBe('');
  expect(stage.read(stage.repository, '.git/info/exclude')).toBe(
    '# no newline at the end\n/.claude_worktrees/\n/.worktrees/\n',
  );
});

it('WT7 an existing worktree is left unchanged, and a missing one is created again on its branch', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const commit = stage.commit(made.path, 'work');
  stage.write(made.path, 'dirty.txt', 'dirty\n');
  expect(await stage.restore('fix')).toEqual(made);
  expect(stage.read(made.path, 'dirty.txt')).toBe('dirty\n');
  rmSync(made.path, { recursive: true });
  expect(await stage.restore('fix')).toEqual(made);
  expect(stage.git(made.path, 'rev-parse', 'HEAD')).toBe(commit);
  await stage.remove('fix', 'keep');
  expect(await stage.restore('fix')).toMatchObject({ branch: 'task/fix', ownsBranch: false });
  expect(stage.git(made.path, 'rev-parse', 'HEAD')).toBe(commit);
});

it('WT29 a branch that was deleted by hand is created again, unless it was never ours', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'theirs');
  const mine = await stage.create('mine');
  const theirs = await stage.create('theirs', { branch: 'theirs' });
  for (const { path, branch } of [mine, theirs]) {
    stage.git(stage.repository, 'worktree', 'remove', path);
    stage.git(stage.repository, 'branch', '-D', branch);
  }
  await stage.restore('mine');
  expect(stage.git(mine.path, 'rev-parse', 'HEAD')).toBe(mine.baseCommit);
  const refused = await refusedWith(stage.restore('theirs', { branch: 'theirs' }));
  expect(refused.code).toBe('branch_missing');
});

it('WT10, WT30 a worktree that lost its .git file gets it back; one unknown to git is refused', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'work.txt', 'work\n');
  rmSync(join(made.path, '.git'));
  await stage.restore('fix');
  expect(stage.git(made.path, 'status', '--porcelain')).toBe('?? work.txt');
  rmSync(join(made.path, '.git'));
  stage.git(stage.repository, 'worktree', 'prune', '--expire', 'now');
  const refused = await refusedWith(stage.restore('fix'));
  expect(refused.code).toBe('worktree_failed');
  expect((await refusedWith(stage.remove('fix'))).code).toBe('worktree_holds_work');
  expect(stage.read(made.path, 'work.txt')).toBe('work\n');
});

it('WT18 branches are listed once, sorted, without the name of the remote', async () => {
  using stage = new WorktreeStage();
  const remote = stage.makeRepository('remote');
  stage.git(remote, 'branch', 'far/away');
  stage.git(stage.root, 'clone', '-q', remote, 'clone');
  const clone = join(stage.root, 'clone');
  stage.git(clone, 'branch', 'near');
  const all = { current_branch: 'main', branches: ['far/away', 'main', 'near'] };
  expect(await stage.worktrees.branches(clone, 'all')).toEqual(all);
  expect((await stage.worktrees.branches(clone, 'local')).branches).toEqual(['main', 'near']);
  expect((await stage.worktrees.branches(clone, 'remote')).branches).toEqual(['far/away', 'main']);
  stage.git(clone, 'remote', 'set-url', 'origin', 'https://me:secret@example.org/x.git');
  expect(await stage.worktrees.repositoryOf(clone)).toEqual({
    root: clone,
    branch: 'main',
    remote: 'https://example.org/x.git',
  });
  expect((await stage.worktrees.repositoryOf(remote))?.remote).toBeNull();
  const plain = join(stage.root, 'plain');
  mkdirSync(plain);
  expect((await refusedWith(stage.worktrees.branches(plain, 'all'))).code).toBe('not_a_repository');
});
