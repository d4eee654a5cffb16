/** Names of directories, files and branches that are easily misread, with real git. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT33 any name of a file is kept, text or not', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  for (const name of ['a\nb', '"q"', "it's", '-x', ':(top)x', 'a\\b', '*', ' lead ']) {
    stage.write(made.path, name, `odd ${name}`);
  }
  const file = Buffer.concat([Buffer.from(`${made.path}/`), Buffer.from([0xff, 0xfe])]);
  writeFileSync(file, 'no text\n');
  stage.commit(made.path, 'odd');
  for (const name of readdirSync(made.path, 'buffer')) {
    if (String(name) === '.git') continue;
    const list = join(stage.root, 'list');
    writeFileSync(list, Buffer.concat([name, Buffer.from([0])]));
    const shell = `git update-index --assume-unchanged -z --stdin < ${list}`;
    stage.git(made.path, '-c', `alias.mark=!${shell}`, 'mark');
  }
  writeFileSync(file, 'no text, changed\n');
  expect((await stage.worktrees.diff(made)).files).toHaveLength(9);
  await stage.remove('fix');
  expect([stage.holds('no text, changed\n'), stage.holds('odd a\nb')]).toEqual([true, true]);
});

it('WT3 a tag of the same name, or an unusual name of the main branch, changes nothing', async () => {
  for (const name of ['-x', 'HEAD', '@']) {
    using stage = new WorktreeStage();
    stage.git(stage.repository, 'update-ref', `refs/heads/${name}`, 'main');
    stage.git(stage.repository, 'symbolic-ref', 'HEAD', `refs/heads/${name}`);
    for (const tag of [name, 'task/fix']) {
      stage.git(stage.repository, 'update-ref', `refs/tags/${tag}`, 'main');
    }
    const made = await stage.create('fix');
    expect([made.base, made.branch]).toEqual([name, 'task/fix']);
    stage.write(made.path, 'a.txt', name);
    await stage.remove('fix');
    expect(stage.holds(name)).toBe(true);
  }
});

it('WT26 an existing branch can be used when its base was deleted', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'base');
  await stage.create('fix', { base: 'base' });
  await stage.remove('fix', 'keep');
  stage.git(stage.repository, 'branch', '-D', 'base');
  expect(await stage.restore('fix', { base: 'base' })).toMatchObject({ base: 'main' });
  const refused = await refusedWith(stage.create('new', { base: 'base' }));
  expect(refused.code).toBe('branch_missing');
});

it('WT24 a repository may be at any path without a line break', async () => {
  using stage = new WorktreeStage();
  for (const name of ['a b"c', "ü'x", '-x', ':(top)']) {
    const repository = stage.makeRepository(name);
    const made = await stage.create('fix', { repository });
    stage.write(made.path, 'a.txt', name);
    await stage.remove('fix');
    expect([stage.holds(name, repository), stage.listed(repository)]).toEqual([true, []]);
  }
  const repository = stage.makeRepository('two\nlines');
  const refused = await refusedWith(stage.create('fix', { repository }));
  expect([refused.code, stage.listed(repository)]).toEqual(['not_a_repository', []]);
});
