/** `loopwatch loop why|history|restart`: what happened to a loop, and starting it again. */
import { type Command, Option } from 'commander';
import { MAX_ITERATIONS, MAX_TIMEOUT_MINUTES } from '../../../../shared/rules/loops/loop-limits.ts';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import { LoopPermissions } from '../../../../shared/schema/loops/loop-permissions.ts';
import { SessionName } from '../../../../shared/schema/session-name.ts';
import { connection, RefusedError, request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { choices, wholeNumber } from '../../command-parts.ts';
import { type Why, whyLines } from '../../print/print-why.ts';
import { pastLoopLines } from '../../print/print-loops.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { Progress } from '../../print/progress.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

/** As many as one answer of the daemon holds. */
const ALL_ITEMS = '1000';
const MAX_RUNS = 200;

const iterations = wholeNumber(1, MAX_ITERATIONS);
const minutes = wholeNumber(1, MAX_TIMEOUT_MINUTES);

interface HistoryOptions extends Zoned, Output {
  limit: number;
}

interface RestartOptions extends Output {
  maxIterations?: number;
  timeoutMinutes?: number;
  iterations?: number;
  minutes?: number;
  permissions?: LoopPermissions;
}

export function addHistoryCommands(loop: Command): void {
  loop
    .command('why')
    .description('explain what a loop is doing or why it ended, and what you can do')
    .argument('<session>')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (session: string, options: Zoned & Output) => {
      const why = await readWhy(session);
      printOne(why, options, () => [
        ...whyLines(why, Date.now(), timeIn(options)),
        ...helpLines(why),
      ]);
    });

  loop
    .command('history')
    .description('list past and current loops, newest first, and where the time went')
    .argument('[session]')
    .option('--limit <n>', 'maximum number of loops', wholeNumber(1, MAX_RUNS), 20)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (session: string | undefined, options: HistoryOptions) => {
      if (session !== undefined && !isName(session)) throw unknown(session);
      const query = { limit: String(options.limit), session };
      const { runs } = await request('listPastLoops', { query });
      // Distinguishes a session without loops from one that does not exist.
      const isThere = session === undefined || runs.length > 0 || (await isOpen(session));
      if (!isThere) throw unknown(session);
      printList(runs, options, {
        id: ({ session }) => session,
        lines: (rows) => pastLoopLines(rows, timeIn(options)),
        none: 'no loops in the log',
      });
    });

  loop
    .command('restart')
    .description('restart a failed loop, with the same limits and permissions unless changed')
    .argument('<session>')
    .option('--max-iterations <n>', 'stop after this many iterations', iterations)
    .option('--timeout-minutes <n>', 'stop after this many minutes', minutes)
    .addOption(new Option('--iterations <n>').argParser(iterations).hideHelp())
    .addOption(new Option('--minutes <n>').argParser(minutes).hideHelp())
    .addOption(
      choices(
        new Option('--permissions <what>', 'what the agent may do without asking'),
        LoopPermissions.options,
      ),
    )
    .option('--json', 'output as JSON')
    .action(async (id: string, options: RestartOptions) => {
      // Scripts may use the earlier spelling.
      const body = {
        maxIterations: options.maxIterations ?? options.iterations,
        timeoutMinutes: options.timeoutMinutes ?? options.minutes,
        permissions: options.permissions,
      };
      using progress = new Progress();
      progress.show(`waiting for the agent to start in ${id}`);
      const begun = await request('restartAuto', { params: { id }, body });
      progress.end();
      printOne(begun, options, () => `${id}: ${begun.status} on ${plainText(begun.task_dir)}`);
    });
}

/** The page explains the reason in full. */
function helpLines({ loop, last_run }: Why): string[] {
  const isOver = loop === null || loop.status === 'stopped';
  const reason = isOver ? (last_run?.reason ?? null) : (loop.wait?.reason ?? loop.stop_reason);
  return reason === null
    ? []
    : ['', `About ${reason}: ${new URL(`/help#${reason}`, connection().url).href}`];
}

/** Throws a CliError for a session that never existed. */
export async function readWhy(session: string): Promise<Why> {
  if (!isName(session)) throw unknown(session);
  const id = { params: { id: session } };
  const [loop, terminal, { items }, { runs }] = await Promise.all([
    unlessUnknown(request('getAuto', id)),
    unlessUnknown(request('getSession', id)),
    request('listAttention', { query: { state: 'open', limit: ALL_ITEMS } }),
    request('listPastLoops', { query: { session, limit: '2' } }),
  ]);
  const last_run = runs.find(({ ended_at }) => ended_at !== null) ?? null;
  // The loop that woke a person may have been in a session that is closed by now.
  if (loop === null && last_run === null) throw unknown(session);
  return {
    session,
    loop,
    last_run,
    is_open: terminal !== null,
    agent: terminal?.agent ?? null,
    attention: items.filter((item) => item.session === session),
  };
}

function isName(session: string): boolean {
  return SessionName.safeParse(session).success;
}

async function isOpen(session: string): Promise<boolean> {
  return (await unlessUnknown(request('getSession', { params: { id: session } }))) !== null;
}

async function unlessUnknown<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'session_unknown') return null;
    throw error;
  }
}

function unknown(session: string): CliError {
  const name = JSON.stringify(session);
  const next = 'list loops with: loopwatch loop ls, past ones with: loopwatch loop history';
  return new CliError(ExitCode.notFound, `no loop named ${name}; ${next} (session_unknown)`);
}
