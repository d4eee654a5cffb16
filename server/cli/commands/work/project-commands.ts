/** `loopwatch project …`: what new worktrees of a project get. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import type { ProjectSetup } from '../../../../shared/schema/tasks/project-setup.ts';
import { setupLines } from '../../../../shared/words/work/setup-text.ts';
import { request } from '../../client.ts';
import { collect, usage } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { print } from '../../print/print.ts';
import { tableLines } from '../../print/table.ts';

const HEAD = ['project', 'copies', 'shares', 'setup', 'set by'];
const MAX_CELL = 60;

interface SetOptions extends Output {
  copy: string[];
  share: string[];
  setup?: string;
  teardown?: string;
  minutes?: number;
}

export function addProjectCommands(program: Command): void {
  const project = program.command('project');

  project
    .command('ls')
    .description('list the projects whose worktrees are set up')
    .option('-q, --quiet', 'print only their directories')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { setups } = await request('listProjectSetups', {});
      printList(setups, options, {
        id: ({ project }) => project,
        lines: (shown) => tableLines(HEAD, shown.map(cells)),
        none: 'no setups: worktrees get what git has; add one with: loopwatch project set . --copy .env --share node_modules',
      });
    });

  project
    .command('show')
    .description('show the setup of a project')
    .argument('[dir]', 'the project (default: this directory)')
    .option('--json', 'output as JSON')
    .action(async (dir: string | undefined, options: Output) => {
      const path = resolve(dir ?? '.');
      const { setups } = await request('listProjectSetups', {});
      const found = setups.find((setup) => setup.project === path);
      if (found === undefined) {
        const next = 'list them with: loopwatch project ls';
        throw new CliError(ExitCode.notFound, `${path} has no setup; ${next}`);
      }
      printOne(found, options, () => setupLines(found));
    });

  project
    .command('set')
    .description('set what new worktrees of a project get; replaces what was set')
    .argument('<dir>', 'a directory of the project')
    .option('--copy <file>', 'a file that git ignores, e.g. .env; repeat it', collect, [])
    .option('--share <folder>', 'a folder to link, e.g. node_modules; repeat it', collect, [])
    .option('--setup <command>', 'runs in each new worktree, e.g. "npm ci"')
    .option('--teardown <command>', 'runs before a worktree is removed, for at most a minute')
    .option('--minutes <n>', 'how long the setup may take (default: 10)', minutes)
    .option('--json', 'output as JSON')
    .action(async (dir: string, { json, quiet, ...setup }: SetOptions) => {
      if (Object.values(setup).every((value) => Array.isArray(value) && value.length === 0)) {
        throw usage('name what worktrees get: --copy, --share, --setup or --teardown');
      }
      const body = { path: resolve(dir), ...setup };
      const saved = await request('setProjectSetup', { body });
      printOne(saved, { json, quiet }, () => setupLines(saved));
    });

  project
    .command('rm')
    .description('remove the setup of a project; worktrees stay as they are')
    .argument('<dir>', 'as in: loopwatch project ls')
    .action(async (dir: string) => {
      const { project: removed } = await request('removeProjectSetup', {
        query: { path: resolve(dir) },
      });
      print(`${removed}: setup removed`);
    });
}

function cells({ project, copy, share, setup, is_on, author }: ProjectSetup): string[] {
  const list = (paths: readonly string[]) => oneLine(paths.join(', ') || '-', MAX_CELL);
  const command = is_on ? (setup ?? '-') : 'off since a restore';
  return [project, list(copy), list(share), oneLine(command, MAX_CELL), oneLine(author, MAX_CELL)];
}

function minutes(text: string): number {
  if (/^(?:[1-9]|[1-9]\d|1[01]\d|120)$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a number of minutes from 1 to 120`);
}
