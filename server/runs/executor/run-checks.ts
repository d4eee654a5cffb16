/** What the host runs to check the work of a run, and what the result means to the machine. */
import type { RunCheck } from '../../../shared/schema/runs/run.ts';
import { runChecks } from '../../checks/host-check.ts';
import { plannedChecks } from '../../checks/planned-checks.ts';
import { toIso } from '../../lib/clock.ts';
import { changedFiles } from '../../worktrees/reading/changed-files.ts';
import { failureSignature } from '../machine/failure-signature.ts';
import type { MachineInput } from '../machine/run-state.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { ownWorktree, workDirectory } from './work-place.ts';

/** Carried by the processes of a run's checks. */
export function checkMark(id: string): string {
  return `run-${id}-check`;
}

/** Each check is announced before it runs. Null when it was aborted. */
export async function checkRun(
  options: EffectOptions,
  signal: AbortSignal,
): Promise<MachineInput | null> {
  const { log, checks: store, worktrees, record, clock, environment, testTimeoutMs } = options;
  const { id, request, state } = record();
  const { iteration } = state;
  const directory = workDirectory(options);
  const own = ownWorktree(options);
  // The commit of exactly the current content; null without git.
  const commit = own === null ? null : (await worktrees.snapshot(own)).commit;
  const { test_commands: tests = null, gates } = request.options;
  const checks = plannedChecks({ tests, gates }, directory);
  const at = toIso(clock.now());
  const planned = log.write((append) => {
    const rows = checks.map(({ type, name, command }) => ({
      type,
      name,
      command: typeof command === 'string' ? command : command.join(' '),
      commit,
      at,
    }));
    const stored = store.plan(id, iteration, rows);
    for (const check of stored) append(checkEvent(id, check));
    return stored;
  });
  const context = {
    directory,
    checkout: own === null || commit === null ? null : async () => worktrees.checkout(own, commit),
    mark: checkMark(id),
    environment,
    clock,
    timeoutMs: testTimeoutMs,
    finished: (index: number, result: Parameters<typeof store.finish>[1]) => {
      const check = planned[index];
      if (check === undefined) return;
      log.write((append) => {
        store.finish(check.id, result);
        append(checkEvent(id, { ...check, ...result }));
      });
    },
  };
  const verdict = await runChecks(checks, context, signal);
  if (verdict === null) return null;
  const changed = await hasChanged(options, commit);
  const changes = await changesSoFar(options, commit);
  const signature = signatureOf(options, verdict);
  return { kind: 'checked', commit, changed, changes, signature, ...verdict };
}

/** Whether the work differs from that of the round before, or from where its branch began. */
async function hasChanged(options: EffectOptions, commit: string | null): Promise<boolean> {
  const own = ownWorktree(options);
  const before = options.record().state.rounds.at(-1)?.commit ?? own?.baseCommit ?? null;
  if (own === null || commit === null || before === null) return true;
  if (before === commit) return false;
  const { files } = await options.worktrees.diffBetween(own, before, commit);
  return files.length > 0;
}

/** Of everything since its branch began, one line for each file; null without git. */
async function changesSoFar(options: EffectOptions, commit: string | null): Promise<string | null> {
  const own = ownWorktree(options);
  if (own === null || commit === null) return null;
  return changedFiles(await options.worktrees.diffBetween(own, own.baseCommit, commit));
}

function signatureOf(
  { checks, record }: EffectOptions,
  { outcome }: { outcome: 'passed' | 'none' | 'tests_failed' | 'gate_failed' },
): string {
  if (outcome === 'passed' || outcome === 'none') return '';
  const { id, state } = record();
  const failed = checks.of(id, state.iteration).find(({ status }) => status === 'failed');
  const { name = '', exit_code = null, output = '' } = failed ?? {};
  return failureSignature({ checks: outcome, name, exit_code, output });
}

function checkEvent(run: string, check: RunCheck) {
  const { id, iteration, type, name, status, exit_code, duration_ms, commit } = check;
  const data = { run, id, iteration, type, name, status, exit_code, duration_ms, commit };
  return { type: 'run.check' as const, data };
}
