/** The daemon itself: `start`, `stop`, `status`, `login`, `open`, `doctor`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { readProcess } from '../../lib/process-identity.ts';
import { findDaemon, request } from '../client.ts';
import type { Json } from '../command-parts.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { openPage } from '../open-page.ts';
import { print, printJson } from '../print/print.ts';
import { Progress } from '../print/progress.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';
import { loopLines } from './loop-commands.ts';

const EXIT_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 50;

export function addDaemonCommands(program: Command): void {
  program
    .command('start')
    .description('start the daemon in the foreground')
    .action(async () => (await import('../start-daemon.ts')).runDaemon());

  program.command('stop').description('stop the daemon (sessions keep running)').action(stop);

  program
    .command('status')
    .description('show the daemon, its sessions and loops')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(status);

  program
    .command('login')
    .description('print a one-time login link for the dashboard')
    .action(async () => print((await request('createLoginCode', {})).link));

  program
    .command('open')
    .description('open the dashboard in your browser, logged in')
    .action(openPage);

  program
    .command('doctor')
    .description('check that this machine has what a loop needs')
    .option('--json', 'output as JSON')
    .action(async (options: Json) => (await import('./run-doctor.ts')).runDoctor(options));
}

async function status({ json, utc }: Zoned & Json): Promise<void> {
  const status = await request('status', {});
  const { sessions } = await request('listSessions', {});
  const { loops } = await request('listAuto', {});
  if (json === true) {
    printJson({ status, sessions, loops });
    return;
  }
  const time = timeIn({ utc });
  const missing = status.preflight.filter(({ ok }) => !ok);
  print([
    `loopwatch ${status.version}, pid ${status.pid}, since ${time(status.started_at)}`,
    sessions.length === 0
      ? 'no sessions'
      : `sessions: ${sessions.map(({ name }) => name).join(', ')}`,
    ...(loops.length === 0 ? ['no loops'] : loops.flatMap((loop) => loopLines(loop, time))),
    ...missing.map(({ detail, fix }) => `missing: ${detail} ${fix ?? ''}`),
  ]);
}

async function stop(): Promise<void> {
  // The file may be left over and its pid reused: only the process that answers is ended.
  const { pid } = await request('status', {});
  using progress = new Progress();
  progress.show(`waiting for the daemon (pid ${pid}) to stop`);
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < EXIT_WITHIN_MS; waited += POLL_EVERY_MS) {
    if (readProcess(pid) === null && findDaemon() === null) {
      progress.end();
      print('daemon stopped; sessions and agents keep running');
      return;
    }
    await sleep(POLL_EVERY_MS);
  }
  throw new CliError(
    ExitCode.failed,
    `the daemon (pid ${pid}) did not stop within 10 s; check its log, then try again`,
  );
}
