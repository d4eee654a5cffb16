/** What a project wants for its worktrees, done in one of them; once, until it is created again. */
import { existsSync } from 'node:fs';
import { tail } from '../../../shared/rules/text/plain-text.ts';
import type { ProjectSetup } from '../../../shared/schema/tasks/project-setup.ts';
import type { WorktreeAction } from '../../../shared/schema/tasks/project.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import { type BoundedRun, endText, runBounded } from '../../lib/processes/run-bounded.ts';
import { type Checkout, makeCheckout } from '../git/checkouts.ts';
import { addIgnored } from '../git/ignored-files.ts';
import { worktreeEvent } from '../worktree-event.ts';
import type { WorktreeRecord } from '../worktree-store.ts';
import type { WorktreeTools } from '../worktree-tools.ts';

/** How the command of a setup runs. */
export interface SetupRun {
  signal: AbortSignal;
  /** Carried by everything it starts, which ends with it. */
  mark: string;
}

const MINUTE_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
/** Of a failed command, in its error. */
const MAX_CAUSE = 600;
/** A removal does not wait longer. */
const TEARDOWN_MS = 60_000;

/**
 * Does what is left of the setup. False when `signal` ended it. Throws `worktree_failed` with what
 * to do, or `git_failed`; it is then tried again the next time.
 */
export async function setUpWorktree(
  tools: WorktreeTools,
  record: WorktreeRecord,
  task: string,
  run: SetupRun,
): Promise<boolean> {
  const { git, store, log, clock } = tools;
  if (record.setUpAt !== null) return true;
  const setup = requireOn(tools.setupOf(record.repository));
  if (setup === null) return true;
  const { owner, path, branch } = record;
  const began = clock.monotonic();
  const fact = (action: WorktreeAction, detail: string) =>
    worktreeEvent(owner, task, { action, path, branch, backup_ref: null, detail });
  try {
    await addIgnored(await git.at(path), setup);
    if (setup.setup !== null) {
      const { setup: line } = setup;
      const timeoutMs = setup.minutes * MINUTE_MS;
      log.write((append) => append(fact('setup_started', line)));
      const done = await runIn(tools, path, line, timeoutMs, run);
      if (done.end === 'aborted') return false;
      if (done.exit_code !== 0) throw failed(line, causeOf(done, timeoutMs));
    }
  } catch (error) {
    log.write((append) => append(fact('setup_failed', messageOf(error))));
    throw error;
  }
  const seconds = Math.round((clock.monotonic() - began) / 1000);
  log.write((append) => {
    store.setSetUpAt(record.id, toIso(clock.now()));
    append(fact('set_up', `${seconds} s`));
  });
  return true;
}

/**
 * A clean checkout with the files and folders of a setup, without its command. Throws `git_failed`
 * or `worktree_failed`.
 */
export async function setUpCheckout(
  { git, scratch, setupOf }: WorktreeTools,
  { repository }: Pick<WorktreeRecord, 'repository'>,
  commit: string,
): Promise<Checkout> {
  const setup = requireOn(setupOf(repository));
  const checkout = await makeCheckout(await git.at(repository), commit, scratch);
  try {
    if (setup !== null) await addIgnored(await git.at(checkout.path), setup);
  } catch (error) {
    await checkout.dispose();
    throw error;
  }
  return checkout;
}

/** Runs the project’s command before a removal. Returns what it did, in sentences. Never throws. */
export async function tearDown(
  tools: WorktreeTools,
  { id, repository, path }: Pick<WorktreeRecord, 'id' | 'repository' | 'path'>,
): Promise<string[]> {
  const setup = tools.setupOf(repository);
  if (setup?.is_on !== true || setup.teardown === null || !existsSync(path)) return [];
  const line = setup.teardown;
  const run = { signal: new AbortController().signal, mark: id };
  const done = await runIn(tools, path, line, TEARDOWN_MS, run);
  if (done.exit_code === 0) return [`Ran “${line}” in ${path}.`];
  return [`“${line}” failed in ${path}, which was removed anyway: ${causeOf(done, TEARDOWN_MS)}.`];
}

/** A setup from a backup runs nothing until a person sets it again. */
function requireOn(setup: ProjectSetup | null): ProjectSetup | null {
  if (setup === null || setup.is_on) return setup;
  const next = `check it with “loopwatch project show ${setup.project}”, then set it again`;
  throw new AppError(
    'worktree_failed',
    `the setup of ${setup.project} came from a backup, so it is off; ${next}`,
  );
}

async function runIn(
  { clock, environment, markName: name }: WorktreeTools,
  directory: string,
  line: string,
  timeoutMs: number,
  { signal, mark: value }: SetupRun,
): Promise<BoundedRun> {
  const bounds = { directory, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES, signal };
  return runBounded(line, { ...bounds, clock, environment, marker: { name, value } });
}

function failed(line: string, cause: string): AppError {
  const next = 'fix it, then recover the task or resume the run';
  return new AppError('worktree_failed', `the setup “${line}” failed: ${cause}; ${next}`);
}

function causeOf(run: BoundedRun, timeoutMs: number): string {
  const how = endText(run, timeoutMs) || `exit code ${String(run.exit_code)}`;
  const last = run.output.trimEnd().split('\n').slice(-3).join(' · ');
  return tail(last === '' ? how : `${how}: ${last}`, MAX_CAUSE);
}
