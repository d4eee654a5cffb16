/** What is in a worktree that has the branch to merge into checked out, with real git. */
import { appendFileSync, chmodSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accept, MergeScene } from '../../support/git/merge-scene.ts';

it('WT45 a worktree with changes is left alone, with a path and a next step', async () => {
  const cases: [string, RegExp, (scene: MergeScene, repository: string) => void][] = [
    [
      'a change',
      /README changed there; commit or stash/,
      (scene, at) => {
        scene.write(at, 'README', 'mine\n');
      },
    ],
    [
      'a change that the merge does not touch',
      /main.txt changed/,
      (scene, at) => {
        scene.write(at, 'main.txt', 'mine\n');
      },
    ],
    [
      'staged work',
      /staged changed/,
      (scene, at) => {
        scene.write(at, 'staged', 'mine\n');
        scene.git(at, 'add', 'staged');
      },
    ],
    [
      'an untracked file in the way',
      /new\/a.txt, in no commit/,
      (scene, at) => {
        scene.write(at, 'new/a.txt', 'mine\n');
      },
    ],
    [
      'an untracked file as its directory',
      /new, in no commit/,
      (scene, at) => {
        scene.write(at, 'new', 'mine\n');
      },
    ],
    [
      'an ignored file in the way',
      /new\/.*, in no commit/,
      (scene, at) => {
        appendFileSync(join(at, '.git/info/exclude'), '\na.txt\n');
        scene.write(at, 'new/a.txt', 'mine\n');
      },
    ],
    [
      'a link as its directory',
      /new, in no commit/,
      (scene, at) => {
        symlinkSync(scene.root, join(at, 'new'));
      },
    ],
    [
      'a hidden change',
      /git does not check README/,
      (scene, at) => {
        scene.git(at, 'update-index', '--assume-unchanged', 'README');
        scene.write(at, 'README', 'mine\n');
      },
    ],
    [
      'a sparse checkout',
      /git does not check README/,
      (scene, at) => {
        scene.git(at, 'update-index', '--skip-worktree', 'README');
      },
    ],
    [
      'a mode',
      /README changed/,
      (_, at) => {
        chmodSync(join(at, 'README'), 0o755);
      },
    ],
    [
      'a cherry-pick',
      /git left CHERRY_PICK_HEAD/,
      (scene, at) => {
        writeFileSync(join(at, '.git/CHERRY_PICK_HEAD'), `${scene.at('HEAD')}\n`);
      },
    ],
    [
      'a lock',
      /index.lock/,
      (_, at) => {
        writeFileSync(join(at, '.git/index.lock'), '');
      },
    ],
    [
      'a rebase',
      /rebase/,
      (scene, at) => {
        scene.git(at, 'switch', '-q', '--detach');
        scene.write(at, '.git/rebase-merge/head-name', 'refs/heads/main\n');
      },
    ],
    [
      'two worktrees',
      /so has/,
      (scene, at) => {
        scene.git(at, 'worktree', 'add', '-q', '-f', join(scene.root, 'second'), 'main');
      },
    ],
  ];
  for (const [name, detail, prepare] of cases) {
    using scene = new MergeScene();
    await scene.begin();
    prepare(scene, scene.repository);
    const before = scene.footprint();
    const early = { verify: async () => Promise.reject(new Error('never called')) };
    expect([name, await scene.merge(early)]).toEqual([
      name,
      { kind: 'in_use', path: scene.repository, detail: expect.stringMatching(detail) as string },
    ]);
    expect([name, scene.footprint()]).toEqual([name, before]);
  }
});

it('WT45 what changes there while the result is checked counts too', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const main = scene.at('main');
  const verify = async () => {
    scene.write(scene.repository, 'README', 'mine\n');
    return accept();
  };
  expect((await scene.merge({ verify })).kind).toBe('in_use');
  expect([scene.at('main'), scene.read(scene.repository, 'README')]).toEqual([main, 'mine\n']);
});

it('WT45 files that were only touched, or are not in the way, do not matter', async () => {
  using scene = new MergeScene();
  await scene.begin();
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(scene.repository, 'README'), later, later);
  utimesSync(join(scene.repository, 'old.txt'), later, later);
  appendFileSync(join(scene.repository, '.git/info/exclude'), '\nout/\n');
  scene.write(scene.repository, 'out/x.o', 'ignored\n');
  scene.write(scene.repository, 'newer.txt', 'untracked\n');
  expect((await scene.merge()).kind).toBe('merged');
  expect([scene.status(), scene.read(scene.repository, 'out/x.o')]).toEqual([
    '?? newer.txt',
    'ignored\n',
  ]);
});
