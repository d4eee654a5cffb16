/** `loopwatch reserve …`: what is kept of the plan's windows for people. */
import { type Command, Option } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import { RESERVE_HOURS_HINT, readReserveHours } from '../../../../shared/rules/reserve-hours.ts';
import {
  type Reserve,
  type ReserveHours,
  type ReservePolicy,
  UNKNOWN_WINDOW,
} from '../../../../shared/schema/usage/reserve.ts';
import {
  reservePolicyLines,
  reserveStateText,
  reserveWindowText,
} from '../../../../shared/words/usage/reserve-text.ts';
import { request } from '../../client.ts';
import { choices, usage } from '../../command-parts.ts';
import { type Output, printOne } from '../../print/output.ts';

const MAX_LINE = 300;

interface SetOptions extends Output {
  line?: ReservePolicy['line'];
  keep?: (ReserveHours | null)[];
  zone?: string;
  unknown?: ReservePolicy['unknown'];
  stale?: number;
  dispatch?: ReservePolicy['line'];
}

export function addReserveCommands(program: Command): void {
  const reserve = program.command('reserve');

  reserve
    .command('show')
    .description('show what is kept, what is used, and what waits')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const now = await request('getReserve', {});
      printOne(now, options, () => reserveLines(now));
    });

  reserve
    .command('set')
    .description('change what is kept; what is not given stays as it is')
    .option(
      '--line <percent>',
      'nothing new from this share of a window, e.g. 90, or 90/95 for the weekly one (default: 95)',
      bothPercents,
    )
    .option(
      '--keep <hours>',
      `${RESERVE_HOURS_HINT}; repeat it, or "none"`,
      (text: string, before?: (ReserveHours | null)[]) => [...(before ?? []), hoursOf(text)],
    )
    .option('--zone <name>', 'time zone of the hours, e.g. Europe/Berlin (default: this machine’s)')
    .addOption(
      choices(
        new Option('--unknown <how>', 'while nothing recent is known of a window'),
        UNKNOWN_WINDOW,
      ),
    )
    .option('--stale <minutes>', 'a reading older than this is too old (default: 30)', minutes)
    .option(
      '--dispatch <percent>',
      'the most that one dispatch is expected to use (default: 2/0.5)',
      bothPercents,
    )
    .option('--json', 'output as JSON')
    .action(async ({ line, keep, zone, unknown, stale, dispatch, ...output }: SetOptions) => {
      const { policy } = await request('getReserve', {});
      const usual = { line: { five_hour: 95, weekly: 95 }, hours: [], zone: hostZone() };
      const hours = keep?.filter((each) => each !== null);
      const body = {
        ...(policy ?? usual),
        ...(line && { line }),
        ...(hours && { hours }),
        ...(zone !== undefined && { zone }),
        ...(unknown && { unknown }),
        ...(stale !== undefined && { stale_minutes: stale }),
        ...(dispatch && { dispatch_percent: dispatch }),
      };
      const now = await request('setReserve', { body });
      printOne(now, output, () => reserveLines(now));
    });

  reserve
    .command('off')
    .description('keep nothing any more; what waits for it continues')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const now = await request('removeReserve', {});
      printOne(now, options, () => reserveLines(now));
    });
}

function reserveLines(now: Reserve): string[] {
  const { policy, windows, hold, holding } = now;
  if (policy === null) return [reserveStateText(now), 'keep some with: loopwatch reserve set'];
  const until = hold?.until == null ? [] : [`Until ${hold.until}`];
  return [
    ...reservePolicyLines(policy),
    ...windows.map(reserveWindowText),
    reserveStateText(now),
    ...until,
    ...(holding.length === 0 ? [] : [`Waiting: ${oneLine(holding.join(', '), MAX_LINE)}`]),
  ];
}

/** `90`, or `90/95` for the 5-hour and the weekly window. */
function bothPercents(text: string): ReservePolicy['line'] {
  const [first = '', second = first, ...more] = text.split('/');
  const [fiveHour, weekly] = [Number(first), Number(second)];
  const isPercent = (value: number, from: string) =>
    from.trim() !== '' && value >= 0 && value <= 100;
  if (more.length === 0 && isPercent(fiveHour, first) && isPercent(weekly, second)) {
    return { five_hour: fiveHour, weekly };
  }
  throw usage(`"${text}" is not a share such as 90 or 90/95`);
}

function hoursOf(text: string): ReserveHours | null {
  if (text === 'none') return null;
  const hours = readReserveHours(text);
  if (hours !== null) return hours;
  throw usage(`"${text}" is not ${RESERVE_HOURS_HINT}`);
}

function minutes(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a number of minutes`);
}

function hostZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
