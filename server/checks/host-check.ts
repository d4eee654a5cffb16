/**
 * What the host runs itself to verify that work is done: tests where the work is, and gates in a
 * clean checkout of the exact commit. Exit codes decide; what cannot be run has failed. For any
 * owner.
 */
import { TURN_VARIABLE } from '../agents/headless/turn-processes.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { hasNoTests } from '../projects/project-type.ts';
import { type HostCommandResult, runHostCommand } from './host-command.ts';

/** A program with its arguments, or a line for `/bin/sh`. */
export type CheckCommand = readonly string[] | string;

export interface Check {
  type: 'regression' | 'gate';
  name: string;
  command: CheckCommand;
}

export interface CheckResult {
  status: 'passed' | 'failed' | 'skipped';
  exit_code: number | null;
  output: string;
  duration_ms: number;
}

export interface CheckVerdict {
  /** The first that failed decides; `none`: nothing ran, so nothing is proven. */
  outcome: 'passed' | 'none' | 'tests_failed' | 'gate_failed';
  /** The name of what failed and the end of its output; '' otherwise. */
  detail: string;
}

export interface CheckContext {
  /** The directory of the work; tests run there. */
  directory: string;
  /** A clean checkout of the commit, where gates run; null when there is no commit. */
  checkout: (() => Promise<{ path: string; dispose: () => Promise<void> }>) | null;
  /** Carried by all processes of the checks in their environment, to end with them. */
  mark: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  /** For each command. */
  timeoutMs: number;
  /** Called when one check is over, to store it. */
  finished: (index: number, result: CheckResult) => void;
}

/** Runs tests, then gates, one after another. Null when `signal` ended it early. */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  signal: AbortSignal,
): Promise<CheckVerdict | null> {
  const done: { check: Check; result: CheckResult }[] = [];
  const finish = (index: number, check: Check, result: CheckResult) => {
    context.finished(index, result);
    done.push({ check, result });
  };
  const runAll = async (type: Check['type'], directory: string) => {
    for (const [index, check] of checks.entries()) {
      if (check.type !== type || signal.aborted) continue;
      finish(index, check, await run(check.command, directory, context, signal));
    }
  };
  await runAll('regression', context.directory);
  const hasGates = checks.some(({ type }) => type === 'gate');
  if (hasGates && !signal.aborted) {
    const checkout = await openCheckout(context);
    if ('refused' in checkout) {
      const output = checkout.refused;
      for (const [index, check] of checks.entries()) {
        if (check.type !== 'gate') continue;
        finish(index, check, { status: 'failed', exit_code: null, output, duration_ms: 0 });
      }
    } else {
      try {
        await runAll('gate', checkout.path);
      } finally {
        await checkout.dispose();
      }
    }
  }
  return signal.aborted ? null : verdictOf(done);
}

async function openCheckout({ checkout }: CheckContext) {
  if (checkout === null) return { refused: 'no commit to check out' };
  return checkout().catch((error: unknown) => ({ refused: messageOf(error) }));
}

async function run(
  command: CheckCommand,
  directory: string,
  { environment, clock, timeoutMs, mark }: CheckContext,
  signal: AbortSignal,
): Promise<CheckResult> {
  const marker = { name: TURN_VARIABLE, value: mark };
  const bounds = { directory, environment, clock, timeoutMs, signal, marker };
  const result = await runHostCommand(command, bounds);
  const { exit_code, output, duration_ms } = result;
  return { status: statusOf(result, command), exit_code, output, duration_ms };
}

function verdictOf(done: readonly { check: Check; result: CheckResult }[]): CheckVerdict {
  const failed = done.find(({ result }) => result.status === 'failed');
  if (failed !== undefined) {
    const { check, result } = failed;
    const outcome = check.type === 'gate' ? 'gate_failed' : 'tests_failed';
    return { outcome, detail: `${check.name}: ${endOf(result)}` };
  }
  const ran = done.some(({ result }) => result.status !== 'skipped');
  return { outcome: ran ? 'passed' : 'none', detail: '' };
}

function statusOf({ status, exit_code }: HostCommandResult, command: CheckCommand) {
  return hasNoTests(command, exit_code) ? 'skipped' : status;
}

function endOf({ exit_code, output }: CheckResult): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return `${exit_code === null ? 'did not exit' : `exit code ${exit_code}`}. ${last}`.trim();
}
