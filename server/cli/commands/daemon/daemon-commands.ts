/** The daemon itself: `start`, `stop`, `ping`, `status`, `login`, `open`, `doctor`. */
import type { Command } from 'commander';
import { pid, send } from '../../../control/control-client.ts';
import { readConfig } from '../../../lib/config/config.ts';
import type { Loop } from '../../../../shared/schema/model.ts';
import { notRunning, request } from '../../client.ts';
import type { Json } from '../../command-parts.ts';
import { controlLines, controlState, problemOf } from '../../control-state.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { ownCommand } from '../../own-command.ts';
import { notice, print, printed, printJson } from '../../print/print.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';
import { stopDaemon } from '../../stop-daemon.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomic } from '../../../lib/files/atomic-file.ts';

const PAGE = 'open.html';

export function addDaemonCommands(program: Command): void {
  program
    .command('start')
    .option('-d, --detach', 'return once the daemon answers, and keep it running')
    .action(start);

  program.command('stop').action(stopDaemon);

  program.command('ping').option('--json', 'output as JSON').action(ping);

  program.command('status').option('--json', 'output as JSON').addOption(UTC_OPTION).action(status);

  program.command('login').addOption(UTC_OPTION).action(login);

  program.command('open').action(openPage);

  program
    .command('doctor')
    .option('--json', 'output as JSON')
    .action(async (options: Json) => (await import('./run-doctor.ts')).runDoctor(options));
}

async function start({ detach = false }: { detach?: boolean }): Promise<void> {
  if (detach) await (await import('../../detached-start.ts')).startDetached();
  else await (await import('../../start-daemon.ts')).runDaemon();
}

/** Only the link on standard output, for scripts. */
async function login(zoned: Zoned): Promise<void> {
  const { link, expires_at: until } = await request('createLoginCode', {});
  print(link);
  await printed();
  notice(`this link works once, until ${timeIn(zoned)(until)}`);
}

async function status({ json, utc }: Zoned & Json): Promise<void> {
  const [status, { sessions }, { loops }] = await Promise.all([
    request('status', {}),
    request('listSessions', {}),
    request('listAuto', {}),
  ]);
  const sockets = await controlState(status.home);
  if (json === true) {
    printJson({ status, sessions, loops, ...sockets });
    return;
  }
  const time = timeIn({ utc });
  const missing = status.preflight.filter(({ ok }) => !ok);
  print([
    `loopwatch ${status.version}, pid ${status.pid}, since ${time(status.started_at)}`,
    sessions.length === 0
      ? 'no sessions'
      : `sessions: ${sessions.map(({ name }) => name).join(', ')}`,
    ...(loops.length === 0 ? ['no loops'] : await linesOf(loops, time)),
    ...controlLines(sockets),
    ...missing.map(({ detail, fix }) => `missing: ${detail} ${fix ?? ''}`),
  ]);
}

/** Their words are loaded only when there are loops: that takes longer than asking for them. */
async function linesOf(loops: readonly Loop[], time: TimeText): Promise<string[]> {
  const { loopLines } = await import('../work/loop-commands.ts');
  return loops.flatMap((loop) => loopLines(loop, time));
}

/** Over the control socket. Throws a CliError when no daemon answers there. */
async function ping({ json }: Json): Promise<void> {
  const config = readConfig();
  const result = await send(config.home, 'Ping');
  const daemon = pid(config.home);
  if (!result.ok && result.reason === 'absent' && daemon === null) throw notRunning(config);
  if (!result.ok || result.reply !== 'Pong') {
    const message = `the daemon does not answer: ${problemOf(result)}; check: loopwatch status`;
    throw new CliError(ExitCode.failed, message);
  }
  if (json === true) printJson({ reply: result.reply, pid: daemon });
  else print(`Pong from pid ${daemon ?? 'unknown'}`);
}

/** Throws a CliError when no browser can be started; the link is in its message. */
async function openPage(): Promise<void> {
  const { link } = await request('createLoginCode', {});
  const { home } = readConfig();
  // Arguments of a program can be read by every user of the machine; this file by its owner alone.
  writeFileAtomic(home, PAGE, redirectTo(link));
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const code = await exitCodeOf(opener, pathToFileURL(join(home, PAGE)).href);
  if (code !== 0) {
    throw new CliError(ExitCode.failed, `cannot open a browser with ${opener}; open ${link}`);
  }
  print(`opened in your browser; if no page appears, run: ${ownCommand('login')}`);
}

/** The link is of our own making: an address and a code of hex digits. */
function redirectTo(link: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Loopwatch</title><script>location.replace(${JSON.stringify(link)})</script>\n`;
}

async function exitCodeOf(program: string, argument: string): Promise<number> {
  return new Promise((done) => {
    const child = spawn(program, [argument], { stdio: 'ignore' });
    child.on('error', () => done(-1));
    child.on('close', (code) => done(code ?? -1));
  });
}
