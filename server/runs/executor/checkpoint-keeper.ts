/**
 * Keeps the checkpoint of one run: at every turning point, and from time to time while it is at
 * work. Holds the lock of its session until it is over. The row is what the daemon goes by; a
 * checkpoint that cannot be written is tried again.
 */
import { saveCheckpoint } from '../../checkpoints/save-checkpoint.ts';
import { lockSession } from '../../checkpoints/session-lock.ts';
import { sessionDirectory } from '../../checkpoints/session-directory.ts';
import { readSession } from '../../checkpoints/read-session.ts';
import { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import { messageOf } from '../../lib/app-error.ts';
import { type Timer, toIso } from '../../lib/clock.ts';
import { isAtWork, reasonOf, statusOf } from '../machine/step.ts';
import { ownerOf, type RunRecord } from '../stores/run-record.ts';
import { checkpointOf } from './run-checkpoint.ts';
import type { EffectOptions } from './run-supervisor-options.ts';

/** Between two that no turning point causes. */
const INTERVAL_MS = 30_000;
/** More than any run has. */
const ALL = 1_000_000;

type KeeperOptions = Pick<
  EffectOptions,
  'home' | 'record' | 'interactions' | 'checks' | 'clock' | 'logger' | 'log'
>;

export class CheckpointKeeper {
  readonly #options: KeeperOptions;
  #timer: Timer | null = null;
  /** Releases the session; null while this daemon does not hold it. */
  #release: (() => void) | null = null;
  #isDisposed = false;
  /** Fields of another program in the file that it found; null before it looked. */
  #foreign: Record<string, unknown> | null = null;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** The run changed from `before` to `after`; `record` already returns `after`. */
  changed(before: RunRecord, after: RunRecord): void {
    if (isTurningPoint(before, after)) this.save();
  }

  save(): void {
    if (this.#isDisposed) return;
    this.#timer?.cancel();
    this.#timer = null;
    const { home, record, interactions, checks, clock, logger, log } = this.#options;
    const run = record();
    const { id, state } = run;
    try {
      if (state.now.stage !== 'over') this.#release ??= lockSession(home, id, clock.now());
      const checkpoint = checkpointOf({
        home,
        record: run,
        interactions: interactions.page(ownerOf(id), { after: 0, limit: ALL }),
        checks: checks.of(id, state.rounds.at(-1)?.iteration),
        at: toIso(clock.now()),
      });
      this.#foreign ??= foreignFields(home, id);
      saveCheckpoint(home, { ...this.#foreign, ...checkpoint });
      const { plan_cursor, exec_cursor, review_cursor, fix_cursor } = checkpoint;
      const events = plan_cursor + exec_cursor + review_cursor + fix_cursor;
      const data = { run: id, phase: state.phase, events };
      log.write((append) => append({ type: 'run.checkpoint', data }));
    } catch (error) {
      logger.error({ err: error, run: id }, `checkpoint not saved: ${messageOf(error)}`);
      return this.saveLater();
    }
    if (isAtWork(state.now)) this.saveLater();
    if (state.now.stage === 'over') this.#unlock();
  }

  /** At the next interval: something a later checkpoint must have is about to happen. */
  saveLater(): void {
    if (this.#isDisposed || this.#timer !== null) return;
    this.#timer = this.#options.clock.after(INTERVAL_MS, () => {
      this.#timer = null;
      this.save();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
    this.#unlock();
  }

  #unlock(): void {
    this.#release?.();
    this.#release = null;
  }
}

/** What is no field of ours is kept. None where nothing can be read. */
function foreignFields(home: string, id: string): Record<string, unknown> {
  const read = readSession(sessionDirectory(home, id), id);
  if (read.kind !== 'checkpoint') return {};
  const entries = Object.entries(read.checkpoint).filter(([name]) => !(name in Checkpoint.shape));
  return Object.fromEntries(entries);
}

/** Another phase, round or status: what a resume depends on. */
function isTurningPoint({ state: before }: RunRecord, { state: after }: RunRecord): boolean {
  return (
    before.phase !== after.phase ||
    before.iteration !== after.iteration ||
    before.now.stage !== after.now.stage ||
    statusOf(before.now) !== statusOf(after.now) ||
    reasonOf(before.now) !== reasonOf(after.now)
  );
}
