/** Performs the effects of one loop's machine, and reports the outcome to it. */
import { StopFileReason } from '../../../shared/schema/loops/auto-signal.ts';
import type { RecoveryCause } from '../../../shared/schema/loops/auto-events.ts';
import { messageOf } from '../../lib/app-error.ts';
import { toIso } from '../../lib/clock.ts';
import { removeOlderStopFile, writeStopFile } from '../directory/control-files.ts';
import type { Program } from '../../sessions/typing/program.ts';
import type { DirectoryProbe } from '../directory/directory-probe.ts';
import { endRun, interruptAgent } from '../../supervision/terminal/end-agent.ts';
import { isRequested } from '../machine/stopping.ts';
import type { TaskDirStatus, UnstampedInput } from '../machine/loop-input.ts';
import type { LoopEffect, LoopState, Transition } from '../machine/loop-state.ts';
import { measureReport } from './measure-report.ts';
import type { ScreenProbe } from '../../supervision/terminal/screen-probe.ts';
import { LoopCheck } from './loop-check.ts';
import { loopAgent } from './loop-agent.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export interface LoopEffectsOptions extends SupervisorOptions {
  sessionName: string;
  state: () => LoopState | null;
  screen: ScreenProbe;
  directory: DirectoryProbe;
  launch: (tag: string) => void;
  /** For what is observed only once: it is stored, sooner or later. */
  notice: (input: UnstampedInput) => void;
  /** Reads the control files now, if their directory answers. */
  readFiles: () => void;
}

/** Effects that end an agent; they may be performed more than once. */
const ENFORCING: readonly LoopEffect['kind'][] = ['interrupt', 'end_run'];

/** What kept a stop file from being written. */
const STOP_FILE_PROBLEMS: Record<TaskDirStatus, string> = {
  same: 'is not writable',
  gone: 'is missing',
  replaced: 'was replaced',
  unknown: 'does not respond',
};

/**
 * The effects of a stop that are performed although the step could not be stored, perhaps because
 * the agent itself filled the disk; null when the step waits. A person's stop that is not stored
 * was refused; a limit is the daemon's own.
 */
export function enforcing(
  stored: LoopState,
  before: LoopState,
  { state, effects }: Transition,
): LoopEffect[] | null {
  if (state?.status !== 'stopping') return null;
  if (stored.stop === null && state.stop.by !== 'daemon') return null;
  const isStep =
    before.status !== state.status ||
    before.stop.step !== state.stop.step ||
    before.wait.reason !== state.wait.reason;
  const found = effects.filter(({ kind }) => ENFORCING.includes(kind));
  return isStep || found.length > 0 ? found : null;
}

interface Answer {
  cause: RecoveryCause | 'check';
  answer: string;
  /** The screen must still show these lines; none: it answers nothing on the screen. */
  asking: string[];
}

export class LoopEffects {
  readonly #options: LoopEffectsOptions;
  readonly #check: LoopCheck;
  #isEnding = false;

  constructor(options: LoopEffectsOptions) {
    this.#options = options;
    this.#check = new LoopCheck({ ...options, tools: options.check });
  }

  /** Ends the checks; the next daemon runs them again. */
  dispose(): void {
    this.#check.cancel();
  }

