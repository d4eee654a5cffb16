/**
 * The processes of one piece of headless work: its turn, its checks, its worktrees in preparation.
 * Starts and ends them for any supervisor, and feeds results back as inputs of its machine.
 */
import { type Ending, endLeftovers } from '../agents/headless/end-turn.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { NOTHING_RAN, type RecordedTurn } from './recorded-turn.ts';

const LEFTOVER_GRACE_MS = 5_000;
/** A stopping daemon does not wait longer for git. */
const DISPOSE_MS = 2_000;
/** Retry interval for what could not be ended. */
const END_RETRY_MS = 1_000;

export interface TurnWorkOptions<Input> {
  clock: Clock;
  logger: Log;
  /** For the log: whose work it is. */
  subject: () => Record<string, string>;
  /** Carried by the processes of its checks. */
  checkMark: string;
  /** For inputs that come once: stored sooner or later. */
  submit: (input: Input, signal?: AbortSignal) => Promise<void>;
}

export interface Recovery {
  /** Checks of an earlier daemon may still run, unrecorded: they are ended. */
  leftovers?: boolean;
}

export class TurnWork<Input> {
  readonly #options: TurnWorkOptions<Input>;
  #turn: RecordedTurn | null = null;
  /** Its worktrees while they are prepared. */
  #preparing: { stop: AbortController; over: Promise<void> } | null = null;
  /** A check by a model or by the host. */
  #check: { stop: AbortController; over: Promise<void> } | null = null;
  #ending: Promise<Ending> | null = null;

  constructor(options: TurnWorkOptions<Input>) {
    this.#options = options;
  }

  get isEnding(): boolean {
    return this.#ending !== null;
  }

  /** A preparation that was aborted has no input. */
  prepare(
    prepare: (signal: AbortSignal) => Promise<Input | null>,
    { leftovers = false }: Recovery = {},
  ): void {
    const stop = new AbortController();
    const over = this.#begin(prepare, stop.signal, leftovers).then(async (input) =>
      input === null ? undefined : this.#options.submit(input),
    );
    this.#preparing = { stop, over };
  }

  /** `failed` says what it means that nothing could be sent. */
  send(start: () => RecordedTurn, failed: (detail: string) => Input): void {
    try {
      this.#turn = start();
    } catch (error) {
      void this.#options.submit(failed(messageOf(error)));
    }
  }

  /** Continues a turn of an earlier daemon. */
  adopt(turn: RecordedTurn): void {
    this.#turn = turn;
    turn.adopt();
  }

  /** A check that was aborted has no input. */
  run(
    check: (signal: AbortSignal) => Promise<Input | null>,
    failed: (detail: string) => Input,
    { leftovers = false }: Recovery = {},
  ): void {
    const stop = new AbortController();
    const over = this.#begin(check, stop.signal, leftovers)
      .catch((error: unknown) => failed(messageOf(error)))
      .then(async (input) =>
        input === null ? undefined : this.#options.submit(input, stop.signal),
      );
    this.#check = { stop, over };
  }

  interrupt(): void {
    void this.#turn?.interrupt().catch((error: unknown) => this.#warn(error));
  }

  /** Ends what runs. */
  async end(ended: Input, { leftovers = false }: Recovery = {}): Promise<void> {
    const ending = this.#endWithRetry(leftovers);
    this.#ending = ending;
    await ending;
    // Ended twice: the second one decides.
    if (this.#ending !== ending) return;
    this.#ending = null;
    await this.#options.submit(ended);
  }

  /** The last process of a turn that was answered may outlive its answer. */
  async endTurn(): Promise<void> {
    await this.#turn?.kill();
    this.#turn = null;
  }

  /** Resolves once nothing runs any more, with how the last process ended. */
  async ended(): Promise<Ending> {
    return this.#ending ?? NOTHING_RAN;
  }

  /** Ends what the checks of an earlier daemon left behind. Never rejects. */
  async endLeftChecks(): Promise<void> {
    const { checkMark, clock } = this.#options;
    await endLeftovers(checkMark, LEFTOVER_GRACE_MS, clock);
  }

  /**
   * Turns keep running. Writers of the daemon's own files have ended when this resolves, or soon
   * after.
   */
  async dispose(): Promise<void> {
    const { clock } = this.#options;
    this.#turn?.dispose();
    this.#check?.stop.abort();
    this.#preparing?.stop.abort();
    const done = new AbortController();
    const timeout = clock.sleep(DISPOSE_MS, done.signal).catch(() => undefined);
    await Promise.race([Promise.all([this.#check?.over, this.#preparing?.over]), timeout]);
    done.abort();
  }

  /** Part of the work it precedes: what is ended meanwhile does not begin. */
  async #begin(
    work: (signal: AbortSignal) => Promise<Input | null>,
    signal: AbortSignal,
    leftovers: boolean,
  ): Promise<Input | null> {
    if (leftovers) await this.endLeftChecks();
    return signal.aborted ? null : work(signal);
  }

  #warn(error: unknown): void {
    const { logger, subject } = this.#options;
    logger.error({ err: error, ...subject() }, messageOf(error));
  }

  /**
   * Without free file descriptors, no process can be checked: failures are retried until they
   * succeed.
   */
  async #endWithRetry(leftovers: boolean): Promise<Ending> {
    for (;;) {
      try {
        return await this.#endAll(leftovers);
      } catch (error) {
        this.#warn(error);
        await this.#options.clock.sleep(END_RETRY_MS);
      }
    }
  }

  async #endAll(leftovers: boolean): Promise<Ending> {
    const [turn, check, preparing] = [this.#turn, this.#check, this.#preparing];
    check?.stop.abort();
    preparing?.stop.abort();
    // Git creates a worktree whole or not at all: the next step must not see half of one.
    const ended = turn?.kill() ?? NOTHING_RAN;
    const [ending] = await Promise.all([ended, check?.over, preparing?.over]);
    if (leftovers) await this.endLeftChecks();
    this.#turn = null;
    this.#check = null;
    return ending;
  }
}
