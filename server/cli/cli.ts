/**
 * The command line: which words there are, and how each ends. What is needed by one command alone and
 * is slow to load (the daemon, the database, the checks) is imported when that command runs.
 */
import { Command, CommanderError } from 'commander';
import { messageOf } from '../lib/app-error.ts';
import { addAlertsCommands } from './alerts-command.ts';
import { addAttentionCommands } from './attention-command.ts';
import { addAttachCommand } from './attach-command.ts';
import { addAutoCommands } from './auto-commands.ts';
import { addBackupCommands } from './backup-command.ts';
import { addClassifyCommand } from './classify-command.ts';
import { request } from './client.ts';
import { addDemoCommand } from './demo-command.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import { addInputCommand } from './input-command.ts';
import { addInterruptCommand } from './interrupt-command.ts';
import { loopLines } from './print-loop.ts';
import { addPeopleCommands } from './people-command.ts';
import { addRecordCommand } from './record-command.ts';
import { addScreenCommand } from './screen-command.ts';
import { addPromptCommands } from './tasks/prompt-commands.ts';
import { addTaskCommands } from './tasks/task-commands.ts';
import { addServiceCommand } from './service-command.ts';
import { stopDaemon } from './stop-daemon.ts';
import { addWatchCommand } from './watch-command.ts';
import { addWhyCommands } from './why-commands.ts';
import { notice, noticeRaw, print, printJson, printRaw } from './print.ts';
import { timeIn, UTC_OPTION, type Zoned } from './time-text.ts';

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
    .description('supervises autonomous coding agents')
    .configureOutput({ writeOut: printRaw, writeErr: noticeRaw })
    .exitOverride();

  program
    .command('start')
    .description('run the daemon in the foreground')
    .action(async () => (await import('./start-daemon.ts')).runDaemon());

  program.command('stop').description('end the daemon; sessions go on').action(stopDaemon);

  program
    .command('status')
    .description('the daemon, its sessions and loops at a glance')
    .option('--json', 'as JSON')
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
  addDoctorCommand(program);
  addBackupCommands(program);
  addServiceCommand(program);
  return program;
}
