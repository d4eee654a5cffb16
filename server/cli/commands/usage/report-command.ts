/** `loopwatch report`: what the night brought. */
import type { Command } from 'commander';
import { reportMarkdown } from '../../../report/report-markdown.ts';
import { connection, request } from '../../client.ts';
import { usage } from '../../command-parts.ts';
import { momentSince, momentUntil } from '../../past-moment.ts';
import { type Output, printOne } from '../../print/output.ts';
import { printRaw } from '../../print/print.ts';
import { reportLines } from '../../print/print-report.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

interface ReportOptions extends Zoned, Output {
  since?: string;
  until?: string;
  markdown?: boolean;
}

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .option('--since <time>', 'beginning, e.g. 20:00 (default: 12 hours before the end)')
    .option('--until <time>', 'end (default: now)')
    .option('--markdown', 'output as Markdown, with links')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ since, until, markdown = false, ...options }: ReportOptions) => {
      if (markdown && options.json === true) throw usage('choose --markdown or --json');
      const query = {
        since: since === undefined ? undefined : momentSince(since, options),
        until: until === undefined ? undefined : momentUntil(until, options),
      };
      const report = await request('getReport', { query });
      const time = timeIn(options);
      if (markdown) printRaw(reportMarkdown(report, { base: connection().url, time }));
      else printOne(report, options, () => reportLines(report, time));
    });
}
