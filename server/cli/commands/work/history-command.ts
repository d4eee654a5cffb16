/** `loopwatch history`: every unit of work of a time range. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { HISTORY_STATES } from '../../../../shared/rules/events/history-state.ts';
import { MAX_HISTORY_UNITS } from '../../../../shared/schema/events/history.ts';
import { REPORT_KINDS } from '../../../../shared/schema/usage/report.ts';
import { request } from '../../client.ts';
import { choices, wholeNumber } from '../../command-parts.ts';
import { momentSince, momentUntil } from '../../past-moment.ts';
import { type Output, printList } from '../../print/output.ts';
import { historyLines } from '../../print/print-history.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

interface HistoryOptions extends Zoned, Output {
  since?: string;
  until?: string;
  kind?: string;
  state?: string;
  project?: string;
  person?: string;
  limit: number;
}

export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .argument('[text]', 'part of a name, of what was asked or of a directory')
    .option('--since <time>', 'beginning, e.g. 20:00 (default: seven days before the end)')
    .option('--until <time>', 'end (default: now)')
    .addOption(choices(new Option('--kind <kind>', 'only this kind of work'), REPORT_KINDS))
    .addOption(
      choices(
        new Option('--state <state>', 'only what is in this state, or ended so'),
        HISTORY_STATES,
      ),
    )
    .option('--project <directory>', 'only work in this repository or directory')
    .option('--person <name>', 'only what this person started')
    .option('--limit <n>', 'maximum number of units', wholeNumber(1, MAX_HISTORY_UNITS), 20)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (text: string | undefined, options: HistoryOptions) => {
      const { since, until, kind, state, project, person, limit } = options;
      const history = await request('getHistory', {
        query: {
          since: since === undefined ? undefined : momentSince(since, options),
          until: until === undefined ? undefined : momentUntil(until, options),
          project: project === undefined ? undefined : resolve(project),
          limit: String(limit),
          kind,
          state,
          person,
          text,
        },
      });
      printList(history.units, options, {
        id: ({ name }) => name,
        lines: () => historyLines(history, timeIn(options)),
        none: 'no work in this time matches',
      });
    });
}
