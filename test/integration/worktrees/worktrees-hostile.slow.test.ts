/** Repositories that would have programs run, with real git. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

const HOOKS = [
  'post-checkout',
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'reference-transaction',
  'post-index-change',
  'post-rewrite',
  'pre-auto-gc',
  'fsmonitor',
];

/** A repository in which everything that git would run leaves its name in a directory. */
function arm(stage: WorktreeStage): { traces: string; program: string } {
  const { repository } = stage;
  const traces = join(stage.root, 'traces');
  mkdirSync(traces);
  const program = join(stage.root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${traces}/"$1"\ncat\n`, { mode: 0o755 });
  for (const name of HOOKS) {
    const text = `#!/bin/sh\ntouch ${traces}/hook-${name}\n`;
    writeFileSync(join(repository, '.git/hooks', name), text, { mode: 0o755 });
  }
  const included = join(repository, '.git/included');
  const set = (file: string, key: string, value: string) =>
    stage.git(repository, 'config', '--file', file, key, value);
  const local = join(repository, '.git/config');
  set(local, 'core.fsmonitor', `${program} fsmonitor`);
  set(local, 'core.hooksPath', join(repository, '.git/hooks'));
  set(local, 'core.pager', `${program} pager`);
  set(local, 'core.editor', `${program} editor`);
  set(local, 'commit.gpgSign', 'true');
  set(local, 'gpg.program', `${program} gpg`);
  set(local, 'include.path', included);
  for (const [file, name] of [
    [local, 'dirty'],
    [included, 'sly.one'],
  ] as const) {
    for (const key of ['clean', 'smudge']) set(file, `filter.${name}.${key}`, `${program} ${key}`);
    set(file, `filter.${name}.required`, 'true');
    set(file, `diff.${name}.textconv`, `${program} textconv`);
    set(file, `diff.${name}.command`, `${program} command`);
    set(file, `merge.${name}.driver`, `${program} merge`);
  }
  set(included, 'filter.long.process', `${program} process`);
  stage.write(
    repository,
    '.gitattributes',
    '*.a filter=dirty diff=dirty merge=dirty\n*.b filter=sly.one diff=sly.one\n*.c filter=long\n',
  );
  for (const name of ['1.a', '2.b', '3.c']) stage.write(repository, name, 'content\n');
  const plain = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
  const noFilters = ['-c', 'filter.dirty.clean=', '-c', 'filter.sly.one.clean='];
  const soft = ['-c', 'filter.dirty.required=false', '-c', 'filter.sly.one.required=false'];
  const quiet = [...plain, ...noFilters, ...soft, '-c', 'filter.long.process='];
  stage.git(repository, ...quiet, 'add', '-A');
  stage.git(repository, ...quiet, '-c', 'commit.gpgSign=false', 'commit', '-qm', 'arm');
  return { traces, program };
}

it('WT15 no program that a repository names runs, in any operation', async () => {
  using stage = new WorktreeStage();
  const { traces } = arm(stage);
  const made = await stage.create('fix');
  for (const name of ['1.a', '2.b', '3.c', '4.a']) stage.write(made.path, name, 'changed\n');
  await stage.worktrees.repositoryOf(stage.repository);
  await stage.worktrees.branches(stage.repository, 'all');
  await stage.worktrees.inspect(made);
  const diff = await stage.worktrees.diff(made);
  expect(diff.files).toHaveLength(4);
  const { commit } = await stage.worktrees.snapshot(made);
  const checkout = await stage.worktrees.checkout(made, commit);
  expect(stage.read(checkout.path, '1.a')).toBe('changed\n');
  await checkout.dispose();
  await stage.remove('fix', 'keep');
  await stage.restore('fix');
  await stage.remove('fix', 'keep_unmerged');
  expect(readdirSync(traces)).toEqual([]);
  // The traps work: unhardened git springs one.
  expect(() => stage.git(stage.repository, 'status')).not.toThrow();
  expect(readdirSync(traces)).not.toEqual([]);
});

it('WT15 drivers of a worktree’s own configuration are not run either', async () => {
  using stage = new WorktreeStage();
  const { traces, program } = arm(stage);
  const made = await stage.create('fix');
  stage.git(stage.repository, 'config', 'extensions.worktreeConfig', 'true');
  const config = join(stage.repository, '.git/worktrees/fix/config.worktree');
  stage.git(stage.root, 'config', '--file', config, 'filter.own.clean', `${program} own`);
  stage.write(made.path, '.gitattributes', '*.o filter=own\n');
  stage.write(made.path, 'x.o', 'content\n');
  // Newer than any index: git has to compare contents each time.
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(join(made.path, 'x.o'), later, later);
  await stage.worktrees.inspect(made);
  await stage.worktrees.diff(made);
  await stage.remove('fix');
  expect([readdirSync(traces), stage.holds('content\n')]).toEqual([[], true]);
});

