/**
 * Kills a daemon at each of its system calls in turn, while it does one thing: before the first
 * write to a file, before the second, and so on until it is done. After each kill the next daemon
 * on the same home is checked.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { allRecords, DaemonStory, listedBy } from './daemon-events.ts';
import { type Random, sized } from '../house/random.ts';
import { AttachedStrace } from '../terminals/attached-strace.ts';
import { until } from '../house/until.ts';
import type { SpawnedDaemon, World } from '../daemon/world.ts';

/** Calls that leave a trace outside the process: files, the database, children, answers. */
const CALLS = [
  'pwrite64',
  'write',
  'writev',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'unlink',
  'mkdir',
  'clone',
  'clone3',
  'vfork',
  'kill',
];
/** One of this many points of a call is tested. A start makes many calls. */
const STRIDE = sized({ short: 500, middle: 30, long: 1 });
const START_STRIDE = sized({ short: 500, middle: 90, long: 1 });
/** Each point costs starts of daemons: a short run takes a few of all calls. */
const MOST_POINTS = sized({ short: 3, middle: Infinity, long: Infinity });

/** One action of a daemon, from a state that can be reached repeatedly. */
export interface Verb {
  prepare?(api: ApiClient): Promise<void>;
  /** Performs it. `acknowledged` is called once an answer confirmed it. */
  act(daemon: SpawnedDaemon, acknowledged: () => void): Promise<void>;
  /** Checks the next daemon; rejects when a rule was broken. */
  check(api: ApiClient, acknowledged: boolean): Promise<void>;
}

export interface Start {
  /** Prepares the home while no daemon runs, before each start. */
  prepare?(): void;
  /** Checks the next daemon; rejects when a rule was broken. */
  check(api: ApiClient): Promise<void>;
  /** The home is a different one each time: its events do not continue those of the last. */
  isFresh: boolean;
}

export class KillPoints {
  readonly world: World;
  readonly #story = new DaemonStory();
  readonly #random: Random;
  #daemon: SpawnedDaemon | null = null;
  points = 0;

  constructor(world: World, random: Random) {
    this.world = world;
    this.#random = random;
  }

