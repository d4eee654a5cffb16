/** `loopwatch usage`: what work used and cost. */
import { type Command, Option } from 'commander';
import { USAGE_GROUPS, type UsageGroup } from '../../../../shared/schema/usage/usage.ts';
import { request, requestStream } from '../../client.ts';
import { choices, usage } from '../../command-parts.ts';
import { type Output, printOne } from '../../print/output.ts';
import { print, printRaw, printed } from '../../print/print.ts';
import { forecastLines, usageTable } from '../../print/print-usage.ts';

const DAY_MS = 86_400_000;
const RECENT = /^(\d{1,4})d$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

interface UsageOptions extends Output {
  since?: string;
  until?: string;
  by?: UsageGroup;
  project?: string;
  person?: string;
  subject?: string;
  csv?: boolean;
}

export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .option(
      '--since <day>',
      'first day in UTC, or a number of days such as 7d (default: 30d)',
      dayOf,
    )
    .option('--until <day>', 'last day in UTC', dayOf)
    .addOption(choices(new Option('--by <group>', 'one row for each (default: day)'), USAGE_GROUPS))
    .option('--project <path>', 'only this project')
    .option('--person <name>', 'only what this person started')
    .option('--subject <kind:id>', 'only this work, such as task:fix-login')
    .option('--csv', 'print every entry as CSV instead')
    .option('--json', 'output as JSON')
    .action(async ({ since = dayOf('30d'), until, csv, ...options }: UsageOptions) => {
      const { by, project, person, subject, ...output } = options;
      const only = { project, person, subject };
      if (csv === true) {
        const isNarrowed = [by, ...Object.values(only)].some((each) => each !== undefined);
        if (isNarrowed)
          throw usage('--csv prints every entry of the days; it takes no --by or filter');
        return printEntries({ since, until });
      }
      const report = await request('getUsage', { query: { since, until, by, ...only } });
      if (output.output === 'jsonl') return print(report.rows.map((row) => JSON.stringify(row)));
      const { forecast } = await request('getUsageNow', {});
      printOne(report, output, () => [...usageTable(report), ...forecastLines(forecast)]);
    });
}

async function printEntries(range: { since: string; until: string | undefined }): Promise<void> {
  const query = { ...range, format: 'csv' as const };
  const entries = await requestStream('exportUsage', { query }, new AbortController().signal);
  for await (const part of entries) {
    printRaw(part);
    await printed();
  }
}

/** `7d` is today and the six days before it. */
function dayOf(text: string): string {
  const days = RECENT.exec(text)?.[1];
  if (days !== undefined && days !== '0') return isoDay(Date.now() - (Number(days) - 1) * DAY_MS);
  const isDay = DATE.test(text) && !Number.isNaN(Date.parse(text));
  if (isDay && isoDay(Date.parse(text)) === text) return text;
  throw usage(`"${text}" is not a day such as 2026-11-21, or a number of days such as 7d`);
}

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
