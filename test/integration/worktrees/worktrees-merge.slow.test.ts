/** Merges of a worktree's branch into another one, with real git. */
import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accept, MergeScene } from '../../support/git/merge-scene.ts';
import { refusedWith } from '../../support/git/worktree-stage.ts';

it('WT43 a merge commit holds both branches, and the clean main worktree has it too', async () => {
  using scene = new MergeScene();
  const { path } = await scene.begin();
  const { repository } = scene;
  scene.write(repository, 'mine.txt', 'untracked\n');
  const [main, branch] = [scene.at('main'), scene.at('task/fix')];
  const seen: string[] = [];
  const result = await scene.merge({
    message: 'Merge it\n\nwith a body',
    verify: async (directory, commit) => {
      seen.push(directory, commit, scene.at('HEAD', directory), scene.status(directory));
      seen.push(...readdirSync(directory).sort());
      // The repository is free meanwhile, and its branch has not moved.
      seen.push(scene.at('main'), (await scene.worktrees.inspect(scene.made)).branch);
      scene.write(directory, 'made-by-a-gate', 'not merged\n');
      return accept();
    },
  });
  const commit = scene.at('main');
  expect(result).toEqual({ kind: 'merged', commit });
  const tree = ['.git', 'README', 'main.txt', 'new'];
  expect(seen.slice(1)).toEqual([commit, commit, '', ...tree, main, 'task/fix']);
  expect(existsSync(seen[0] ?? '')).toBe(false);
  expect(scene.git(repository, 'log', '-1', '--format=%P|%B|%an')).toBe(
    `${main} ${branch}|Merge it\n\nwith a body\n|Loopwatch`,
  );
  expect(scene.status()).toBe('?? mine.txt');
  expect(readdirSync(repository).filter((name) => !name.startsWith('.'))).toEqual([
    'README',
    'main.txt',
    'mine.txt',
    'new',
  ]);
  expect(scene.git(repository, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(scene.git(repository, 'for-each-ref', 'refs/loopwatch')).toBe('');
  expect(scene.git(repository, 'reflog', '-1')).toContain('merge of fix by Loopwatch');
  expect([scene.at('HEAD', path), scene.status(path)]).toEqual([branch, '']);
  expect([scene.listed(), readdirSync(join(scene.scratch, 'checkouts'))]).toEqual([[path], []]);
  expect(await scene.merge()).toEqual({ kind: 'nothing' });
});

it('RN34 a merge that is stopped after its checks passed leaves the branch alone', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const main = scene.at('main');
  const stop = new AbortController();
  const verify = async () => {
    stop.abort();
    return accept();
  };
  expect((await scene.merge({ verify, signal: stop.signal })).kind).toBe('refused');
  expect([scene.at('main'), scene.status()]).toEqual([main, '']);
});

it('WT43 a squash is one commit on the other branch, and a second one is nothing', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const main = scene.at('main');
  scene.git(scene.repository, 'config', 'user.name', 'Ada');
  scene.git(scene.repository, 'config', 'user.email', 'ada@example.org');
  expect((await scene.merge({ squash: true })).kind).toBe('merged');
  expect(scene.git(scene.repository, 'log', '-1', '--format=%P %cn %ae')).toBe(
    `${main} Ada ada@example.org`,
  );
  expect(scene.git(scene.repository, 'ls-tree', '-r', '--name-only', 'main')).toBe(
    'README\nmain.txt\nnew/a.txt',
  );
  expect(scene.status()).toBe('');
  expect(await scene.merge({ squash: true })).toEqual({ kind: 'nothing' });
});

it('WT43 a branch that nothing has checked out moves alone, also next to a detached main worktree', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const main = scene.at('main');
  scene.git(scene.repository, 'switch', '-q', '--detach');
  scene.write(scene.repository, 'README', 'dirty\n');
  expect((await scene.merge()).kind).toBe('merged');
  expect([scene.at('main^1'), scene.at('HEAD'), scene.status()]).toEqual([main, main, 'M README']);
  const into = 'release/;$(touch-x)&"ünï';
  scene.git(scene.repository, 'branch', into, main);
  expect((await scene.merge({ into })).kind).toBe('merged');
  expect(scene.at(`refs/heads/${into}^1`)).toBe(main);
});

it('WT43 a branch that another worktree has checked out moves with that worktree', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const other = join(scene.root, 'other');
  scene.git(scene.repository, 'worktree', 'add', '-q', '-b', 'release', other, 'main');
  const before = scene.at('main');
  expect((await scene.merge({ into: 'release' })).kind).toBe('merged');
  expect([scene.read(other, 'new/a.txt'), scene.status(other)]).toEqual(['new\n', '']);
  expect([scene.at('main'), scene.status()]).toEqual([before, '']);
  rmSync(other, { recursive: true });
  scene.commit(scene.made.path, 'more');
  const gone = await scene.merge({ into: 'release' });
  expect(gone).toMatchObject({ kind: 'in_use', path: other });
  expect(gone).toMatchObject({ detail: expect.stringContaining('git worktree prune') as string });
});

it('WT44 conflicts are named, and nothing changes', async () => {
  using scene = new MergeScene();
  const { path } = await scene.begin();
  scene.write(scene.repository, 'README', 'of main\n');
  scene.write(scene.repository, 'a\tb "ü"\n.txt', 'of main\n');
  scene.commit(scene.repository, 'main');
  scene.write(path, 'a\tb "ü"\n.txt', 'of the branch\n');
  scene.commit(path, 'branch');
  const before = scene.footprint();
  const verify = async () => Promise.reject(new Error('never called'));
  for (const squash of [false, true]) {
    expect(await scene.merge({ squash, verify })).toEqual({
      kind: 'conflicts',
      files: ['README', 'a\tb "ü"\n.txt'],
    });
  }
  expect(scene.footprint()).toBe(before);
  expect(readdirSync(scene.scratch).filter((name) => name !== 'checkouts')).toEqual([]);
});

