/** Previews, and merges in repositories and under settings that would do it another way, with real git. */
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accept, MergeScene } from '../../support/git/merge-scene.ts';
import { refusedWith } from '../../support/git/worktree-stage.ts';

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-merge-commit',
  'post-merge',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-push',
];

/** A git that lacks `merge-tree --write-tree`, as all before 2.38. */
function oldGit(scene: MergeScene): string {
  const program = join(scene.root, 'old-git');
  const script = '#!/bin/sh\ncase " $* " in *" merge-tree "*) exit 129;; esac\nexec git "$@"\n';
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

it('WT48 a preview counts commits and files, names conflicts, and changes nothing', async () => {
  for (const isOld of [false, true]) {
    using scene = new MergeScene();
    const { path } = await scene.begin();
    scene.write(path, 'new/a.txt', 'second\n');
    scene.commit(path, 'second');
    if (isOld) scene.restart(oldGit(scene));
    const objects = () => scene.git(scene.repository, 'count-objects', '-v');
    const preview = async () => scene.worktrees.mergePreview(scene.made, 'main');
    const before = [scene.footprint(), objects()];
    expect(await preview()).toEqual({ commits: 2, files: 3, conflicts: [] });
    expect([scene.footprint(), objects()]).toEqual(before);
    scene.write(scene.repository, 'README', 'of main\n');
    scene.commit(scene.repository, 'main');
    const later = [scene.footprint(), objects()];
    expect(await preview()).toEqual({ commits: 2, files: 3, conflicts: ['README'] });
    expect([scene.footprint(), objects()]).toEqual(later);
    expect(readdirSync(scene.scratch).filter((name) => name !== 'checkouts')).toEqual([]);
    scene.git(scene.repository, 'reset', '-q', '--hard', 'HEAD^');
    await scene.merge();
    expect(await preview()).toEqual({ commits: 0, files: 0, conflicts: [] });
  }
});

it('WT48 at most 200 conflicts are named', async () => {
  using scene = new MergeScene();
  const { path } = await scene.begin();
  for (const [at, text] of [
    [path, 'branch\n'],
    [scene.repository, 'main\n'],
  ] as const) {
    for (let number = 0; number < 230; number += 1) scene.write(at, `n/${number}`, text);
    scene.commit(at, 'many');
  }
  const { conflicts } = await scene.worktrees.mergePreview(scene.made, 'main');
  expect([conflicts.length, await scene.merge()]).toEqual([
    200,
    { kind: 'conflicts', files: conflicts },
  ]);
});

it('WT50 a git before 2.38 merges the same', async () => {
  using scene = new MergeScene();
  await scene.begin();
  scene.restart(oldGit(scene));
  const main = scene.at('main');
  const merged = ['--write-tree', '--no-messages', 'main', 'task/fix'];
  const tree = scene.git(scene.repository, 'merge-tree', ...merged);
  const result = await scene.merge({ squash: true });
  expect(result.kind).toBe('merged');
  expect([scene.at('main^{tree}'), scene.at('main^'), scene.status()]).toEqual([tree, main, '']);
  scene.write(scene.repository, 'README', 'of main\n');
  scene.commit(scene.repository, 'main');
  scene.write(scene.made.path, 'README', 'of the branch\n');
  scene.commit(scene.made.path, 'branch');
  const before = scene.footprint();
  expect(await scene.merge()).toEqual({ kind: 'conflicts', files: ['README'] });
  expect(scene.footprint()).toBe(before);
});

it('WT50 the attributes of the branch count, not those of the main worktree', async () => {
  for (const isOld of [false, true]) {
    using scene = new MergeScene();
    scene.write(scene.repository, 'log/.gitattributes', '*.txt merge=union\n');
    scene.write(scene.repository, 'log/a.txt', 'a\n');
    scene.write(scene.repository, 'b.txt', 'b\n');
    const { path } = await scene.begin();
    scene.write(path, 'log/a.txt', 'a\nof the branch\n');
    scene.write(path, 'b.txt', 'b\nof the branch\n');
    scene.commit(path, 'branch');
    scene.write(scene.repository, 'log/a.txt', 'a\nof main\n');
    scene.write(scene.repository, 'b.txt', 'b\nof main\n');
    scene.commit(scene.repository, 'main');
    if (isOld) scene.restart(oldGit(scene));
    scene.write(scene.repository, '.gitattributes', '*.txt merge=union\n');
    const conflicts = ['b.txt'];
    expect(await scene.worktrees.mergePreview(scene.made, 'main')).toMatchObject({ conflicts });
    expect(await scene.merge()).toEqual({ kind: 'conflicts', files: conflicts });
    scene.write(path, 'b.txt', 'b\nof main\n');
    scene.commit(path, 'give in');
    expect((await scene.merge()).kind).toBe('merged');
    expect(scene.read(scene.repository, 'log/a.txt').split('\n').sort()).toEqual([
      '',
      'a',
      'of main',
      'of the branch',
    ]);
  }
});

it('WT50 settings of the user that would refuse or sign a merge do not stop it', async () => {
  for (const isOld of [false, true]) {
    using scene = new MergeScene();
    await scene.begin();
    for (const [key, value] of [
      ['merge.ff', 'only'],
      ['merge.verifySignatures', 'true'],
      ['merge.autoStash', 'true'],
      ['rerere.enabled', 'true'],
      ['commit.gpgSign', 'true'],
      ['core.sparseCheckout', 'true'],
    ] as const) {
      scene.git(scene.root, 'config', '--global', key, value);
    }
    if (isOld) scene.restart(oldGit(scene));
    expect((await scene.merge({ squash: isOld })).kind).toBe('merged');
    expect(scene.status()).toBe('');
  }
});

it('WT15 commits, previews and merges run nothing that a repository names', async () => {
  for (const isOld of [false, true]) {
    using scene = new MergeScene();
    const traces = join(scene.root, 'traces');
    const program = join(scene.root, 'program');
    mkdirSync(traces);
    writeFileSync(program, `#!/bin/sh\ntouch ${traces}/"$1"\ncat\n`, { mode: 0o755 });
    scene.write(scene.repository, '.gitattributes', '*.txt filter=zz diff=zz merge=zz\n');
    scene.write(scene.repository, 'a.txt', '1\n2\n3\n4\n5\n');
    const { path } = await scene.begin();
    const text = [
      `[filter "zz"]\nclean = ${program} clean\nsmudge = ${program} smudge\nrequired = true`,
      `[merge "zz"]\ndriver = ${program} merge %A`,
      `[diff "zz"]\ntextconv = ${program} textconv\ncommand = ${program} command`,
      `[merge]\ndefault = zz\n[commit]\ngpgSign = true\n[gpg]\nprogram = ${program}`,
      `[core]\nfsmonitor = ${program} monitor\nhooksPath = ${scene.repository}/.git/hooks`,
      `[branch "main"]\nmergeOptions = --strategy=ours`,
    ];
    appendFileSync(join(scene.repository, '.git/config'), `${text.join('\n')}\n`);
    for (const name of HOOKS) {
      const hook = `#!/bin/sh\ntouch ${traces}/hook-${name}\nexit 1\n`;
      writeFileSync(join(scene.repository, '.git/hooks', name), hook, { mode: 0o755 });
    }
    if (isOld) scene.restart(oldGit(scene));
    scene.write(path, 'a.txt', 'one\n2\n3\n4\n5\n');
    const one = await scene.worktrees.commit(scene.made, 'one');
    scene.write(path, 'a.txt', 'one\ntwo\n3\n4\n5\n');
    const two = await scene.worktrees.commit(scene.made, 'two');
    const diff = await scene.worktrees.diffBetween(scene.made, one, two);
    expect(diff.patch).toContain('+two');
    // Both sides changed the file, so that a merge driver would be asked.
    const other = await scene.create('other', { base: 'main' });
    scene.write(other.path, 'a.txt', '1\n2\n3\n4\nfive\n');
    await scene.worktrees.commit(other, 'other');
    const all = { into: 'main', squash: false, message: 'other', verify: accept };
    expect((await scene.worktrees.merge(other, all)).kind).toBe('merged');
    const preview = await scene.worktrees.mergePreview(scene.made, 'main');
    expect([preview.commits, preview.conflicts]).toEqual([3, []]);
    expect((await scene.merge()).kind).toBe('merged');
    expect(scene.read(scene.repository, 'a.txt')).toBe('one\ntwo\n3\n4\nfive\n');
    expect(readdirSync(traces)).toEqual([]);
    // The traps work: unhardened git springs them.
    scene.write(path, 'a.txt', 'more\n');
    expect(() => scene.git(path, 'commit', '-qam', 'trap')).toThrow();
    expect(readdirSync(traces)).not.toEqual([]);
  }
});

it('WT43 nothing is pushed, and what a remote has does not move', async () => {
  using scene = new MergeScene();
  const remote = join(scene.root, 'remote.git');
  scene.git(scene.root, 'init', '-q', '--bare', '-b', 'main', remote);
  scene.git(scene.repository, 'remote', 'add', 'origin', remote);
  scene.git(scene.repository, 'push', '-q', '-u', 'origin', 'main');
  scene.git(scene.repository, 'config', 'push.default', 'matching');
  const pushed = scene.at('main', remote);
  await scene.begin();
  expect((await scene.merge()).kind).toBe('merged');
  expect([scene.at('main', remote), scene.at('origin/main')]).toEqual([pushed, pushed]);
  expect(scene.git(remote, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

it('WT43 a worktree that was removed while its result was checked changes nothing of the merge', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const branch = scene.at('task/fix');
  const verify = async () => {
    await scene.remove('fix', 'keep');
    return accept();
  };
  expect((await scene.merge({ verify })).kind).toBe('merged');
  expect(scene.at('main^2')).toBe(branch);
  expect((await refusedWith(scene.merge())).code).toBe('no_worktree');
});
