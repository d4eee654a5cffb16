/** `loopwatch step lock` and `stop`: one agent at a time, and asking it to end. */
import type { Command } from 'commander';
import { type ProcessIdentity, readProcess } from '../../lib/processes/process-identity.ts';
import { systemProcesses } from '../../lib/processes/processes.ts';
import { excludeTransientFiles } from '../../modules/module-git.ts';
import { acquireLock, callingAgent, readLock, releaseLock } from '../../modules/module-lock.ts';
import { clearStopRequest, writeStopRequest } from '../../modules/stop-request.ts';
import { writeTaskModule } from '../../modules/task-module.ts';
import { usage } from '../command-parts.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { printOne } from '../print/output.ts';
import {
  callerEnvironment,
  currentRun,
  existing,
  type InModule,
  inModule,
  now,
  requireModule,
} from './in-module.ts';

interface LockOptions extends InModule {
  release?: boolean;
  pid?: number;
}

interface StopOptions extends InModule {
  cancel?: boolean;
  clear?: boolean;
}

export function addLockCommands(step: Command): void {
  inModule(step, 'lock')
    .description('take the task directory for the agent that calls, or give it back')
    .option('--release', 'give it back; ends a stop request too, unless a daemon supervises')
    .option('--pid <pid>', 'the process that holds it (default: the agent that calls)', parsePid)
    .action(lock);

  inModule(step, 'stop')
    .description('ask the loop of a task directory to stop after its current step')
    .option('--cancel', 'cancel the task as well, also when no loop runs')
    .option('--clear', 'cancel an earlier request')
    .action(stop);
}

async function lock(options: LockOptions): Promise<void> {
  const directory = existing(options.dir);
  const holder = await holderOf(options.pid);
  const isReleased = options.release === true;
  const outcome = isReleased ? giveBack(directory, holder) : await take(directory, holder);
  const text = `${outcome.replaceAll('_', ' ')} for process ${holder.pid}`;
  printOne({ lock: outcome, pid: holder.pid }, options, () => text);
}

async function take(directory: string, holder: ProcessIdentity): Promise<string> {
  const outcome = acquireLock(directory, { ...holder, run: currentRun(), since: now() });
  if (outcome === 'refused') throw lockedBy(directory);
  await excludeTransientFiles(directory, callerEnvironment());
  return outcome;
}

/** The stop request that the loop has followed goes too; with a daemon it is the daemon's. */
function giveBack(directory: string, holder: ProcessIdentity): string {
  if (!releaseLock(directory, holder)) throw lockedBy(directory);
  if (currentRun() === null) clearStopRequest(directory);
  return 'released';
}

function stop(options: StopOptions): void {
  const { dir, cancel, clear } = options;
  const directory = existing(dir);
  if (clear === true && cancel === true) throw usage('--clear and --cancel exclude each other');
  const done = clear === true ? clearStop(directory) : requestStop(directory, cancel === true);
  printOne(done.facts, options, () => done.lines);
}

function clearStop(directory: string) {
  clearStopRequest(directory);
  return { facts: { stop: null }, lines: ['no stop is requested any more'] };
}

/** Throws a CliError when no loop runs here, or one that a daemon supervises. */
function requestStop(directory: string, isCancelled: boolean) {
  const held = readLock(directory);
  const holder = held.kind === 'held' && held.isAlive ? held.by : null;
  if (holder === null && !isCancelled) {
    throw new CliError(ExitCode.notFound, `no loop runs in ${directory}; there is nothing to stop`);
  }
  if (holder !== null && holder.run !== null) {
    const next = `loopwatch loop lookup ${directory} names its session, loopwatch loop stop SESSION stops it`;
    throw new CliError(ExitCode.failed, `a daemon supervises this loop; ${next}`);
  }
  const at = now();
  if (isCancelled) {
    writeTaskModule(directory, { ...requireModule(directory), status: 'cancelled', phase: '' }, at);
  }
  if (holder !== null) writeStopRequest(directory, 'user_stop', at);
  return {
    facts: { stop: holder === null ? null : { reason: 'user_stop', timestamp: at } },
    lines: [
      ...(holder === null ? [] : ['the loop stops after its current step']),
      ...(isCancelled ? ['the task is cancelled'] : []),
    ],
  };
}

function parsePid(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a process id`);
}

/** Throws a CliError when the holder is named wrongly, or cannot be found. */
async function holderOf(pid: number | undefined): Promise<ProcessIdentity> {
  const found =
    pid === undefined ? callingAgent(await systemProcesses.list(), process.pid) : readProcess(pid);
  if (found !== null) return { pid: found.pid, startedAt: found.startedAt };
  throw pid === undefined
    ? usage('no agent calls this command; name the process that holds the lock with --pid')
    : new CliError(ExitCode.notFound, `no process ${pid} runs`);
}

function lockedBy(directory: string): CliError {
  const found = readLock(directory);
  if (found.kind === 'held' && found.isAlive) {
    const { pid, since } = found.by;
    const next = `wait until it ends, or ask it to: loopwatch step stop --dir ${directory}`;
    return new CliError(ExitCode.failed, `process ${pid} works here since ${since}; ${next}`);
  }
  const next = found.kind === 'foreign' ? 'remove it, then try again' : 'try again in a minute';
  return new CliError(ExitCode.failed, `${directory}/.lock is in the way; ${next}`);
}
