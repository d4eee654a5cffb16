/** `loopwatch run diff|report|merge|rm`: what a run made, and where it goes. */
import type { Command } from 'commander';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { readHome } from '../../lib/config/config.ts';
import { findDaemon, request } from '../client.ts';
import type { ResponseOf } from '../../../shared/endpoints/call-types.ts';
import { wholeNumber } from '../command-parts.ts';
import { type Output, printOne } from '../print/output.ts';
import { printRaw } from '../print/print.ts';
import { diffLines } from '../tasks/print-work.ts';
import { findRunId, findStoredId } from './find-run-id.ts';

interface DiffOptions extends Output {
  round?: number;
  stat?: boolean;
  raw?: boolean;
}

export function addWorkCommands(run: Command): void {
  run
    .command('diff')
    .description('show what a run changed on its branch')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--round <n>', 'only in this round, from 0', wholeNumber(0, 10_000))
    .option('--stat', 'only list the files')
    .option('--raw', 'print the unescaped patch for git apply (may contain terminal control codes)')
    .option('--json', 'output as JSON')
    .action(async (given: string, { round, stat, raw, ...options }: DiffOptions) => {
      const params = { id: findRunId(given) };
      const query = round === undefined ? {} : { iteration: String(round) };
      const diff = await request('getRunDiff', { params, query });
      if (raw === true) return printRaw(diff.patch);
      printOne(diff, options, () => diffLines(diff, stat !== true));
    });

  run
    .command('report')
    .description('print the report of a run that has ended (also without a daemon)')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output) => {
      const report = await readReport(given);
      printOne(report, options, () => plainText(report.text).trimEnd());
    });

  run
    .command('merge')
    .description('merge the work of a run into a local branch, after its checks pass on the result')
    .argument('<run>', 'id of the run, or its first characters')
    .requiredOption('--into <branch>', 'branch to merge into')
    .option('--squash', 'as one commit')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output & { into: string; squash?: boolean }) => {
      const id = findRunId(given);
      const body = { into: options.into, squash: options.squash === true };
      const merged = await request('mergeRun', { params: { id }, body });
      const into = plainText(options.into);
      printOne(
        merged,
        options,
        () => `${id}: merged into ${into} as ${merged.commit.slice(0, 10)}`,
      );
    });

  run
    .command('rm')
    .description(
      'delete a run that has ended; its work is kept, under a backup ref if no branch has it',
    )
    .argument('<run>', 'id of the run, or its first characters')
    .option('--keep-worktree', 'keep its worktree')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output & { keepWorktree?: boolean }) => {
      const id = findRunId(given);
      const query = { cleanup_worktree: String(options.keepWorktree !== true) };
      const removed = await request('deleteRun', { params: { id }, query });
      const kept = removed.kept.map((line) => `  ${plainText(line)}`);
      printOne(removed, options, () => [`${id}: removed`, ...kept]);
    });
}

async function readReport(given: string): Promise<ResponseOf<'getRunReport'>> {
  if (findDaemon() !== null) return request('getRunReport', { params: { id: findRunId(given) } });
  const { storedReport } = await import('../../runs/stored-run.ts');
  return storedReport(readHome(), findStoredId(given));
}
