/** A merge whose daemon or git ended halfway, with real git. */
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MergeScene } from '../../support/git/merge-scene.ts';
import { refusedWith } from '../../support/git/worktree-stage.ts';

const MERGING = 'refs/loopwatch/merging/main';

async function start(scene: MergeScene): Promise<void> {
  scene.restart();
  await scene.worktrees.recover();
}

/** Locks that a killed git left are removed when they are a minute old. */
function age(scene: MergeScene): void {
  const git = join(scene.repository, '.git');
  const old = new Date(scene.home.clock.now() - 61_000);
  for (const name of readdirSync(git, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) utimesSync(join(git, name), old, old);
  }
}

/** The branch has the merge, and the main worktree does not yet. */
async function half(scene: MergeScene) {
  await scene.begin();
  const old = scene.at('main');
  const kept = readFileSync(join(scene.repository, '.git/index'));
  await scene.merge();
  const commit = scene.at('main');
  scene.git(scene.repository, 'reset', '-q', '--hard', old);
  writeFileSync(join(scene.repository, '.git/index'), kept);
  scene.git(scene.repository, 'update-index', '-q', '--refresh');
  scene.git(scene.repository, 'update-ref', 'refs/heads/main', commit);
  scene.git(scene.repository, 'update-ref', MERGING, commit);
  return { old, commit };
}

/** The main worktree is exactly at the merge, and nothing else is left. */
function expectMerged(scene: MergeScene, commit: string): void {
  expect([scene.at('main'), scene.at('HEAD'), scene.status()]).toEqual([commit, commit, '']);
  expect(scene.read(scene.repository, 'README')).toBe('hello\nfrom the branch\n');
  expect(scene.git(scene.repository, 'for-each-ref', MERGING)).toBe('');
}

it('WT46 killed before the files followed: the next start, or the next merge, brings them along', async () => {
  for (const next of ['start', 'merge'] as const) {
    using scene = new MergeScene();
    const { commit } = await half(scene);
    expect(scene.status()).not.toBe('');
    if (next === 'start') await start(scene);
    else expect(await scene.merge()).toEqual({ kind: 'nothing' });
    expectMerged(scene, commit);
    expect([scene.backups(), scene.warnings]).toEqual([[], []]);
  }
});

it('WT46 killed while the files were written: each is completed, and a person’s files stay', async () => {
  using scene = new MergeScene();
  const { commit } = await half(scene);
  const { repository } = scene;
  scene.write(repository, 'README', 'hello\nfrom');
  scene.write(repository, 'new/a.txt', 'new\n');
  rmSync(join(repository, 'old.txt'));
  // What a person did since, elsewhere.
  scene.write(repository, 'main.txt', 'mine\n');
  scene.write(repository, 'untracked', 'mine\n');
  writeFileSync(join(repository, '.git/index.lock'), 'half');
  await start(scene);
  // The lock may be that of another git.
  expect([scene.warnings.length, scene.backups(), scene.at(MERGING)]).toEqual([1, [], commit]);
  age(scene);
  await start(scene);
  expect(scene.read(repository, 'README')).toBe('hello\nfrom the branch\n');
  expect(scene.status()).toBe('M main.txt\n?? untracked');
  expect(scene.git(repository, 'for-each-ref', MERGING)).toBe('');
  // The half file is of unknown origin.
  expect([scene.backups().length, scene.holds('hello\nfrom')]).toEqual([1, true]);
});

it('WT46 what a person changed in the meantime is kept under a backup ref', async () => {
  using scene = new MergeScene();
  const { commit } = await half(scene);
  scene.write(scene.repository, 'README', 'mine\n');
  scene.write(scene.repository, 'new/a.txt', 'also mine\n');
  await start(scene);
  expectMerged(scene, commit);
  expect([scene.holds('mine\n'), scene.holds('also mine\n')]).toEqual([true, true]);
  expect([scene.backups().length, scene.warnings.length]).toEqual([1, 1]);
});

