/** `loopwatch run start|resume|follow`: begins a run, and shows it until it ends. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import { DEFAULT_FIX_ROUNDS, DEFAULT_RUN_MINUTES } from '../../../shared/rules/work/run-limits.ts';
import { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import { request } from '../client.ts';
import {
  choices,
  collect,
  type Json,
  parseCost,
  textArgument,
  usage,
  wholeNumber,
} from '../command-parts.ts';
import { parseCursor } from '../../../shared/schema/events/cursor.ts';
import { notice, print, printJson } from '../print/print.ts';
import { UTC_OPTION, type Zoned } from '../print/time-text.ts';
import { findRunId } from './find-run-id.ts';
import { cursorNow, isOver } from './follow-run.ts';
import { runBody, type StartOptions } from './parse-run-options.ts';
import { limitsText } from './print-run.ts';
import { RunError, RunExit } from './run-exit.ts';

interface Detach extends Json, Zoned {
  detach?: boolean;
}

interface ResumeOptions extends Detach {
  force?: boolean;
  fromPhase?: WorkPhase;
  addMinutes?: number;
  addCost?: number;
  addTokens?: number;
}

const minutes = wholeNumber(1, 100_000);
const tokens = wholeNumber(1, 1_000_000_000);

export function addStartCommands(run: Command): void {
  addStart(run);
  addResume(run);

  run
    .command('follow')
    .description('follow a run until it ends; exits with 0 done, 1 failed or stopped')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--after <cursor>', 'begin after a seq or epoch:seq; 0 = all that is kept', cursor)
    .option('--json', 'output its events as JSON, one per line')
    .addOption(UTC_OPTION)
    .action(async (given: string, { json, utc, after }: Json & Zoned & { after?: string }) => {
      const id = findRunId(given);
      const now = await cursorNow();
      const found = await request('getRun', { params: { id } });
      const { endRun, watchRun } = await import('./watch-run.ts');
      if (isOver(found) && after === undefined) return endRun(found, json === true);
      await watchRun(id, { after: after ?? now, json: json === true, utc });
    });
}

function addStart(run: Command): void {
  run
    .command('start')
    .description('start a run and follow it until it ends (also: loopwatch run "PROMPT")')
    .argument('<prompt>', 'what to do (- reads stdin, @FILE reads a file)')
    .option('--cwd <dir>', 'repository or directory (default: this directory)')
    .option('--model <name>', 'model of all phases')
    .option('--phase-model <phase=model>', 'model of one phase (repeatable)', collect, [])
    .addOption(
      choices(
        new Option('--permission-mode <mode>', "the client's permission mode to execute and fix"),
        PermissionMode.options,
      ),
    )
    .option('--review-plan', 'wait until you accept the plan')
    .option(
      '--max-fix <n>',
      `maximum fix rounds (default: ${DEFAULT_FIX_ROUNDS})`,
      wholeNumber(0, 100),
    )
    .option(
      '--max-minutes <n>',
      `maximum minutes of work (default: ${DEFAULT_RUN_MINUTES})`,
      minutes,
    )
    .option('--max-cost <usd>', 'maximum cost in US dollars', parseCost)
    .option('--max-tokens <n>', 'maximum output tokens', tokens)
    .option('--test <command>', 'test command (repeatable; default: detected)', again)
    .option('--no-tests', "do not run the project's tests")
    .option('--gate <name=command>', 'command that must exit with 0 (repeatable)', collect, [])
    .option('--branch <name>', 'branch to work on (default: run/ID)')
    .option('--base <name>', 'base of the branch (default: what is checked out)')
    .option(
      '--merge-into <branch>',
      'once complete, merge into it if the checks pass on the result',
    )
    .option('--no-worktree', 'work in the directory itself, without a worktree')
    .option('--detach', 'only start it, and print its id')
    .option('--json', 'output its events as JSON, one per line; with --detach, the run')
    .addOption(UTC_OPTION)
    .action(async (prompt: string, { json, utc, detach, ...options }: StartOptions & Detach) => {
      const body = runBody(textArgument(prompt), options, process.cwd());
      requireDirectory(body.cwd ?? process.cwd());
      const after = await cursorNow();
      const begun = await request('startRun', { body });
      if (detach === true) return begunAlone(begun, json === true);
      const { watchRun } = await import('./watch-run.ts');
      await watchRun(begun.id, { after, json: json === true, utc });
    });
}

function addResume(run: Command): void {
  run
    .command('resume')
    .description('resume a run that failed, was stopped or was stored elsewhere')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--force', 'resume it even if it was last saved more than 24 hours ago')
    .addOption(choices(new Option('--from-phase <phase>', 'begin with this phase'), WORK_PHASES))
    .option('--add-minutes <n>', 'additional minutes of work', minutes)
    .option('--add-cost <usd>', 'additional US dollars', parseCost)
    .option('--add-tokens <n>', 'additional output tokens', tokens)
    .option('--detach', 'only resume it')
    .option('--json', 'output its events as JSON, one per line; with --detach, the run')
    .addOption(UTC_OPTION)
    .action(async (given: string, { json, utc, detach, ...options }: ResumeOptions) => {
      const id = findRunId(given);
      const after = await cursorNow();
      const body = {
        force: options.force === true,
        from_phase: options.fromPhase,
        add_minutes: options.addMinutes,
        add_cost_usd: options.addCost,
        add_tokens: options.addTokens,
      };
      const begun = await request('resumeRun', { params: { id }, body });
      if (begun.limits_from === 'default') notice(`limits: ${limitsText(begun)}`);
      if (detach === true) return begunAlone(begun, json === true);
      const { watchRun } = await import('./watch-run.ts');
      await watchRun(id, { after, json: json === true, utc });
    });
}

/** For a script: the id alone, or the whole run. */
function begunAlone(begun: { id: string }, isJson: boolean): void {
  if (isJson) printJson(begun);
  else print(begun.id);
}

/** The daemon runs on the same machine; its roots are its own to check. */
function requireDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const message = `Working directory not found: ${path}; create it, or name another with --cwd`;
  throw new RunError(RunExit.directoryMissing, message);
}

function cursor(text: string): string {
  if (parseCursor(text) !== null) return text;
  throw usage(`"${text}" is neither a seq nor epoch:seq`);
}

function again(value: string, before: readonly string[] | undefined): string[] {
  return collect(value, before ?? []);
}
