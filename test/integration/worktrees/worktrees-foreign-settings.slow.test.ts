/** Each place in which a repository can name a program for git to run, against every operation on it. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageOf } from '../../../server/lib/app-error.ts';
import { WorktreeStage } from '../../support/git/worktree-stage.ts';

/** Files that trigger a driver, by its kind. */
const ATTRIBUTES = '*.txt filter=zz diff=zz merge=zz\n*.long filter=long diff=zz\n';

/** Every setting that names a program, each leaving a trace under its own name. */
function settings(program: string): string {
  const run = (name: string) => `"${program} ${name}"`;
  return [
    '[filter "zz"]',
    ...['clean', 'smudge'].map((key) => `${key} = ${run(`filter-${key}`)}`),
    '[filter "long"]',
    `process = ${run('filter-process')}`,
    'required = true',
    '[diff "zz"]',
    `textconv = ${run('textconv')}`,
    `command = ${run('diff-command')}`,
    '[diff]',
    `external = ${run('diff-external')}`,
    '[merge "zz"]',
    `driver = ${run('merge-driver')}`,
    '[core]',
    `fsmonitor = ${program}`,
    `sshCommand = ${run('ssh')}`,
    `pager = ${run('pager')}`,
    `editor = ${run('editor')}`,
    `askPass = ${program}`,
    `gitProxy = ${program}`,
    `alternateRefsCommand = ${run('alternate-refs')}`,
    '[pager]',
    ...['status', 'config', 'branch', 'diff'].map((name) => `${name} = ${program}`),
    '[commit]',
    'gpgSign = true',
    '[gpg]',
    `program = ${program}`,
    '[gpg "ssh"]',
    `defaultKeyCommand = ${program}`,
    '[credential]',
    `helper = "!${program} credential"`,
    '[sequence]',
    `editor = ${run('sequence-editor')}`,
    '[trailer "zz"]',
    `command = ${run('trailer')}`,
    '[hook "zz"]',
    'event = post-checkout',
    'event = reference-transaction',
    `command = ${run('configured-hook')}`,
    '[alias]',
    ...['status', 'zz'].map((name) => `${name} = "!${program} alias"`),
    '[submodule "zz"]',
    `update = "!${program} submodule"`,
    '[remote "origin"]',
    'url = ext::sh',
    `uploadpack = ${program}`,
    'vcs = zz',
    'promisor = true',
    '[extensions]',
    'partialClone = origin',
    '',
  ].join('\n');
}

const HOOKS = ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc'];

interface Planting {
  stage: WorktreeStage;
  git: string;
  /** A file with all settings, outside the repository. */
  file: string;
}

const include = (condition: string) => (planting: Planting) =>
  append(planting, `[includeIf "${condition}"]\n\tpath = ${planting.file}\n`);

const PLACES: Record<string, (planting: Planting) => void> = {
  'the configuration itself': ({ git, file, stage }) =>
    appendFileSync(join(git, 'config'), stage.read('/', file)),
  'an include': (planting) => append(planting, `[include]\n\tpath = ${planting.file}\n`),
  'an include by a relative path': (planting) =>
    append(planting, '[include]\n\tpath = ../../settings\n'),
  'an include for linked worktrees': include('gitdir:**/worktrees/**'),
  'an include for the worktree of a task': include('gitdir/i:**/WORKTREES/FIX'),
  'an include for clean checkouts': include('gitdir:**/worktrees/work*'),
  'an include for branches of tasks': include('onbranch:task/**'),
  'an include for a remote': (planting) => {
    append(planting, '[remote "zz"]\n\turl = https://example.org/zz\n');
    include('hasconfig:remote.*.url:https://example.org/*')(planting);
  },
  'settings of each worktree': ({ stage, git, file }) => {
    stage.git(stage.repository, 'config', 'extensions.worktreeConfig', 'true');
    writeFileSync(join(git, 'config.worktree'), stage.read('/', file));
  },
  'hooks in their own place': ({ git, file }) => {
    for (const name of HOOKS) {
      const text = `#!/bin/sh\n${join(file, '../program')} hook-${name}\n`;
      writeFileSync(join(git, 'hooks', name), text, { mode: 0o755 });
    }
  },
  'hooks in a committed directory': (planting) =>
    append(planting, `[core]\n\thooksPath = ${join(planting.stage.repository, 'hooks')}\n`),
  'attributes of this copy alone': ({ git, file, stage }) => {
    writeFileSync(join(git, 'info/attributes'), '* filter=zz\n');
    appendFileSync(join(git, 'config'), stage.read('/', file));
  },
  'attributes in a file that is named': (planting) => {
    const attributes = join(planting.stage.root, 'attributes');
    writeFileSync(attributes, '* filter=zz\n');
    append(planting, `[core]\n\tattributesFile = ${attributes}\n`);
    include('gitdir:**/worktrees/**')(planting);
  },
  'a git directory behind a link': (planting) => {
    const elsewhere = join(planting.stage.root, 'elsewhere');
    mkdirSync(elsewhere);
    include('gitdir:**/worktrees/**')(planting);
    renameSync(planting.git, join(elsewhere, '.git'));
    symlinkSync(join(elsewhere, '.git'), planting.git);
  },
  'a git directory that is named by a file': (planting) => {
    const elsewhere = join(planting.stage.root, 'elsewhere');
    mkdirSync(elsewhere);
    appendFileSync(join(planting.git, 'config'), planting.stage.read('/', planting.file));
    renameSync(planting.git, join(elsewhere, '.git'));
    writeFileSync(planting.git, `gitdir: ${join(elsewhere, '.git')}\n`);
  },
  'a common directory that is named by a file': (planting) => {
    const { stage, git } = planting;
    const other = stage.makeRepository('other');
    appendFileSync(join(other, '.git/config'), stage.read('/', planting.file));
    writeFileSync(join(git, 'commondir'), join(other, '.git'));
  },
  'a bare repository among the files': ({ stage, file }) => {
    const bare = join(stage.repository, 'bare');
    stage.git(stage.root, 'init', '-q', '--bare', bare);
    appendFileSync(join(bare, 'config'), stage.read('/', file));
    appendFileSync(join(bare, 'config'), `[core]\n\tworktree = ${stage.repository}\n`);
  },
};