it('WT15 a submodule’s configuration is not followed', async () => {
  using stage = new WorktreeStage();
  const traces = join(stage.root, 'traces');
  const made = await stage.create('fix');
  const allow = ['-c', 'protocol.file.allow=always'];
  stage.git(made.path, ...allow, 'submodule', '-q', 'add', stage.repository, 'mod');
  stage.commit(made.path, 'submodule');
  const program = join(stage.root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${traces}\ncat\n`, { mode: 0o755 });
  const mod = join(made.path, 'mod');
  stage.git(mod, 'config', 'filter.inner.clean', program);
  const info = join(stage.git(mod, 'rev-parse', '--absolute-git-dir'), 'info');
  stage.write(info, 'attributes', '* filter=inner\n');
  // The same length, and newer: git has to compare contents.
  stage.write(mod, 'README', 'HELLO\n');
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(join(mod, 'README'), later, later);
  await stage.worktrees.inspect(made);
  await stage.worktrees.diff(made);
  await stage.worktrees.snapshot(made);
  expect(existsSync(traces)).toBe(false);
  stage.git(made.path, 'status');
  expect(existsSync(traces)).toBe(true);
});

it('WT37 drivers of the user’s own settings are used', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.root, 'config', '--global', 'filter.mine.clean', 'tr a-z A-Z');
  const made = await stage.create('fix');
  stage.write(made.path, '.gitattributes', '*.m filter=mine\n');
  stage.write(made.path, 'x.m', 'loud\n');
  await stage.remove('fix');
  expect(stage.holds('LOUD\n')).toBe(true);
});

it('WT38 the environment of the daemon does not reach git', async () => {
  using stage = new WorktreeStage();
  const other = stage.makeRepository('other');
  stage.environment['GIT_DIR'] = join(other, '.git');
  stage.environment['GIT_WORK_TREE'] = other;
  stage.restart();
  delete stage.environment['GIT_DIR'];
  delete stage.environment['GIT_WORK_TREE'];
  const made = await stage.create('fix');
  expect([made.repository, stage.listed(), stage.listed(other)]).toEqual([
    stage.repository,
    [made.path],
    [],
  ]);
});

it('WT15 a driver with a name that no option of git can hold is not run', async () => {
  using stage = new WorktreeStage();
  const traces = join(stage.root, 'traces');
  stage.write(stage.repository, '.gitattributes', '* filter=a=b\n');
  stage.commit(stage.repository, 'attributes');
  stage.git(stage.repository, 'config', 'filter.a=b.smudge', `touch ${traces}; cat`);
  const made = await stage.create('fix');
  expect([existsSync(traces), stage.read(made.path, 'README')]).toEqual([false, 'hello\n']);
});

it('WT15 a driver with the empty name is not run either', async () => {
  using stage = new WorktreeStage();
  const traces = join(stage.root, 'traces');
  const program = join(stage.root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${traces}\ncat\n`, { mode: 0o755 });
  const made = await stage.create('fix');
  appendFileSync(join(stage.repository, '.git/config'), `[filter ""]\n\tclean = ${program}\n`);
  stage.write(made.path, '.gitattributes', '* filter=\n');
  stage.write(made.path, 'a.txt', 'work\n');
  await stage.worktrees.diff(made);
  await stage.remove('fix');
  expect([existsSync(traces), stage.holds('work\n')]).toEqual([false, true]);
});

it('WT36 a worktree is where its directory is, not where its configuration says', async () => {
  using stage = new WorktreeStage();
  const victim = join(stage.root, 'victim');
  stage.write(victim, 'secret', 'secret\n');
  const made = await stage.create('fix');
  stage.git(stage.repository, 'config', 'extensions.worktreeConfig', 'true');
  const config = join(stage.repository, '.git/worktrees/fix/config.worktree');
  stage.git(stage.root, 'config', '--file', config, 'core.worktree', victim);
  stage.write(made.path, 'a.txt', 'work\n');
  expect((await stage.worktrees.inspect(made)).dirty).toEqual(['a.txt']);
  await stage.worktrees.snapshot(made);
  await stage.remove('fix');
  expect([stage.holds('work\n'), stage.holds('secret\n')]).toEqual([true, false]);
  expect(stage.read(victim, 'secret')).toBe('secret\n');
});

it('WT5 the file of exclusions is not written through a link', async () => {
  using stage = new WorktreeStage();
  const exclude = join(stage.repository, '.git/info/exclude');
  const precious = join(stage.root, 'precious');
  writeFileSync(precious, 'precious\n');
  rmSync(exclude, { force: true });
  symlinkSync(precious, exclude);
  await stage.create('fix');
  expect(stage.warnings).toHaveLength(1);
  expect(stage.read(stage.root, 'precious')).toBe('precious\n');
});

it('WT16 a git that is missing, too old or failing is reported with the next step', async () => {
  using stage = new WorktreeStage();
  stage.restart(join(stage.root, 'no-git'));
  expect(await refusedWith(stage.create('fix'))).toEqual({
    code: 'git_failed',
    message: 'git was not found; install it (package “git”), then try again',
  });
  const old = join(stage.root, 'old-git');
  writeFileSync(old, '#!/bin/sh\necho git version 2.4.11\n', { mode: 0o755 });
  stage.restart(old);
  expect(await refusedWith(stage.create('fix'))).toEqual({
    code: 'git_too_old',
    message: 'git version 2.4.11 is too old; install git 2.26 or newer',
  });
  stage.restart();
  mkdirSync(join(stage.repository, '.git/refs/heads/task'), { recursive: true });
  writeFileSync(join(stage.repository, '.git/refs/heads/task/fix.lock'), '');
  const refused = await refusedWith(stage.create('fix'));
  expect(refused.code).toBe('worktree_failed');
  expect(refused.message).toMatch(
    /git worktree: .*task\/fix\.lock.*; fix this in .* then try again/,
  );
  expect([stage.listed(), stage.store.all()]).toEqual([[], []]);
});

it('WT17 concurrent requests for one repository run one after another', async () => {
  using stage = new WorktreeStage();
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map(async (name) => stage.create(name)));
  expect(stage.listed()).toHaveLength(4);
  const twice = await Promise.all(['e', 'e'].map(async (name) => refusedWith(stage.create(name))));
  expect(twice.map(({ code }) => code).sort()).toEqual(['branch_in_use', 'none']);
  const every = [...names, 'e'];
  await Promise.all(every.map(async (name) => stage.remove(name)));
  expect([stage.listed(), stage.branches()]).toEqual([[], ['main']]);
});
