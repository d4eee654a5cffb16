/**
 * One running turn: reads its client's output, detects its end, reports the outcome once.
 * Invariant: `ended` comes after every line was taken, and after everything the turn started has
 * ended.
 */
import type { ChildProcess } from 'node:child_process';
import { messageOf } from '../../lib/app-error.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { OwnedProcesses } from '../../lib/processes/owned-processes.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Leftover } from '../../../shared/schema/leftover.ts';
import { leftoverText } from '../../../shared/words/sessions/leftover-text.ts';
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
  /** Before the client runs. If it throws, nothing ever runs. */
  spawned(identity: ProcessIdentity): void;
  /**
   * The events of one line, in order. Store `at.offset` in the same transaction as what you derive
   * from them: an adopted turn continues there. When this throws, the same line comes again later.
   */
  events(events: readonly StreamEvent[], at: LineEnd): void;
  /**
   * Once, at the end; `leftovers` names what could not be ended, '' when nothing is left. When this
   * throws, it comes again later.
   */
  ended(outcome: TurnOutcome, leftovers: string): void;
}

export interface TurnOptions {
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** Polling interval without hints. */
  pollMs: number;
  /** How long a client may stay after its result. */
  resultGraceMs: number;
  /** The same while something runs in the background that it waits for. */
  backgroundGraceMs: number;
  /** How long a signal may take before the next one. */
  killGraceMs: number;
}

interface TurnParts {
  id: string;
  files: TurnFiles;
  /** Null when none was stored: then nothing ever ran. */
  identity: ProcessIdentity | null;
  /** Null for a process that another daemon started. */
  child: ChildProcess | null;
  /** Lines that end at or before this offset were handled. */
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
  /** Processes that could not be ended after its end; null before the sweep. */
  #left: Leftover[] | null = null;
  #grace: Timer | null = null;
  #outcome: TurnOutcome | null = null;

  constructor(parts: TurnParts, options: TurnOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#owned = ownedByTurn(parts.id, parts.identity, options.clock);
    this.#over = new Promise((resolve) => (this.#setOver = resolve));
    this.#reader = new OutputReader(parts.files.stdout, (text, end) => this.#take(text, end));
    this.#watch = new TurnWatch(options.pollMs, options.clock, async () => this.#check());
    parts.child?.once('exit', () => this.#watch.hint());
  }

  get identity(): ProcessIdentity | null {
    return this.#parts.identity;
  }

  /** Resolves when its outcome was reported, or reading stopped. */
  get over(): Promise<void> {
    return this.#over;
  }

  start(): void {
    this.#watch.start(this.#parts.files.directory);
  }

  /** Interrupts the client as Ctrl-C does, then ends it. Resolves after the outcome was reported. */
  async interrupt(): Promise<Ending> {
    const { identity } = this.#parts;
    this.#stopped = true;
    if (identity === null || !signalProcess(identity, 'SIGINT'))
      return this.#whenOver('already_gone');
    const { killGraceMs, clock } = this.#options;
    if (await exitsWithin([identity], killGraceMs, clock)) return this.#whenOver('none');
    return this.kill();
  }

  /** Ends the client and everything it started. Resolves after the outcome was reported. */
  async kill(): Promise<Ending> {
    const { identity } = this.#parts;
    const { killGraceMs, clock } = this.#options;
    this.#stopped = true;
    if (identity === null) return this.#whenOver('already_gone');
    // While its parents live: a process that empties its environment is known only by them.
    await this.#owned.find().catch(() => undefined);
    return this.#whenOver(await endGroup(identity, killGraceMs, clock));
  }

  /** Stops reading. The client continues. */
  dispose(): void {
    this.#watch.stop();
    this.#grace?.cancel();
    this.#parts.child?.removeAllListeners('exit');
    this.#parts.child?.unref();
    this.#setOver();
  }

  async #whenOver(ending: Ending): Promise<Ending> {
    const { identity } = this.#parts;
    this.#watch.hint();
    if (identity === null || !mayLive(identity)) await this.#over;
    return ending;
  }

  async #check(): Promise<void> {
    try {
      // First: what was written before the end is read after it.
      const hasEnded = this.#hasEnded();
      if (hasEnded) await this.#sweep();
      await this.#reader.readNew({ last: hasEnded });
      if (hasEnded) this.#end();
      else this.#watchGrace();
    } catch (error) {
      const { logger } = this.#options;
      logger.warn(
        { turn: this.#parts.id, error: messageOf(error) },
        'cannot read the rest of a turn',
      );
    }
  }

  /** After the client's last output: ends what it started and did not end. */
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

  /** Ends a client that stays after its result; further output gives it more time. */
  #watchGrace(): void {
    const { identity } = this.#parts;
    const { result, isOpen, background } = this.#facts;
    if (result === null || isOpen || this.#grace !== null || identity === null) return;
    const { clock, resultGraceMs, backgroundGraceMs } = this.#options;
    this.#grace = clock.after(background > 0 ? backgroundGraceMs : resultGraceMs, () => {
      // The next check sets a new one: a signal that could not be sent is sent again.
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

  #hasEnded(): boolean {
    const { identity, child } = this.#parts;
    if (child !== null) return child.exitCode !== null || child.signalCode !== null;
    return identity === null || !mayLive(identity);
  }
}