  /** Kills at each point of what a running daemon does. */
  async killDuring(verb: Verb, stride = STRIDE): Promise<void> {
    const counts = await this.#countOf(verb);
    for (const [call, n] of this.#points(counts, stride)) await this.#killAt(verb, call, n);
    await this.#end();
  }

  /** Kills at each point of a start, each on the home that `prepare` leaves. */
  async killStarts(start: Start): Promise<void> {
    const file = join(this.world.root, 'calls');
    await this.#start(start, ['-o', file, '-e', `trace=${CALLS.join()}`]);
    for (const [call, n] of this.#points(AttachedStrace.countsIn(file), START_STRIDE)) {
      const inject = ['-e', `inject=${call}:signal=KILL:when=${n}`];
      await this.#start(start, ['-o', '/dev/null', '-e', `trace=${call}`, ...inject]);
      this.points += 1;
      const next = await this.#boot(start.isFresh);
      await start.check(next).catch((error: unknown) => {
        throw new Error(`killed before ${call} ${n}: ${String(error)}`, { cause: error });
      });
    }
    await this.#killDaemon();
  }

  /** Each call with the counts at which it is the last: every `stride`th, from a random one. */
  #points(counts: Map<string, number>, stride: number): [call: string, n: number][] {
    const points = [...counts].flatMap(([call, count]) => {
      const first = this.#random.int(1, Math.min(stride, count));
      const taken = Math.ceil((count - first + 1) / stride);
      return Array.from({ length: taken }, (_, k): [string, number] => [call, first + k * stride]);
    });
    while (points.length > MOST_POINTS) points.splice(this.#random.int(0, points.length - 1), 1);
    return points;
  }

  /** A start under strace, from a home prepared for it; ended in any case. */
  async #start(start: Start, words: readonly string[]): Promise<void> {
    if (!start.isFresh) await start.check(await this.#boot());
    await this.#killDaemon();
    start.prepare?.();
    // The tracer is a child of the daemon, not the other way round.
    await this.world.spawn(['strace', '-D', '-q', ...words]).then(
      async (daemon) => daemon.kill(),
      () => undefined,
    );
  }

  async #killAt(verb: Verb, call: string, n: number): Promise<void> {
    const { api, process: child } = await this.#running();
    await verb.prepare?.(api);
    await this.#story.read(api);
    const strace = await AttachedStrace.attach(
      child.pid ?? 0,
      [call],
      `${call}:signal=KILL:when=${n}`,
    );
    let acknowledged = false;
    const exited = once(child, 'exit');
    const done = verb.act(await this.#running(), () => (acknowledged = true));
    let failed: unknown;
    await Promise.race([done.catch((error: unknown) => (failed = error)), exited]);
    await strace.detach();
    // Neither a request that breaks off, a TypeError, nor the last call of an act waits for the
    // process to end.
    if (failed instanceof TypeError || readProcess(child.pid ?? 0) === null) await exited;
    this.points += 1;
    if (child.exitCode !== null || child.signalCode !== null) this.#daemon = null;
    const next = await this.#boot();
    try {
      await verb.check(next, acknowledged);
      await this.#story.compare(next);
    } catch (error) {
      throw new Error(`killed before ${call} ${n}: ${String(error)}`, { cause: error });
    }
  }

  /** How often each call is made during `verb`. */
  async #countOf(verb: Verb): Promise<Map<string, number>> {
    const daemon = await this.#running();
    await verb.prepare?.(daemon.api);
    const strace = await AttachedStrace.attach(daemon.process.pid ?? 0, CALLS);
    await verb.act(daemon, () => undefined);
    const counts = await strace.detach();
    if (daemon.process.exitCode !== null) this.#daemon = null;
    await verb.check((await this.#running()).api, true);
    return counts;
  }

  async #running(): Promise<SpawnedDaemon> {
    if (this.#daemon === null) await this.#boot();
    if (this.#daemon === null) throw new Error('no daemon');
    return this.#daemon;
  }

  /** The next daemon, unless one runs; checks what holds after every kill. */
  async #boot(isFresh = false): Promise<ApiClient> {
    this.#daemon ??= await this.world.spawn();
    const { api } = this.#daemon;
    const problems = isFresh ? [] : await this.#disagreements(api);
    const integrity = integrityOf(this.world);
    if (integrity !== 'ok') problems.push(String(integrity));
    const { sessions } = await listedBy(api);
    problems.push(...(await serversWithout(this.world, sessions)));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return api;
  }

  async #disagreements(api: ApiClient): Promise<string[]> {
    await this.#story.compare(api);
    const { wrong, records, history } = this.#story;
    const all = await allRecords(api);
    const lost = records.filter((record, index) => all[index] !== record);
    return [...wrong, ...history.broken, ...lost.map((record) => `lost ${record}`)];
  }

  async #killDaemon(): Promise<void> {
    await this.#daemon?.kill();
    this.#daemon = null;
  }

  async #end(): Promise<void> {
    await this.#boot();
    await this.#killDaemon();
  }
}

function integrityOf(world: World): unknown {
  const raw = new Sqlite(join(world.home, 'loopwatch.db'), { readonly: true });
  const answer = raw.pragma('integrity_check', { simple: true });
  raw.close();
  return answer;
}

/** Terminals no session refers to. One that is being closed has a moment to end. */
async function serversWithout(world: World, sessions: readonly string[]): Promise<string[]> {
  const orphans = async () => {
    const found: string[] = [];
    for (const socket of world.sockets()) {
      const name = socket.slice(socket.lastIndexOf('/') + 1);
      if (sessions.includes(name)) continue;
      const answer = await execFile('tmux', ['-S', socket, 'list-sessions'], { timeoutMs: 60_000 });
      if (answer.ok) found.push(`orphan terminal ${name}`);
    }
    return found;
  };
  return until('no orphans', async () => (await orphans()).length === 0).then(() => [], orphans);
}
