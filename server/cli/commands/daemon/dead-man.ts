/** `loopwatch watch --dead-man`: lines, JSON or a command for a daemon that is gone, or back. */
import { systemClock } from '../../../lib/clock.ts';
import { RefusedError, request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { notice, print, printJson } from '../../print/print.ts';
import { timeIn, type TimeText, type Zoned } from '../../print/time-text.ts';
import { runShell } from '../../run-shell.ts';
import { type DaemonNews, watchDaemon } from '../../watch-daemon.ts';

const DEAD_MAN_SECONDS = 60;
/** The least time for a command: one that hangs must not hold up the next report. */
const LEAST_COMMAND_MS = 10_000;

interface DeadManOptions extends Zoned {
  /** Seconds, or true for the default. */
  deadMan?: number | true;
  exec?: string;
  json?: boolean;
}

/** Throws for a token that is refused: such a daemon would never count as gone. */
export async function deadMan(options: DeadManOptions, signal: AbortSignal): Promise<void> {
  const { deadMan: given, exec, json } = options;
  const seconds = typeof given === 'number' ? given : DEAD_MAN_SECONDS;
  const goneAfterMs = seconds * 1_000;
  const time = timeIn(options);
  const report = (news: DaemonNews) => {
    if (json === true) printJson(news);
    else print(`${time(news.at)}  ${daemonText(news, time)}`);
  };
  const deliver = async (news: DaemonNews) => {
    if (exec === undefined) return true;
    const limits = { timeoutMs: Math.max(goneAfterMs, LEAST_COMMAND_MS), signal };
    const code = await runShell(exec, { LOOPWATCH_DAEMON: news.state }, news, limits);
    if (code !== 0) notice(`the command exited with ${code}; it runs again`);
    return code === 0;
  };
  await watchDaemon({ ask, report, deliver, goneAfterMs, clock: systemClock }, signal);
}

async function ask(signal: AbortSignal): Promise<string | null> {
  try {
    await request('status', {}, signal);
    return null;
  } catch (error) {
    const isRefused = error instanceof RefusedError;
    if (!(error instanceof CliError) || (isRefused && error.code === 'unauthorized')) throw error;
    // What can refuse is there, unless it is about to end.
    return isRefused && error.exitCode !== ExitCode.notRunning ? null : error.message;
  }
}

function daemonText({ state, last_answer_at, error }: DaemonNews, time: TimeText) {
  const since = time(last_answer_at);
  if (state === 'back') return `the daemon answers again; the answer before was at ${since}`;
  return `the daemon has not answered since ${since}: ${error ?? ''}`;
}
