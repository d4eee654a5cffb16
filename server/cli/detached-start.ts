/** `loopwatch start --detach`: a daemon in the background; returns once it answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainText } from '../../shared/rules/text/plain-text.ts';
import { openHome } from '../db/home.ts';
import { type Config, readConfig } from '../lib/config/config.ts';
import { withUserUmask } from '../lib/files/user-umask.ts';
import { logFile } from '../lib/log.ts';
import { findDaemon, request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { ownCommand } from './own-command.ts';
import { print } from './print/print.ts';
import { startError } from './start-daemon.ts';
import { Progress } from './print/progress.ts';

/** In the directory of the log: what the daemon of the last such start printed. */
const OUTPUT_FILE = 'start.log';
const POLL_EVERY_MS = 50;
/** A daemon that repairs or upgrades a large database may need long. */
const START_LIMIT_MS = 120_000;
/** Lines of its output that are shown when it does not start. */
const SHOWN_LINES = 10;

export async function startDetached(): Promise<void> {
  const config = readConfig();
  const output = outputFile(config);
  const running = findDaemon(config);
  if (running !== null && (await answers())) throw alreadyRunning(running);
  const child = spawnDaemon(output);
  using progress = new Progress();
  progress.show('waiting for the daemon to answer');
  const link = await linkFrom(child, config, output).catch((error: unknown) => {
    // A start that fails leaves no daemon behind.
    child.kill();
    throw error;
  });
  progress.end();
  print([
    `loopwatch is running in the background (pid ${child.pid ?? 0})`,
    `log in: ${link}`,
    `log: ${logFile(config.home)}`,
    `stop it with: ${ownCommand('stop')}`,
  ]);
}

async function linkFrom(child: ChildProcess, config: Readonly<Config>, output: string) {
  await answered(child, config, output);
  return (await request('createLoginCode', {})).link;
}

function alreadyRunning({ pid, url }: { pid: number; url: string }): CliError {
  const message = `the daemon is already running (pid ${pid}, ${url}); get a login link with: ${ownCommand('login')}`;
  return new CliError(ExitCode.alreadyRunning, message);
}

/**
 * A file, not a pipe: what a crash prints is kept. A home that cannot be used is refused as by
 * `start` without --detach.
 */
function outputFile(config: Readonly<Config>): string {
  const directory = join(config.home, 'log');
  try {
    openHome(config.home);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw startError(error, config);
  }
  return join(directory, OUTPUT_FILE);
}

/** In a session of its own: closing this terminal does not end it. */
function spawnDaemon(output: string): ChildProcess {
  const file = openSync(output, 'w', 0o600);
  try {
    const words = [...process.execArgv, process.argv[1] ?? '', 'start'];
    return withUserUmask(() =>
      spawn(process.execPath, words, { detached: true, stdio: ['ignore', file, file] }),
    );
  } finally {
    closeSync(file);
  }
}

/** Resolves once this child answers; throws a CliError with its output when it ended or hangs. */
async function answered(
  child: ChildProcess,
  config: Readonly<Config>,
  output: string,
): Promise<void> {
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  for (let waitedMs = 0; ; waitedMs += POLL_EVERY_MS) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new CliError(child.exitCode ?? ExitCode.failed, endOf(output));
    }
    if (findDaemon(config)?.pid === child.pid && (await answers())) break;
    if (waitedMs >= START_LIMIT_MS) {
      const message = `the daemon did not answer within ${START_LIMIT_MS / 1_000} s and was stopped; see ${logFile(config.home)}`;
      throw new CliError(ExitCode.failed, message);
    }
    await Promise.race([sleep(POLL_EVERY_MS), failed]);
  }
  child.unref();
}

async function answers(): Promise<boolean> {
  return request('health', {}).then(
    () => true,
    () => false,
  );
}

/** The message for a daemon that ended: the end of what it printed. */
function endOf(output: string): string {
  const lines = plainText(readFileSync(output, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES);
  return `the daemon did not start:\n${lines.map((line) => `  ${line}`).join('\n')}\nsee ${output}`;
}
