/**
 * One turn under way: reads what its client writes, notices its end, tells the outcome once.
 * Invariant: `ended` comes after every line was taken, and after all that the turn started is gone.
 */
import type { ChildProcess } from 'node:child_process';
import { messageOf } from '../../lib/app-error.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { OwnedProcesses } from '../../lib/owned-processes.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import type { Leftover } from '../../../shared/schema/leftover.ts';
import { leftoverText } from '../../../shared/words/leftover-text.ts';
import { type Ending, endGroup, endLeftovers, exitsWithin, ownedByTurn } from './end-turn.ts';
import type { LineEnd } from './line-splitter.ts';
import { OutputReader } from './output-reader.ts';
import { parseStreamLine, type StreamEvent } from './stream-event.ts';
import { foldLine, NO_FACTS, type StreamFacts } from './stream-facts.ts';
import type { TurnFiles } from './turn-files.ts';
import { judgeTurn, type TurnOutcome } from './turn-outcome.ts';
import { mayLive, signalProcess } from './turn-processes.ts';
import { TurnWatch } from './turn-watch.ts';

export interface TurnWatcher {
  /** Before the client runs: what keeps the identity may throw, then nothing ever runs. */
  spawned(identity: ProcessIdentity): void;
  /**
   * What one line told, in order. Keep `at.offset` in the same transaction as what you make of it: a
   * turn that is taken up again goes on there. When this throws, the same line comes again later.
   */
  events(events: readonly StreamEvent[], at: LineEnd): void;
  /**
   * Once, at the end; `leftovers` says what of the turn could not be ended, '' when nothing is left.
   * When this throws, it comes again later.
   */
  ended(outcome: TurnOutcome, leftovers: string): void;
}

/** What a turn needs besides itself. */
export interface TurnOptions {
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** How often to look without a hint. */
  pollMs: number;
  /** How long a client may stay after its result. */
  resultGraceMs: number;
  /** The same while something runs in the background, for which it waits. */
  backgroundGraceMs: number;
  /** How long a signal may take before the next one. */
  killGraceMs: number;
}

interface TurnParts {
  id: string;
  files: TurnFiles;
  /** Null when nobody kept one: then nothing ever ran. */
  identity: ProcessIdentity | null;
  /** Null for a process that another daemon started. */
  child: ChildProcess | null;
  /** Lines that end here or before are known. */
  knownOffset: number;
  watcher: Omit<TurnWatcher, 'spawned'>;
}

export class Turn {
  readonly #parts: TurnParts;
  readonly #options: TurnOptions;
  readonly #reader: OutputReader;
  readonly #watch: TurnWatch;
  readonly #over: Promise<void>;
  readonly #owned: OwnedProcesses;
  #setOver: () => void = () => undefined;
  #facts: StreamFacts = NO_FACTS;
  #stopped = false;
  /** What is left of the turn after its end; null until it was swept. */
  #left: Leftover[] | null = null;
  #grace: Timer | null = null;
  #outcome: TurnOutcome | null = null;

  constructor(parts: TurnParts, options: TurnOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#owned = ownedByTurn(parts.id, parts.identity, options.clock);
    this.#over = new Promise((resolve) => (this.#setOver = resolve));
    this.#reader = new OutputReader(parts.files.stdout, (text, end) => this.#take(text, end));
    this.#watch = new TurnWatch(options.pollMs, options.clock, async () => this.#look());
    parts.child?.once('exit', () => this.#watch.hint());
  }

  get identity(): ProcessIdentity | null {
    return this.#parts.identity;
  }

  /** Resolves when its outcome was told, or nobody looks any more. */
  get over(): Promise<void> {
    return this.#over;
  }

  start(): void {
    this.#watch.start(this.#parts.files.directory);
  }

  /** Asks the client to stop as Ctrl-C does, then ends it. Resolves after the outcome was told. */
  async interrupt(): Promise<Ending> {
    const { identity } = this.#parts;
    this.#stopped = true;
    if (identity === null || !signalProcess(identity, 'SIGINT')) return this.#gone('already_gone');
    const { killGraceMs, clock } = this.#options;
    if (await exitsWithin([identity], killGraceMs, clock)) return this.#gone('none');
    return this.kill();
  }

  /** Ends the client and all that it started. Resolves after the outcome was told. */
  async kill(): Promise<Ending> {
    const { identity } = this.#parts;
    const { killGraceMs, clock } = this.#options;
    this.#stopped = true;
    if (identity === null) return this.#gone('already_gone');
    // While its parents live: what empties its environment is known by them alone.
    await this.#owned.find().catch(() => undefined);
    return this.#gone(await endGroup(identity, killGraceMs, clock));
  }

  /** Stops looking. The client goes on. */
  dispose(): void {
    this.#watch.stop();
    this.#grace?.cancel();
    this.#parts.child?.removeAllListeners('exit');
    this.#parts.child?.unref();
    this.#setOver();
  }

  async #gone(ending: Ending): Promise<Ending> {
    const { identity } = this.#parts;
    this.#watch.hint();
    if (identity === null || !mayLive(identity)) await this.#over;
    return ending;
  }

