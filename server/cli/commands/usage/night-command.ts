/** `loopwatch night`: whether the work will last until the morning. */
import type { Command } from 'commander';
import { messageOf } from '../../../lib/app-error.ts';
import { request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { momentAhead } from '../../past-moment.ts';
import { type Output, printOne } from '../../print/output.ts';
import { nightLines } from '../../print/print-night.ts';
import { notice } from '../../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

interface NightOptions extends Zoned, Output {
  until?: string;
  testAlerts?: boolean;
}

export function addNightCommand(program: Command): void {
  program
    .command('night')
    .option('--until <time>', 'end of the night, e.g. 06:30 (default: the next 07:00 of the host)')
    .option('--test-alerts', 'first send a test to each alert that is on')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ until, testAlerts = false, ...options }: NightOptions) => {
      const query = { until: until === undefined ? undefined : momentAhead(until, options) };
      if (testAlerts) await testEach();
      const night = await request('getNight', { query });
      printOne(night, options, () => nightLines(night, timeIn(options)));
      const problems = night.checks.filter(({ state }) => state === 'problem');
      if (problems.length === 0) return;
      const names = problems.map(({ name }) => name).join(', ');
      throw new CliError(ExitCode.failed, `not ready for the night: ${names}`);
    });
}

async function testEach(): Promise<void> {
  const { alerts } = await request('listAlerts', {});
  for (const { id, name, enabled } of alerts) {
    if (!enabled) continue;
    try {
      const { ok, error } = await request('testAlert', { params: { id } });
      if (!ok) notice(`the test of ${name} failed: ${error ?? 'no answer'}`);
    } catch (error) {
      notice(`the test of ${name} failed: ${messageOf(error)}`);
    }
  }
}
