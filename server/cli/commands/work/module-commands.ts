/** `loopwatch module …`: task modules below the roots, read. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { request } from '../../client.ts';
import type { Json } from '../../command-parts.ts';
import { findId } from '../../find-id.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { moduleLines, moduleTable } from '../../print/print-modules.ts';

const NONE = 'no task modules below the roots; make one with: loopwatch step init --dir DIR';

export function addModuleCommands(program: Command): void {
  const module = program.command('module');

  module
    .command('ls')
    .description('list task modules with status and progress, by path')
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { modules, scanned_at, cut } = await request('listModules', {});
      const none = scanned_at === null ? 'still looking for task modules; try again' : NONE;
      printList(modules, options, {
        id: ({ id }) => id,
        lines: (rows) => moduleTable(rows, cut),
        none,
      });
    });

  module
    .command('show')
    .description('show a task module and its files')
    .argument('<module>', 'id, its first characters, or directory')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Json) => {
      const { modules } = await request('listModules', {});
      const path = resolve(given);
      const ofPath = modules.find((each) => each.path === path)?.id;
      const id = ofPath ?? findId(given, modules, 'task module');
      const shown = await request('getModule', { params: { id } });
      printOne(shown, options, () => moduleLines(shown));
    });
}
