/**
 * Every task module below the roots as its files are now. The truth is a scan that reads again what
 * was touched, paced to a thousandth of a core; hints of the system make it
 * sooner, and modules with a loop are read at every poll, or every fifth while they are watched.
 */
import { dirname } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ModuleFacts } from '../../../shared/schema/modules/module-facts.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Polls } from '../../lib/polls.ts';
import { DueModules } from './due-modules.ts';
import { EventPace } from './event-pace.ts';
import { type ModuleState, readModuleState } from './module-state.ts';
import { ModuleTree, type TreeOptions } from './module-tree.ts';
import { ModuleWatch } from './module-watch.ts';
import { PublishedModules } from './published-modules.ts';
import { watchedDirectories } from './watched-directories.ts';

export interface LiveOptions extends Pick<TreeOptions, 'roots' | 'home' | 'isWorktree' | 'reach'> {
  log: Pick<EventLog, 'write' | 'newestOfKind'>;
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** Real paths at which loops work. */
  inUse: () => readonly string[];
  isBelowRoots: (path: string) => boolean;
  pollMs: number;
}

/** A list and its events stay in memory. */
const MAX_MODULES = 10_000;
/** Polls between a scan and the next: 10 s to 15 minutes with a poll every 2 s. */
const MIN_POLLS = 5;
const MAX_POLLS = 450;
/** What a scan costs where nothing changed, in milliseconds of a core; decision 41 has the figures. */
const DIRECTORY_MS = 0.02;
const MODULE_MS = 0.12;
/** A thousandth of a poll every 2 s. */
const SCAN_MS_PER_POLL = 2;
/** In polls: how often a module of a loop is read whose changes the system reports. */
const WATCHED_EVERY = 5;
/** Read with one transaction. */
const BATCH = 200;
/** Read in one turn of the event loop, a quarter of a millisecond: a signal waits for no more. */
const READ_AT_ONCE = 4;

export class LiveModules {
  readonly #options: LiveOptions;
  readonly #tree: ModuleTree;
  readonly #watch: ModuleWatch;
  readonly #published: PublishedModules;
  readonly #due: DueModules;
  readonly #pace = new EventPace();
  readonly #states = new Map<string, ModuleState>();
  /** Directories that hold modules. */
  #parents: ReadonlySet<string> = new Set();
  #scanTimer: Timer | null = null;
  readonly #polls: Polls;
  #polled = 0;
  #scannedAtMs: number | null = null;
  #isCut = false;
  #disposed = false;

