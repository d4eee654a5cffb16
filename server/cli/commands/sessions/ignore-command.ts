/** `loopwatch session ignore`: directories whose sessions, started without Loopwatch, are left alone. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import type { IgnoredDirectories } from '../../../../shared/schema/modules/ignored-directory.ts';
import { request } from '../../client.ts';
import { usage } from '../../command-parts.ts';
import { type Output, printList } from '../../print/output.ts';
import { tableLines } from '../../print/table.ts';

type Row = IgnoredDirectories['directories'][number];

const HEAD = ['directory', 'by', 'since'];
const MAX_CELL = 200;
const NONE = 'no directories are ignored; add one with: loopwatch session ignore DIR';

interface IgnoreOptions extends Output {
  off?: boolean;
}

export function addIgnoreCommand(session: Command): void {
  session
    .command('ignore')
    .description('leave sessions started without Loopwatch alone in a directory and below')
    .argument('[dir]', 'omitted: list the ignored directories')
    .option('--off', 'show them again')
    .option('-q, --quiet', 'print only the directories')
    .option('--json', 'output as JSON')
    .action(async (given: string | undefined, { off = false, ...options }: IgnoreOptions) => {
      if (given === undefined && off) throw usage('--off requires a directory');
      const { directories } =
        given === undefined
          ? await request('listIgnored', {})
          : await request('setIgnored', { body: { directory: resolve(given), ignored: !off } });
      printList(directories, options, {
        id: ({ directory }) => oneLine(directory, MAX_CELL),
        lines: table,
        none: NONE,
      });
    });
}

function table(rows: readonly Row[]): string[] {
  return tableLines(
    HEAD,
    rows.map(({ directory, by, at }) => [
      oneLine(directory, MAX_CELL),
      oneLine(by ?? 'LOOPWATCH_FOUND_IGNORE', MAX_CELL),
      at ?? '-',
    ]),
  );
}