  async #look(): Promise<void> {
    try {
      // First: what was written before the end is read after it.
      const gone = this.#isGone();
      if (gone) await this.#sweep();
      await this.#reader.readOn({ last: gone });
      if (gone) this.#end();
      else this.#watchGrace();
    } catch (error) {
      const { logger } = this.#options;
      logger.warn(
        { turn: this.#parts.id, error: messageOf(error) },
        'cannot read the rest of a turn',
      );
    }
  }

  /** After the last word of the client: whatever it started and did not end. */
  async #sweep(): Promise<void> {
    if (this.#left !== null) return;
    const { clock, killGraceMs, logger } = this.#options;
    const left = await endLeftovers(this.#parts.id, killGraceMs, clock, this.#owned);
    this.#left = left ?? [];
    if (left?.length === 0) return;
    logger.warn({ turn: this.#parts.id, left }, 'cannot end the processes of a turn');
  }

  #take(text: string | null, end: LineEnd): void {
    const { id, knownOffset, watcher } = this.#parts;
    if (text?.trim() === '') return;
    if (text === null) {
      const { logger } = this.#options;
      logger.warn({ turn: id, line: end.line }, 'skipped a line of a turn that is too long');
    }
    const events = text === null ? null : parseStreamLine(text);
    if (events !== null && events.length > 0 && end.offset > knownOffset) {
      watcher.events(events, end);
    }
    if (events !== null && events.length > 0) this.#cancelGrace();
    this.#facts = foldLine(this.#facts, events);
  }

  #end(): void {
    const { files, child, watcher } = this.#parts;
    this.#cancelGrace();
    this.#outcome ??= judgeTurn(this.#facts, {
      started: files.hasStarted(),
      exitCode: child?.exitCode ?? null,
      signal: child?.signalCode ?? null,
      stopped: this.#stopped,
      stderrTail: files.stderrTail(),
      nowMs: this.#options.clock.now(),
    });
    watcher.ended(this.#outcome, leftoverText(this.#left ?? []));
    this.dispose();
  }

  /** A client that has said its last word and stays is ended; that it speaks on gives it more time. */
  #watchGrace(): void {
    const { identity } = this.#parts;
    const { result, isOpen, background } = this.#facts;
    if (result === null || isOpen || this.#grace !== null || identity === null) return;
    const { clock, resultGraceMs, backgroundGraceMs } = this.#options;
    this.#grace = clock.after(background > 0 ? backgroundGraceMs : resultGraceMs, () => {
      // At the next look there is a new one: a signal that could not be sent is sent again.
      this.#grace = null;
      void this.#endClient(identity);
    });
  }

  async #endClient(identity: ProcessIdentity): Promise<void> {
    const { clock, killGraceMs, logger } = this.#options;
    try {
      await endGroup(identity, killGraceMs, clock);
    } catch (error) {
      logger.warn({ turn: this.#parts.id, error: messageOf(error) }, 'cannot end an agent process');
    }
  }

  #cancelGrace(): void {
    this.#grace?.cancel();
    this.#grace = null;
  }

  #isGone(): boolean {
    const { identity, child } = this.#parts;
    if (child !== null) return child.exitCode !== null || child.signalCode !== null;
    return identity === null || !mayLive(identity);
  }
}
