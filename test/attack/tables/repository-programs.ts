/** Each place in which a repository can name a program for git to run. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plant } from '../repository.ts';

const append =
  (text: (program: string) => string): Plant =>
  ({ git, program }) =>
    appendFileSync(join(git, 'config'), `${text(program)}\n`);

export const setting = (section: string, key: string, trace: string): [string, Plant] => [
  `${section} ${key}`,
  append((program) => `[${section}]\n\t${key} = "${program} ${trace}"`),
];

const fileOf = (text: string) => {
  const plant: Plant = ({ git, aside, program }) => {
    const file = join(aside, 'settings');
    const names = ['clean', 'smudge'].map((key) => `${key} = "${program} ${key}"`);
    writeFileSync(file, `[core]\nfsmonitor = ${program}\n[filter "zz"]\n${names.join('\n')}\n`);
    appendFileSync(join(git, 'config'), text.replaceAll('FILE', file));
  };
  return plant;
};

const hook =
  (name: string): Plant =>
  ({ git, program }) =>
    writeFileSync(join(git, 'hooks', name), `#!/bin/sh\n${program} ${name}\n`, { mode: 0o755 });

export const PROGRAMS: [string, Plant][] = [
  setting('filter "zz"', 'clean', 'clean'),
  setting('filter "zz"', 'smudge', 'smudge'),
  setting('filter "long"', 'process', 'process'),
  setting('diff "zz"', 'textconv', 'textconv'),
  setting('diff "zz"', 'command', 'command'),
  setting('diff', 'external', 'external'),
  setting('merge "zz"', 'driver', 'driver'),
  setting('core', 'fsmonitor', 'fsmonitor'),
  setting('core', 'sshCommand', 'ssh'),
  setting('core', 'pager', 'pager'),
  setting('core', 'editor', 'editor'),
  setting('core', 'gitProxy', 'proxy'),
  setting('core', 'askPass', 'ask'),
  setting('core', 'alternateRefsCommand', 'refs'),
  setting('pager', 'status', 'pager'),
  setting('pager', 'diff', 'pager'),
  setting('credential', 'helper', 'credential'),
  setting('sequence', 'editor', 'sequence'),
  setting('trailer "zz"', 'command', 'trailer'),
  setting('uploadpack', 'packObjectsHook', 'pack'),
  setting('gc', 'recentObjectsHook', 'recent'),
  ['signing', append((program) => `[commit]\ngpgSign = true\n[gpg]\nprogram = ${program}`)],
  [
    'signing by SSH',
    append(
      (program) =>
        `[commit]\ngpgSign = true\n[gpg]\nformat = ssh\n[gpg "ssh"]\ndefaultKeyCommand = ${program}`,
    ),
  ],
  ['an alias', append((program) => `[alias]\nstatus = "!${program} alias"`)],
  [
    'a submodule',
    append((program) => `[submodule "zz"]\nurl = ext::${program}\nupdate = "!${program} update"`),
  ],
  [
    'a remote that is asked for objects',
    append(
      (program) =>
        `[remote "origin"]\nurl = ext::${program} remote\npromisor = true\nuploadpack = ${program}\n[extensions]\npartialClone = origin`,
    ),
  ],
  [
    'a hook of the configuration',
    append((program) => `[hook "zz"]\nevent = post-checkout\ncommand = "${program} hook"`),
  ],
  ...[
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'pre-auto-gc',
    'pre-commit',
    'fsmonitor-watchman',
  ].map((name): [string, Plant] => [`the hook ${name}`, hook(name)]),
  [
    'hooks in a directory of the work',
    (planting) => {
      const directory = join(planting.repository, 'hooks');
      mkdirSync(directory);
      const text = `#!/bin/sh\n${planting.program} hooksPath\n`;
      writeFileSync(join(directory, 'post-checkout'), text, { mode: 0o755 });
      append(() => `[core]\nhooksPath = ${directory}`)(planting);
    },
  ],
  ['an include', fileOf('[include]\npath = FILE\n')],
  ['an include for worktrees', fileOf('[includeIf "gitdir:**/worktrees/**"]\npath = FILE\n')],
  ['an include for branches of tasks', fileOf('[includeIf "onbranch:task/**"]\npath = FILE\n')],
  [
    'an include for a remote',
    fileOf(
      '[remote "zz"]\nurl = https://example.org/zz\n[includeIf "hasconfig:remote.*.url:https://example.org/*"]\npath = FILE\n',
    ),
  ],
  [
    'settings of each worktree',
    ({ git, program, run }) => {
      run('config', 'extensions.worktreeConfig', 'true');
      writeFileSync(join(git, 'config.worktree'), `[core]\nfsmonitor = ${program}\n`);
    },
  ],
  [
    'attributes in a file elsewhere',
    (planting) => {
      const file = join(planting.aside, 'attributes');
      writeFileSync(file, '* filter=own diff=own\n');
      append(
        (program) =>
          `[core]\nattributesFile = ${file}\n[filter "own"]\nclean = ${program}\n[diff "own"]\ntextconv = ${program}`,
      )(planting);
    },
  ],
  [
    'objects of another repository',
    ({ git, aside }) => {
      mkdirSync(join(aside, 'objects'));
      writeFileSync(join(git, 'objects/info/alternates'), `${join(aside, 'objects')}\n`);
    },
  ],
  [
    'objects of itself',
    ({ git }) => writeFileSync(join(git, 'objects/info/alternates'), '../objects\n'),
  ],
];
