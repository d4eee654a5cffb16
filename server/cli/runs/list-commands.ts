/** `loopwatch run ls|show`: from the daemon, or without one from the files of the stored sessions. */
import { type Command, Option } from 'commander';
import { RunStatus } from '../../../shared/schema/runs/run-phase.ts';
import type { Run, RunProblem, RunSummary } from '../../../shared/schema/runs/run.ts';
import { isRunMark } from '../../../shared/rules/work/is-run-mark.ts';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { systemClock } from '../../lib/clock.ts';
import { readHome } from '../../lib/config/config.ts';
import { findDaemon, request } from '../client.ts';
import { choices } from '../command-parts.ts';
import { type Output, printList, printOne } from '../print/output.ts';
import { notice } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';
import { findRunId, findStoredId } from './find-run-id.ts';
import { runLines, runTable } from './print-run.ts';

/** As many as one answer of the daemon holds. */
const ALL = '20000';
/** A table for a person has the newest; scripts get all. */
const MAX_ROWS = 50;
const MAX_PROBLEMS = 20;

interface ListOptions extends Output, Zoned {
  status?: RunStatus;
  all?: boolean;
}

export function addListCommands(run: Command): void {
  run
    .command('ls')
    .description('list runs, newest first (also without a daemon)')
    .addOption(
      choices(new Option('--status <status>', 'only runs with this status'), RunStatus.options),
    )
    .option('--all', `list all runs, not just the newest ${MAX_ROWS}`)
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (options: ListOptions) => {
      const isTable = ![options.json, options.quiet, options.all].includes(true);
      const listed = await listRuns(options.status, isTable ? MAX_ROWS : null);
      const { runs, total } = listed;
      printList(runs, options, {
        id: ({ id }) => id,
        lines: (rows) => tableOf(rows, total, options),
        none: 'no runs',
      });
      sayProblems(listed);
    });

  run
    .command('show')
    .description('show a run: phase, rounds, usage and next steps (also without a daemon)')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (given: string, { utc, ...options }: Output & Zoned) => {
      const shown = await readRun(given);
      printOne(shown, options, () => runLines(shown, timeIn({ utc })));
    });
}

interface Listed {
  runs: RunSummary[];
  total: number;
  /** What cannot be read. That a run is stale or without its directory is in its row. */
  problems: RunProblem[];
  problems_total: number;
}

/** The newest `most`, or all; the totals count what is left out too. */
async function listRuns(status: RunStatus | undefined, most: number | null): Promise<Listed> {
  if (findDaemon() !== null) {
    const limit = most === null ? ALL : String(most);
    const max_problems = String(MAX_PROBLEMS);
    return request('listRuns', { query: { status, limit, problems: 'unreadable', max_problems } });
  }
  const { listStoredRuns } = await import('../../runs/list-stored-runs.ts');
  const listed = await listStoredRuns(readHome(), systemClock.now(), { status, most });
  const unread = listed.problems.filter((problem) => !isRunMark(problem));
  const problems = unread.slice(0, MAX_PROBLEMS);
  return { ...listed, problems, problems_total: unread.length };
}

async function readRun(given: string): Promise<Run> {
  if (findDaemon() !== null) return request('getRun', { params: { id: findRunId(given) } });
  const { storedRun } = await import('../../runs/stored-run.ts');
  return storedRun(readHome(), findStoredId(given), systemClock.now());
}

function tableOf(runs: readonly RunSummary[], total: number, { utc }: ListOptions): string[] {
  const left = total - runs.length;
  const more = left === 0 ? [] : [`${left} older; list them with: loopwatch run ls --all`];
  return [...runTable(runs, timeIn({ utc })), ...more];
}

function sayProblems({ problems, problems_total: total }: Listed): void {
  for (const { id, message } of problems) notice(`${plainText(id)}: ${plainText(message)}`);
  const left = total - problems.length;
  if (left <= 0) return;
  notice(`${left} more cannot be read; list them with: loopwatch run cleanup --corrupt --dry-run`);
}
