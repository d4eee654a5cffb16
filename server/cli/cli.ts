/**
 * The command line: which words there are, and how each ends. What is needed by one command alone and
 * is slow to load (the daemon, the database, the checks) is imported when that command runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { messageOf } from '../lib/app-error.ts';
import { readProcess } from '../lib/process-identity.ts';
import { addAlertsCommands } from './commands/alerts-command.ts';
import { addAttentionCommands } from './commands/attention-command.ts';
import { addAttachCommand } from './commands/attach-command.ts';
import { addAutoCommands, loopLines } from './commands/auto-commands.ts';
import { addBackupCommands } from './commands/backup-command.ts';
import { addClassifyCommand } from './commands/classify-command.ts';
import { findDaemon, request } from './client.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { CliError, ExitCode, exitCodeOf } from './exit-code.ts';
import { addInputCommand, addInterruptCommand } from './commands/input-command.ts';
import { addPeopleCommands } from './commands/people-command.ts';
import { addRecordCommand } from './commands/record-command.ts';
import { addScreenCommand } from './commands/screen-command.ts';
import { addPromptCommands } from './tasks/prompt-commands.ts';
import { addTaskCommands } from './tasks/task-commands.ts';
import { addServiceCommand } from './service/service-command.ts';
import { addWatchCommand } from './commands/watch-command.ts';
import { addWhyCommands } from './commands/why-commands.ts';
import { notice, noticeRaw, print, printJson, printRaw } from './print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from './print/time-text.ts';

const GONE_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 50;

/** Takes the words after the program's name; gives the exit code. Never throws. */
export async function runCli(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    notice(messageOf(error));
    return exitCodeOf(error);
  }
}

/** Every command with its words; runs none. */
export function createProgram(): Command {
  const program = new Command('loopwatch')
    .description('Supervise autonomous coding agents')
    .configureOutput({ writeOut: printRaw, writeErr: noticeRaw })
    .exitOverride();

  program
    .command('start')
    .description('start the daemon in the foreground')
    .action(async () => (await import('./start-daemon.ts')).runDaemon());

  program.command('stop').description('stop the daemon (sessions keep running)').action(stopDaemon);

  program
    .command('status')
    .description('show the daemon, its sessions and loops')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ json, utc }: Zoned & { json?: boolean }) => {
      const status = await request('status', {});
      const { sessions } = await request('listSessions', {});
      const { loops } = await request('listAuto', {});
      if (json === true) return printJson({ status, sessions, loops });
      const time = timeIn({ utc });
      const missing = status.preflight.filter(({ ok }) => !ok);
      const lines = [
        `loopwatch ${status.version}, pid ${status.pid}, since ${time(status.started_at)}`,
        `${sessions.length} sessions: ${sessions.map(({ name }) => name).join(', ') || 'none'}`,
        ...(loops.length === 0 ? ['no loops'] : loops.flatMap((loop) => loopLines(loop, time))),
        ...missing.map(({ detail, fix }) => `missing: ${detail} ${fix ?? ''}`),
      ];
      print(lines.join('\n'));
    });

  program
    .command('login')
    .description('print a new one-time login link for the dashboard')
    .action(async () => print((await request('createLoginCode', {})).link));

  addAutoCommands(program);
  addTaskCommands(program);
  addPromptCommands(program);
  addWhyCommands(program);
  addInputCommand(program);
  addInterruptCommand(program);
  addAttentionCommands(program);
  addAlertsCommands(program);
  addPeopleCommands(program);
  addWatchCommand(program);
  addScreenCommand(program);
  addAttachCommand(program);
  addRecordCommand(program);
  addDemoCommand(program);
  addClassifyCommand(program);
  program
    .command('doctor')
    .description('check that this machine has what a loop needs')
    .option('--json', 'output as JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./commands/doctor.ts')).runDoctor(options),
    );
  addBackupCommands(program);
  addServiceCommand(program);
  return program;
}

/** Throws a CliError when no daemon runs or it does not end. */
async function stopDaemon(): Promise<void> {
  // The file may be left over and its pid somebody else's: only who answers is ended.
  const { pid } = await request('status', {});
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < GONE_WITHIN_MS; waited += POLL_EVERY_MS) {
    if (readProcess(pid) === null && findDaemon() === null) {
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