it('WT46 killed before the branch moved, or when it has moved on: nothing is touched', async () => {
  using scene = new MergeScene();
  const { old, commit } = await half(scene);
  scene.git(scene.repository, 'update-ref', 'refs/heads/main', old);
  await start(scene);
  expect([scene.at('main'), scene.status()]).toEqual([old, '']);
  expect(scene.git(scene.repository, 'for-each-ref', MERGING)).toBe('');
  expect((await scene.merge()).kind).toBe('merged');
  scene.git(scene.repository, 'update-ref', MERGING, commit);
  const theirs = scene.commit(scene.repository, 'theirs');
  scene.write(scene.repository, 'README', 'mine\n');
  await start(scene);
  expect([scene.at('main'), scene.status()]).toEqual([theirs, 'M README']);
  expect([scene.backups(), scene.warnings]).toEqual([[], []]);
});

it('WT46 git killed before or after each of its steps: the merge is done once, or can be repeated', async () => {
  const commands = ['merge-tree', 'commit-tree', 'worktree add', 'worktree remove', 'update-ref'];
  for (const command of [...commands, 'read-tree -m']) {
    for (const when of ['before', 'after'] as const) {
      for (const count of command === 'update-ref' ? [1, 2, 3] : [1]) {
        using scene = new MergeScene();
        await scene.begin();
        const old = scene.at('main');
        const mortal = join(scene.root, 'mortal-git');
        const counter = join(scene.root, 'count');
        const run = when === 'after' ? 'git "$@";' : '';
        const strike = `echo >>${counter}; if [ $(wc -l <${counter}) = ${count} ]; then ${run} kill -9 $$; fi`;
        const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) ${strike};; esac\nexec git "$@"\n`;
        writeFileSync(mortal, script, { mode: 0o755 });
        scene.restart(mortal);
        await refusedWith(scene.merge());
        const at = [command, when, count];
        expect([at, readFileSync(counter, 'utf8').length >= count]).toEqual([at, true]);
        await start(scene);
        expect([at, scene.warnings]).toEqual([at, []]);
        expect([at, scene.status(), scene.listed()]).toEqual([at, '', [scene.made.path]]);
        if (scene.at('main') !== old) expect([at, scene.at('main^1')]).toEqual([at, old]);
        const result = await scene.merge();
        expect(['merged', 'nothing']).toContain(result.kind);
        expect([at, scene.at('main^1'), scene.backups()]).toEqual([at, old, []]);
        expectMerged(scene, scene.at('main'));
      }
    }
  }
});

it('WT46 git killed at any moment while it updates the files: they are complete after the next start', async () => {
  using scene = new MergeScene();
  const { path } = await scene.begin();
  for (let number = 0; number < 300; number += 1) {
    scene.write(path, `files/${number}.txt`, `${number}\n`.repeat(500));
  }
  scene.commit(path, 'files');
  const mortal = join(scene.root, 'mortal-git');
  const old = scene.at('main');
  let cut = 0;
  for (const milliseconds of [1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50]) {
    const kill = `exec timeout -s KILL ${milliseconds / 1000} git "$@"`;
    const script = `#!/bin/sh\ncase "$*" in *"--dry-run"*) ;; *"read-tree -m"*) ${kill};; esac\nexec git "$@"\n`;
    writeFileSync(mortal, script, { mode: 0o755 });
    scene.restart(mortal);
    const refused = await refusedWith(scene.merge());
    if (refused.code === 'git_failed') {
      cut += 1;
      expect(refused.message).toContain('the next merge brings it along');
    }
    age(scene);
    await start(scene);
    const commit = scene.at('main');
    expectMerged(scene, commit);
    expect([milliseconds, scene.at('main^1')]).toEqual([milliseconds, old]);
    // Once more, from the beginning.
    scene.git(scene.repository, 'reset', '-q', '--hard', old);
    scene.git(scene.repository, 'clean', '-qfd', '-e', '.claude_worktrees');
  }
  expect([cut > 0, scene.warnings.length <= cut]).toEqual([true, true]);
});

it('WT46 locks that a killed git left on the branch are removed after a minute', async () => {
  using scene = new MergeScene();
  await scene.begin();
  for (const name of ['refs/heads/main', MERGING]) {
    const lock = join(scene.repository, '.git', `${name}.lock`);
    scene.write(scene.repository, join('.git', `${name}.lock`), '');
    const refused = await refusedWith(scene.merge());
    expect([refused.code, refused.message]).toEqual(['git_failed', expect.stringContaining(lock)]);
    scene.write(scene.repository, `.git/${name}.lock`, '');
    age(scene);
    if (name === 'refs/heads/main') scene.git(scene.repository, 'update-ref', MERGING, 'main');
  }
  await start(scene);
  expect((await scene.merge()).kind).toBe('merged');
});
