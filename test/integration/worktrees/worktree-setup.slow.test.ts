/** What new worktrees of a project get: ignored files, shared folders, a command. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProjectSetup } from '../../../shared/schema/tasks/project-setup.ts';
import { WorktreeStage } from '../../support/git/worktree-stage.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const RUN = { signal: new AbortController().signal, mark: 'setup' };

/** A repository that ignores `.env` and `node_modules/`, and has both. */
function stageProject(setup: Partial<ProjectSetup>): WorktreeStage {
  const stage = new WorktreeStage();
  const { repository } = stage;
  stage.write(repository, '.gitignore', '.env\nnode_modules/\n');
  stage.commit(repository, 'ignore');
  stage.write(repository, '.env', 'KEY=1\n');
  stage.write(repository, 'node_modules/lib/index.js', 'lib\n');
  stage.setup = {
    project: repository,
    copy: [],
    share: [],
    setup: null,
    teardown: null,
    minutes: 1,
    is_on: true,
    author: 'mia',
    changed_at: '2026-01-01T00:00:00.000Z',
    ...setup,
  };
  return stage;
}

async function setUp(stage: WorktreeStage, name: string): Promise<string | true> {
  try {
    await stage.worktrees.setUp(name, name, RUN);
    return true;
  } catch (error) {
    return (error as Error).message;
  }
}

