/** Runs the checks of one loop's task on the host, and reports the result. */
import type { LoopChecked } from '../../../shared/schema/loops/loop-check.ts';
import { messageOf } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { killMarked } from '../../lib/processes/marked-processes.ts';
import { findChecks, namedChecks, runChecks } from '../../modules/project-checks.ts';
import { ownWorktree } from '../../modules/task-module.ts';
import { findGitLocation } from '../../worktrees/git/git-location.ts';
import type { ProjectCheckouts } from '../../worktrees/project-checkouts.ts';
import type { UnstampedInput } from '../machine/loop-input.ts';
import type { LoopState } from '../machine/loop-state.ts';

/** Carried by everything the checks start, to end with them. */
const CHECK_VARIABLE = 'LOOPWATCH_LOOP_CHECK';

/** Kept of each output, from its end, and of the commands, from the first. */
const MAX_OUTPUT = 4_000;
const MAX_COMMANDS = 20;

export interface CheckTools {
  checkouts: ProjectCheckouts;
  /** That of the terminals. */
  environment: NodeJS.ProcessEnv;
  /** For each command. */
  timeoutMs: number;
}

export interface LoopCheckOptions {
  tools: CheckTools;
  /** Check the end of every loop, not only of those whose directory names checks. */
  checksAll: boolean;
  clock: Clock;
  notice: (input: UnstampedInput) => void;
}

export class LoopCheck {
  readonly #options: LoopCheckOptions;
  #running: AbortController | null = null;

  constructor(options: LoopCheckOptions) {
    this.#options = options;
  }

  start(of: LoopState): void {
    this.cancel();
    const running = new AbortController();
    this.#running = running;
    void this.#report(of, running.signal);
  }

  /** Ends what runs, and reports nothing of it. */
  cancel(): void {
    this.#running?.abort();
    this.#running = null;
  }

  async #report(of: LoopState, signal: AbortSignal): Promise<void> {
    const result = await this.#check(of, signal).catch((error: unknown): LoopChecked => {
      return { outcome: 'error', commit: null, checks: [], detail: messageOf(error) };
    });
    if (!signal.aborted) this.#options.notice({ kind: 'checked', result });
  }

  /** Null when the end of this loop is not checked. */
  async #check({ taskDir, runId }: LoopState, signal: AbortSignal): Promise<LoopChecked | null> {
    const { tools, checksAll, clock, notice } = this.#options;
    if (!checksAll && namedChecks(taskDir).length === 0) return null;
    const marker = { name: CHECK_VARIABLE, value: runId };
    // An earlier daemon was killed while it checked.
    killMarked(marker);
    const project = ownWorktree(taskDir) ?? findGitLocation(taskDir)?.top ?? taskDir;
    const checkout = await tools.checkouts.open(project);
    try {
      const directory = checkout?.path ?? project;
      const commands = findChecks(taskDir, directory).slice(0, MAX_COMMANDS);
      const texts = commands.map((command) =>
        typeof command === 'string' ? command : command.join(' '),
      );
      if (!signal.aborted) notice({ kind: 'check_begun', commands: texts });
      const bounds = { directory, clock, signal, marker, ...tools };
      const { outcome, checks } = await runChecks(commands, bounds);
      const kept = checks.map((check) => ({ ...check, output: check.output.slice(-MAX_OUTPUT) }));
      return { outcome, commit: checkout?.commit ?? null, checks: kept, detail: null };
    } finally {
      await checkout?.dispose();
    }
  }
}