it('WT44 a refusal or a failure of the check leaves everything as it was', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const before = scene.footprint();
  const refused = await scene.merge({ verify: async () => Promise.resolve('2 tests failed') });
  expect(refused).toEqual({ kind: 'refused', detail: '2 tests failed' });
  const failing = scene.merge({ verify: async () => Promise.reject(new Error('no runner')) });
  await expect(failing).rejects.toThrow('no runner');
  expect(scene.footprint()).toBe(before);
  expect(readdirSync(join(scene.scratch, 'checkouts'))).toEqual([]);
});

it('WT44 a branch that moved while the result was checked is not moved again', async () => {
  using scene = new MergeScene();
  await scene.begin();
  let theirs = '';
  const verify = async () => {
    scene.write(scene.repository, 'README', 'faster\n');
    theirs = scene.commit(scene.repository, 'faster');
    return accept();
  };
  expect(await scene.merge({ verify })).toMatchObject({ kind: 'moved' });
  expect([scene.at('main'), scene.status()]).toEqual([theirs, '']);
  expect(scene.git(scene.repository, 'for-each-ref', 'refs/loopwatch')).toBe('');
  scene.git(scene.repository, 'switch', '-q', '--detach');
  const away = async () => {
    scene.git(scene.repository, 'update-ref', 'refs/heads/release', 'main');
    scene.git(scene.repository, 'update-ref', '-d', 'refs/heads/release');
    return accept();
  };
  scene.git(scene.repository, 'branch', 'release', 'main~1');
  expect((await scene.merge({ into: 'release', verify: away })).kind).toBe('moved');
  expect(scene.branches()).not.toContain('release');
});

it('WT47 what is no local branch is refused', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const { repository } = scene;
  scene.git(repository, 'tag', 'v1');
  scene.git(repository, 'update-ref', 'refs/remotes/origin/far', 'main');
  scene.git(repository, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  scene.git(repository, 'symbolic-ref', 'refs/heads/stray', 'refs/tags/v1');
  const before = scene.footprint();
  const cases: Record<string, string[]> = {
    invalid_body: [
      '--all',
      '-f',
      'HEAD',
      '@',
      '',
      'a..b',
      'main^',
      'a b',
      'x.lock',
      '/main',
    ].concat(['main@{1}', 'alias', 'stray', 'a\nb']),
    branch_missing: ['none', 'MAIN', 'v1', 'origin/far', 'refs/heads/main', 'main/x'],
  };
  for (const [code, names] of Object.entries(cases)) {
    for (const into of names) {
      expect([into, (await refusedWith(scene.merge({ into }))).code]).toEqual([into, code]);
      const preview = await refusedWith(scene.worktrees.mergePreview(scene.made, into));
      expect([into, preview.code]).toEqual([into, code]);
    }
  }
  expect(scene.footprint()).toBe(before);
  expect(await scene.merge({ into: 'task/fix' })).toEqual({ kind: 'nothing' });
  scene.git(repository, 'switch', '-q', '--orphan', 'unborn');
  expect((await refusedWith(scene.merge({ into: 'unborn' }))).code).toBe('branch_missing');
});

it('WT47 branches that share no commit are refused, also where a shallow clone hides it', async () => {
  using scene = new MergeScene();
  const { path } = await scene.begin();
  scene.git(path, 'switch', '-q', '--orphan', 'alien');
  scene.commit(path, 'alien');
  scene.git(path, 'branch', '-f', 'task/fix', 'alien');
  const refused = await refusedWith(scene.merge());
  expect([refused.code, refused.message]).toEqual([
    'git_failed',
    expect.stringContaining('no commit in common'),
  ]);
  const clone = join(scene.root, 'clone');
  const url = `file://${scene.repository}`;
  scene.git(scene.root, 'clone', '-q', '--depth', '1', '--no-single-branch', url, clone);
  scene.made = await scene.create('hollow', { repository: clone, branch: 'hollow' });
  scene.write(scene.made.path, 'a', 'a\n');
  scene.commit(scene.made.path, 'a');
  expect((await scene.merge()).kind).toBe('merged');
  expect(scene.read(clone, 'a')).toBe('a\n');
});

it('WT50 line endings, modes and names that differ in case are merged as they are', async () => {
  using scene = new MergeScene();
  const { repository } = scene;
  scene.git(repository, 'config', 'core.autocrlf', 'true');
  scene.write(repository, 'text.txt', 'one\r\ntwo\r\n');
  scene.write(repository, 'run', 'run\n');
  const { path } = await scene.begin();
  chmodSync(join(path, 'run'), 0o755);
  scene.write(path, 'readme', 'lower case\n');
  scene.write(path, 'text.txt', 'one\r\ntwo\r\nthree\r\n');
  symlinkSync('README', join(path, 'link'));
  await scene.worktrees.commit(scene.made, 'odd');
  expect((await scene.merge()).kind).toBe('merged');
  expect(scene.read(repository, 'text.txt')).toBe('one\r\ntwo\r\nthree\r\n');
  expect(scene.git(repository, 'show', 'main:text.txt')).toBe('one\ntwo\nthree');
  expect(scene.read(repository, 'readme')).toBe('lower case\r\n');
  expect(scene.git(repository, 'ls-tree', 'main', 'run', 'link')).toMatch(/^120000.*\n100755/);
  expect(scene.status()).toBe('');
});
