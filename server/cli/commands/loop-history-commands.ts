/** `loopwatch loop why|history|restart`: what happened to a loop, and starting it again. */
import { type Command, Option } from 'commander';
import { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import { SessionName } from '../../../shared/schema/session-name.ts';
import { connection, RefusedError, request } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { parseCount } from '../command-parts.ts';
import { type Why, whyLines } from '../print/print-why.ts';
import { pastLoopLines } from '../print/print-loops.ts';
import { type Output, printList, printOne } from '../print/output.ts';
import { print } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

/** As many as one answer of the daemon holds. */
const ALL_ITEMS = '1000';
const MAX_RUNS = 200;

interface HistoryOptions extends Zoned, Output {
  limit: number;
}

interface RestartOptions {
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
    .option('--limit <n>', 'maximum number of loops', parseCount, 20)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (session: string | undefined, options: HistoryOptions) => {
      if (options.limit < 1 || options.limit > MAX_RUNS) {
        throw new CliError(ExitCode.usage, `--limit must be a whole number from 1 to ${MAX_RUNS}`);
      }
      const query = { limit: String(options.limit), session };
      const { runs } = await request('listPastLoops', { query });
      // Tells a session without loops from one that does not exist.
      if (session !== undefined && runs.length === 0) {
        await request('getSession', { params: { id: session } });
      }
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
    .option('--iterations <n>', 'stop after this many iterations', parseCount)
    .option('--minutes <n>', 'stop after this many minutes', parseCount)
    .addOption(
      new Option('--permissions <what>', 'what the agent may do without asking').choices(
        LoopPermissions.options,
      ),
    )
    .action(async (id: string, { iterations, minutes, permissions }: RestartOptions) => {
      const body = { maxIterations: iterations, timeoutMinutes: minutes, permissions };
      const { status, task_dir } = await request('restartAuto', { params: { id }, body });
      print([`${id}: ${status} on ${task_dir}`]);
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

async function readWhy(session: string): Promise<Why> {
  if (!SessionName.safeParse(session).success) throw unknown(session);
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
  return new CliError(
    ExitCode.notFound,
    `no session named ${name}; list sessions with: loopwatch session ls (session_unknown)`,
  );
}