function append({ git }: Planting, text: string): void {
  appendFileSync(join(git, 'config'), text);
}

/** A repository whose files trigger the drivers, with nothing planted yet. */
function prepare(stage: WorktreeStage): Planting & { traces: string } {
  const traces = join(stage.root, 'traces');
  mkdirSync(traces);
  const program = join(stage.root, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${traces}/"$1"x\ncat\n`, { mode: 0o755 });
  const file = join(stage.root, 'settings');
  writeFileSync(file, settings(program));
  stage.write(stage.repository, '.gitattributes', ATTRIBUTES);
  for (const name of ['a.txt', 'b.txt', 'c.long']) stage.write(stage.repository, name, 'content\n');
  for (const name of HOOKS) {
    stage.write(stage.repository, `hooks/${name}`, `#!/bin/sh\n${program} committed-${name}\n`);
    stage.git(stage.repository, 'add', '-A');
    stage.git(stage.repository, 'update-index', '--chmod=+x', `hooks/${name}`);
  }
  stage.git(stage.repository, 'commit', '-qm', 'drivers');
  stage.git(stage.repository, 'checkout', '-q', '.');
  return { stage, file, traces, git: join(stage.repository, '.git') };
}

/** Every operation on a repository; returns the refusals, which may leave no trace either. */
async function doEverything(stage: WorktreeStage): Promise<string[]> {
  const { worktrees, repository } = stage;
  const refusals: string[] = [];
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await act();
    } catch (error) {
      refusals.push(messageOf(error));
      return null;
    }
  };
  await attempt(async () => worktrees.repositoryOf(repository));
  await attempt(async () => worktrees.repositoryOf(join(repository, 'bare')));
  await attempt(async () => worktrees.branches(repository, 'all'));
  const made = await attempt(async () => stage.create('fix'));
  if (made === null) return refusals;
  // Newer than any index: git has to compare contents.
  const later = new Date(Date.now() + 3_600_000);
  for (const name of ['a.txt', 'c.long', 'new.txt']) {
    stage.write(made.path, name, 'changed\n');
    utimesSync(join(made.path, name), later, later);
  }
  await attempt(async () => worktrees.inspect(made));
  await attempt(async () => worktrees.diff(made));
  const snapshot = await attempt(async () => worktrees.snapshot(made));
  const checkout = await attempt(async () => worktrees.checkout(made, snapshot?.commit ?? ''));
  await attempt(async () => checkout?.dispose());
  await attempt(async () => worktrees.remove('fix', 'fix', { branch: 'keep' }));
  const restored = (await attempt(async () => stage.restore('fix'))) ?? made;
  rmSync(join(made.path, '.git'), { force: true });
  await attempt(async () => worktrees.inspect(restored));
  stage.store.setState(restored.id, 'removing');
  await attempt(async () => worktrees.recover());
  const again = await attempt(async () => stage.create('fix'));
  if (again !== null) stage.store.setState(again.id, 'creating');
  await attempt(async () => worktrees.recover());
  return refusals;
}

/** A git directory of its own is required, wherever its settings would come from. */
const REFUSED = ['a git directory behind a link', 'a git directory that is named by a file'];

const WHOLE_LIFE = [
  'created task/fix',
  'removed task/fix',
  'created task/fix',
  'removed task/fix',
  'created task/fix',
  'rolled_back task/fix',
];

for (const [place, plant] of Object.entries(PLACES)) {
  it(`WT15 WT19 no program runs that a repository names in ${place}`, async () => {
    using stage = new WorktreeStage();
    const planting = prepare(stage);
    plant(planting);
    const refusals = await doEverything(stage);
    const did = REFUSED.includes(place) ? [] : WHOLE_LIFE;
    expect({ refusals, traces: readdirSync(planting.traces), did: stage.events() }).toMatchObject({
      traces: [],
      did,
    });
  });
}