it('WT61 a worktree gets copies and shared folders, and none of them is in a commit', async () => {
  using stage = stageProject({ copy: ['.env'], share: ['node_modules'] });
  const made = await stage.create('fix');
  expect(await setUp(stage, 'fix')).toBe(true);
  expect(readFileSync(join(made.path, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(readFileSync(join(made.path, 'node_modules/lib/index.js'), 'utf8')).toBe('lib\n');
  expect(lstatSync(join(made.path, 'node_modules')).isSymbolicLink()).toBe(true);
  expect(stage.git(made.path, 'status', '--porcelain')).toBe('');
  stage.write(made.path, 'new.txt', 'new\n');
  const commit = await stage.worktrees.commit(made, 'work');
  const files = stage.git(stage.repository, 'ls-tree', '-r', '--name-only', commit).split('\n');
  expect(files.sort()).toEqual(['.gitignore', 'README', 'new.txt']);
  // The shared folder is the project's: it stays when the worktree goes.
  await stage.remove('fix');
  expect(existsSync(join(stage.repository, 'node_modules/lib/index.js'))).toBe(true);
});

it('WT61 a clean checkout, where gates run, gets the same', async () => {
  using stage = stageProject({ copy: ['.env'], share: ['node_modules'] });
  const made = await stage.create('fix');
  const head = stage.git(made.path, 'rev-parse', 'HEAD');
  const checkout = await stage.worktrees.checkout(made, head);
  expect(existsSync(join(checkout.path, '.env'))).toBe(true);
  expect(existsSync(join(checkout.path, 'node_modules/lib/index.js'))).toBe(true);
  await checkout.dispose();
  expect(existsSync(join(stage.repository, 'node_modules/lib/index.js'))).toBe(true);
});

it.each<[string, Partial<ProjectSetup>, (stage: WorktreeStage) => void, RegExp]>([
  [
    'a file that git does not ignore',
    { copy: ['README'] },
    () => undefined,
    /README is not ignored by git, so it would be committed; add it to .gitignore/,
  ],
  ['a file that is missing', { copy: ['node_modules/none'] }, () => undefined, /does not exist/],
  [
    'a link in place of a file',
    { copy: ['.env.local'] },
    (stage) => {
      stage.write(stage.repository, '.gitignore', '.env*\n');
      symlinkSync('/etc/passwd', join(stage.repository, '.env.local'));
    },
    /\.env\.local is not a regular file/,
  ],
  [
    'a way out of the project',
    { copy: ['node_modules/out/passwd'] },
    ({ repository }) => symlinkSync('/etc', join(repository, 'node_modules/out')),
    /node_modules\/out\/passwd is not a regular file/,
  ],
  ['a file in place of a folder', { share: ['.env'] }, () => undefined, /\.env is not a folder/],
])('WT62 %s is refused, and nothing is done', async (_, setup, change, message) => {
  using stage = stageProject(setup);
  change(stage);
  if (stage.git(stage.repository, 'status', '--porcelain') !== '')
    stage.commit(stage.repository, '+');
  const made = await stage.create('fix');
  expect(await setUp(stage, 'fix')).toMatch(message);
  expect(stage.git(made.path, 'status', '--porcelain', '--ignored')).toBe('');
  expect(stage.events()).toEqual(['created task/fix', 'setup_failed task/fix']);
});

it('WT62 a way out of the worktree is refused, and nothing outside is written', async () => {
  using stage = stageProject({ copy: ['config/.env'] });
  const outside = join(stage.root, 'outside');
  mkdirSync(outside);
  // The branch has a link where the project has a folder.
  stage.git(stage.repository, 'checkout', '-q', '-b', 'trap');
  symlinkSync(outside, join(stage.repository, 'config'));
  stage.commit(stage.repository, 'trap');
  stage.git(stage.repository, 'checkout', '-q', 'main');
  stage.write(stage.repository, 'config/.env', 'SECRET\n');
  const made = await stage.create('fix', { base: 'trap' });
  expect(await setUp(stage, 'fix')).toMatch(/config/);
  expect(existsSync(join(outside, '.env'))).toBe(false);
  expect(stage.git(made.path, 'status', '--porcelain', '--ignored')).toBe('');
});

it('WT62 what is there already stays', async () => {
  using stage = stageProject({ copy: ['.env'], share: ['node_modules'] });
  const made = await stage.create('fix');
  stage.write(made.path, '.env', 'OWN=1\n');
  stage.write(made.path, 'node_modules/own.js', 'own\n');
  expect(await setUp(stage, 'fix')).toBe(true);
  expect(readFileSync(join(made.path, '.env'), 'utf8')).toBe('OWN=1\n');
  expect(readFileSync(join(made.path, 'node_modules/own.js'), 'utf8')).toBe('own\n');
});

it('WT63 the command runs once in each new worktree, after a failure again', async () => {
  using stage = stageProject({
    copy: ['.env'],
    setup: 'cat .env >> ../../count; test -f ../../go',
  });
  await stage.create('fix');
  const failure = await setUp(stage, 'fix');
  expect(failure).toMatch(/^the setup “cat .*” failed: exit code 1; fix it, then recover/);
  writeFileSync(join(stage.repository, 'go'), '');
  expect(await setUp(stage, 'fix')).toBe(true);
  expect(await setUp(stage, 'fix')).toBe(true);
  expect(readFileSync(join(stage.repository, 'count'), 'utf8')).toBe('KEY=1\nKEY=1\n');
  // One that is created again is new.
  await stage.remove('fix', 'keep');
  await stage.restore('fix');
  expect(await setUp(stage, 'fix')).toBe(true);
  expect(readFileSync(join(stage.repository, 'count'), 'utf8')).toBe('KEY=1\nKEY=1\nKEY=1\n');
});

it('WT64 the teardown runs before a removal; its failure is said and removes all the same', async () => {
  using stage = stageProject({ teardown: 'touch ../../torn-down; echo no such service; exit 3' });
  const made = await stage.create('fix');
  const [said] = await stage.remove('fix');
  expect(said).toBe(
    `“touch ../../torn-down; echo no such service; exit 3” failed in ${made.path}, which was removed anyway: exit code 3: no such service.`,
  );
  expect(existsSync(join(stage.repository, 'torn-down'))).toBe(true);
  expect(existsSync(made.path)).toBe(false);
});

it('WT64 what the teardown writes is kept as any work', async () => {
  using stage = stageProject({ teardown: 'echo kept > late.txt' });
  await stage.create('fix');
  await stage.remove('fix');
  expect(stage.holds('kept\n')).toBe(true);
});

it('WT65 the setup of a backup is off until a person sets it again', async () => {
  using stage = stageProject({
    setup: 'touch ../../ran',
    teardown: 'touch ../../ran',
    is_on: false,
  });
  await stage.create('fix');
  expect(await setUp(stage, 'fix')).toMatch(/came from a backup, so it is off; check it/);
  await stage.remove('fix');
  expect(existsSync(join(stage.repository, 'ran'))).toBe(false);
});

it('WT65 a worktree that was set up before the restore needs nothing of it', async () => {
  using stage = stageProject({ copy: ['.env'] });
  await stage.create('fix');
  expect(await setUp(stage, 'fix')).toBe(true);
  if (stage.setup !== null) stage.setup = { ...stage.setup, is_on: false };
  expect(await setUp(stage, 'fix')).toBe(true);
});