  constructor(options: LiveOptions) {
    const { clock, logger, log } = options;
    this.#options = options;
    this.#polls = new Polls(clock);
    this.#tree = new ModuleTree({ ...options, now: () => clock.now() });
    this.#published = new PublishedModules(log);
    this.#due = new DueModules({ clock, act: (paths) => void this.#readHinted(paths) });
    this.#watch = new ModuleWatch({
      clock,
      logger,
      onHint: (path) => this.#due.hint(path),
      onStorm: (path) => this.#due.poll(path),
    });
  }

  /** Resolves after the first scan; modules of the last daemon are known early. */
  async start(): Promise<void> {
    const known = this.#published.recover();
    this.#poll();
    this.#polls.repeat(this.#options.pollMs, () => this.#poll());
    await this.#readAll(known);
    await this.#scan();
  }

  /** When all roots were last looked through, in milliseconds since 1970. */
  get scannedAtMs(): number | null {
    return this.#scannedAtMs;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** By path. */
  list(): ModuleState[] {
    const states = [...this.#states.values()];
    return states.sort((one, other) => (one.facts.path < other.facts.path ? -1 : 1));
  }

  get(id: string): ModuleState | null {
    for (const state of this.#states.values()) if (state.facts.module === id) return state;
    return null;
  }

  /** Reads it now and publishes what that person changed. Null when no module is there. */
  async refresh(path: string, author: string): Promise<ModuleState | null> {
    const isNew = !this.#states.has(path);
    const state = await this.#read(path);
    if (state !== null && isNew) this.#follow();
    if (state !== null && this.#published.newsIn(state.facts) !== null) {
      this.#publish([state.facts], [], author);
    }
    return state;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#scanTimer?.cancel();
    this.#polls.cancel();
    this.#due.dispose();
    await this.#watch.dispose();
  }

  #poll(): void {
    const readsWatched = this.#polled % WATCHED_EVERY === 0;
    this.#polled += 1;
    for (const path of this.#options.inUse())
      if (readsWatched || !this.#watch.watches(path)) this.#due.hint(path);
    this.#due.pollNow();
  }

  async #scan(): Promise<void> {
    const { clock, pollMs, logger } = this.#options;
    try {
      await this.#scanNow();
    } catch (err) {
      logger.warn({ err }, 'cannot look for task modules');
    }
    if (this.#disposed) return;
    const costMs = this.#tree.size * DIRECTORY_MS + this.#states.size * MODULE_MS;
    const polls = Math.min(Math.max(costMs / SCAN_MS_PER_POLL, MIN_POLLS), MAX_POLLS);
    const pauseMs = polls * pollMs;
    this.#scanTimer = clock.after(pauseMs, () => void this.#scan());
  }

  async #scanNow(): Promise<void> {
    const { clock, inUse } = this.#options;
    const { candidates, cut } = await this.#tree.walk(() => this.#disposed);
    const known = [...this.#states.keys(), ...this.#published.paths];
    await this.#readAll([...inUse(), ...known, ...candidates]);
    if (this.#disposed) return;
    this.#isCut = cut || this.#states.size >= MAX_MODULES;
    this.#scannedAtMs = clock.now();
    this.#watch.calm();
    this.#follow();
    this.#due.calm();
    this.#pace.prune(clock.monotonic());
  }

  #follow(): void {
    const paths = [...this.#states.keys()];
    this.#parents = new Set(paths.map((path) => dirname(path)));
    this.#watch.follow(watchedDirectories(paths, (path) => this.#tree.entriesOf(path)));
  }

  /** Modules, and the children of directories that hold some. Never rejects. */
  async #readHinted(paths: readonly string[]): Promise<void> {
    const found: string[] = [];
    for (const path of paths) {
      if (this.#parents.has(path)) found.push(...(await this.#tree.childrenOf(path)));
    }
    const count = this.#states.size;
    await this.#readAll([...paths, ...found]);
    if (!this.#disposed && this.#states.size > count) this.#follow();
  }

  async #readAll(paths: readonly string[]): Promise<void> {
    const all = [...new Set(paths)];
    for (let from = 0; from < all.length && !this.#disposed; from += BATCH) {
      const changed: ModuleFacts[] = [];
      const removed: string[] = [];
      for (const [index, path] of all.slice(from, from + BATCH).entries()) {
        if (index % READ_AT_ONCE === 0) await yieldToEventLoop();
        const state = await this.#read(path);
        if (state === null) removed.push(path);
        else if (this.#isNews(state.facts)) changed.push(state.facts);
      }
      this.#publish(changed, removed);
    }
  }

  async #read(path: string): Promise<ModuleState | null> {
    const known = this.#states.get(path) ?? null;
    const isRoom = known !== null || this.#states.size < MAX_MODULES;
    const isOurs = isRoom && this.#options.isBelowRoots(path);
    // On a file system that does not answer, only this waits.
    await this.#options.reach.wait(path);
    const state = isOurs ? readModuleState(path, known) : null;
    // A watch belongs to the directory that was there, also above it.
    if (known !== null && known.identity !== state?.identity) {
      for (const each of [path, dirname(path)]) this.#watch.drop(each);
    }
    if (state === null) this.#states.delete(path);
    else this.#states.set(path, state);
    return state;
  }

  #isNews(facts: ModuleFacts): boolean {
    const news = this.#published.newsIn(facts);
    if (news !== 'files') return news === 'state';
    const waitMs = this.#pace.waitMs(facts.path, this.#options.clock.monotonic());
    if (waitMs > 0) this.#due.later(facts.path, waitMs);
    return waitMs === 0;
  }

  /** What cannot be stored differs from what is published: the next scan finds it again. */
  #publish(changed: readonly ModuleFacts[], removed: readonly string[], author?: string): void {
    if (this.#disposed) return;
    try {
      this.#published.write(changed, removed, author);
    } catch (err) {
      this.#options.logger.warn({ err }, 'cannot store what changed in task modules');
    }
  }
}