  /** `of` is the state the effect follows from. */
  perform(effect: LoopEffect, of: LoopState): void {
    switch (effect.kind) {
      case 'launch':
        return this.#options.launch(effect.tag);
      case 'write_stop_file':
        return void this.#writeStopFile(effect.reason, of);
      case 'check':
        return this.#check.start(of);
      case 'cancel_check':
        return this.#check.cancel();
      case 'measure':
        return void this.#measure(of);
      case 'send_back':
        return void this.#type({ cause: 'check', answer: effect.text, asking: [] });
      case 'interrupt':
        return void interruptAgent(loopAgent(of), this.#options);
      case 'end_run':
        return void this.endRun(of);
      case 'leave_limit_dialog':
        return void this.#leaveLimitDialog();
      case 'type':
        return void this.#type(effect);
    }
  }

  /**
   * Writes the stop file of a requested stop again. Without one, a file from before the loop would
   * end its agent; a later one is a request, which the watch reads. `isForeign`: another daemon began
   * the loop.
   */
  async recoverStopFile(of: LoopState, isForeign: boolean): Promise<void> {
    const { clock, directory } = this.#options;
    const startedMs = Date.parse(of.startedAt);
    // A start removes what is there before anything else: after it, no file is older.
    const mayBeOlder = isForeign || (of.status === 'starting' && of.launchCount === 1);
    // Where the clock was set back, times before and after the start cannot be compared.
    const isComparable = clock.now() >= startedMs;
    if (isRequested(of)) {
      const reason = StopFileReason.safeParse(of.stop?.reason);
      if (reason.success) void this.#writeStopFile(reason.data, of);
    } else if (mayBeOlder && isComparable && (await directory.status()) === 'same') {
      removeOlderStopFile(of, startedMs);
    }
  }

  async #writeStopFile(reason: StopFileReason, of: LoopState): Promise<void> {
    const { clock, directory, notice } = this.#options;
    const status = await directory.status();
    if (status === 'same' && writeStopFile(of, reason, toIso(clock.now()))) return;
    const problem = STOP_FILE_PROBLEMS[status];
    notice({
      kind: 'stop_file_failed',
      detail: `cannot write the stop file: ${of.taskDir} ${problem}`,
    });
  }

  /** A report that follows before the answer is measured on its own. */
  async #measure(of: LoopState): Promise<void> {
    const { check, monitor, transcripts, notice, logger } = this.#options;
    const conversation = monitor.program(of.sessionName)?.program.conversation ?? null;
    const transcript = conversation === null ? null : transcripts.find(conversation);
    try {
      const trace = await measureReport(of, transcript, check.checkouts);
      if (this.#options.state()?.runId === of.runId) notice({ kind: 'measured', trace });
    } catch (error) {
      logger.warn({ err: messageOf(error), session: of.sessionName }, 'cannot measure a report');
    }
  }

  /** Ends all processes of the run; a second call while that is under way does nothing. */
  async endRun(of: LoopState): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { screen, notice, readFiles, logger, sessionName: session } = this.#options;
    const error = await endRun(loopAgent(of), screen.descendants, this.#options);
    this.#isEnding = false;
    if (error !== null) logger.error({ session }, error);
    // The agent's last signal may have come after the last hint.
    readFiles();
    notice({ kind: 'run_ended', error });
  }

  async #leaveLimitDialog(): Promise<void> {
    const { outbox, sessionName, logger } = this.#options;
    const program = this.#program();
    if (program === null) return;
    // Observed again: a dialog that is still open is left again.
    await outbox.leaveLimitDialog(sessionName, program).catch((error: unknown) => {
      logger.warn({ err: error, session: sessionName }, 'the limit dialog could not be left');
    });
  }

  #program(): Program | null {
    const agent = this.#options.state()?.agentProcess ?? null;
    return agent && { pid: agent.pid, startedAt: agent.startedAt, conversation: null };
  }

  async #type({ cause, answer, asking }: Answer): Promise<void> {
    const { outbox, screen, sessionName, notice } = this.#options;
    const asked = asking.length === 0 ? null : async () => screen.stillAsks(asking);
    const program = this.#program();
    if (program === null) {
      notice({ kind: 'typed', cause, delivery: 'failed', detail: 'program_changed' });
      return;
    }
    const outcome = await outbox.answer(sessionName, answer, program, asked).then(
      ({ delivery, reason }) => ({ delivery, detail: reason }),
      (error: unknown) => ({ delivery: 'failed' as const, detail: messageOf(error) }),
    );
    notice({ kind: 'typed', cause, ...outcome });
  }
}
