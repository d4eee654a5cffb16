/**
 * Loops of the stand-in under a daemon that is killed repeatedly, while people start, stop and
 * change them. Records what was acknowledged, and checks every new daemon against the events.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient } from '../daemon/api-client.ts';
import { agentsIn } from '../agents/agent-census.ts';
import { allRecords, DaemonStory, listedBy } from './daemon-events.ts';
import { drillScenarios } from './drill-scenarios.ts';
import { KilledWatch } from './killed-watch.ts';
import type { LoopHistory } from '../auto/loop-history.ts';
import type { Random } from '../house/random.ts';
import { serverOf } from '../terminals/tmux-servers.ts';
import { until } from '../house/until.ts';
import type { SpawnedDaemon, World } from '../daemon/world.ts';

/** How long one daemon lives after it listens, in milliseconds. */
const LIFE_MS = [10, 400] as const;
const BOOT_MS = 350;
/** Allowed states of a loop whose stop was acknowledged; `undefined` when its session was removed. */
const STOPPED: readonly unknown[] = ['stopping', 'stopped', 'failed', undefined];

interface Desk {
  session: string;
  taskDir: string;
  busy: boolean;
}

/** A stop that was answered with 202. */
export interface AcknowledgedStop {
  session: string;
  seq: number;
}

export class KillDrill {
  readonly acknowledgedStarts: number[] = [];
  readonly acknowledgedStops: AcknowledgedStop[] = [];
  /** Kills by kind. */
  readonly killed = { daemons: 0, agents: 0, servers: 0, clients: 0 };
  readonly watch: KilledWatch;
  readonly #story = new DaemonStory();
  readonly #world: World;
  readonly #random: Random;
  readonly #desks: Desk[];
  #daemon: SpawnedDaemon | null = null;
  #verbs: Promise<void>[] = [];
  #starts = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.watch = new KilledWatch(world);
    this.#random = random;
    const log = join(world.root, 'launches');
    const stand = readFileSync(join(world.root, 'bin/claude'), 'utf8').split('\n')[1] ?? '';
    world.writeProgram('claude', `echo "$PWD" >> "${log}"\n${stand}`);
    this.#desks = drillScenarios().map((scenario, n) => ({
      session: `s${n}`,
      taskDir: world.taskDir(`t${n}`, scenario),
      busy: false,
    }));
  }

  get api(): ApiClient | null {
    return this.#daemon?.api ?? null;
  }

  get kills(): number {
    return Object.values(this.killed).reduce((sum, count) => sum + count);
  }

  get history(): LoopHistory {
    return this.#story.history;
  }

  get records(): readonly string[] {
    return this.#story.records;
  }

  get wrong(): string[] {
    return this.#story.wrong;
  }

  /** Runs one daemon, ended by kill -9. */
  async live(): Promise<void> {
    if (this.#random.chance(0.1)) await this.#dieInBoot();
    await this.#boot();
    if (this.#random.chance(0.7)) await this.#killAnother();
    const ends = performance.now() + this.#random.int(...LIFE_MS);
    while (performance.now() < ends) {
      const idle = this.#desks.filter(({ busy }) => !busy);
      if (idle.length > 0) this.#verbs.push(this.#act(this.#random.pick(idle)));
      if (this.#random.chance(0.25)) await this.#killAnother();
      await pause(this.#random.int(1, 40));
    }
    await this.#kill();
  }

  /** The last daemon: ends every loop and session, and itself. */
  async finish(): Promise<void> {
    const api = (await this.#boot()).api;
    for (const { session } of this.#desks) {
      await until(`the loop of ${session} is gone`, async () => {
        const { status } = await api.send('DELETE', `/api/sessions/${session}/task-auto`);
        return status === 404;
      });
      await api.send('DELETE', `/api/sessions/${session}`);
    }
    await until('all sessions are gone', async () => (await listedBy(api)).sessions.length === 0);
    await this.#story.read(api);
  }

  /** Ends the last daemon in an orderly way. */
  async stop(): Promise<void> {
    const child = this.#daemon?.process;
    this.#daemon = null;
    child?.kill('SIGTERM');
    if (child !== undefined) await once(child, 'exit');
  }

  /** Every record again, from the oldest, as the last daemon has it. */
  async allRecords(): Promise<string[]> {
    return this.api === null ? [] : allRecords(this.api);
  }

  /** How often an agent was really started in each directory. */
  launches(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const directory of readFileSync(join(this.#world.root, 'launches'), 'utf8').split('\n')) {
      if (directory !== '') counts.set(directory, (counts.get(directory) ?? 0) + 1);
    }
    return counts;
  }

  async #boot(): Promise<SpawnedDaemon> {
    const daemon = await this.#world.spawn();
    this.#daemon = daemon;
    let said = '';
    daemon.process.stderr?.on('data', (data: Buffer) => (said += data.toString()));
    daemon.process.once('exit', (code) => {
      if (code !== null && code !== 0) this.wrong.push(`the daemon ended with ${code}: ${said}`);
    });
    await this.#compare(daemon.api);
    return daemon;
  }

  async #dieInBoot(): Promise<void> {
    const child = this.#world.run(['start']);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await pause(this.#random.int(0, BOOT_MS));
    child.kill('SIGKILL');
    await exited;
    this.killed.daemons += 1;
  }

  /** Not the daemon: an agent, the server of a terminal, or a client. */
  async #killAnother(): Promise<void> {
    const desk = this.#random.pick(this.#desks);
    const dice = this.#random.next();
    if (dice < 0.5) this.#killProcess('agents', agentsIn(desk.taskDir)[0]);
    else if (dice < 0.85) this.#killProcess('servers', serverOf(this.#world, desk.session));
    else {
      this.watch.start();
      if (this.#random.chance(0.5)) return;
      await this.watch.kill();
      this.killed.clients += 1;
    }
  }

  #killProcess(kind: 'agents' | 'servers', pid: number | undefined): void {
    try {
      if (pid === undefined) return;
      process.kill(pid, 'SIGKILL');
      this.killed[kind] += 1;
    } catch {
      // It ended a moment ago.
    }
  }

  async #kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    await daemon?.kill();
    this.killed.daemons += 1;
    await Promise.all(this.#verbs);
    this.#verbs = [];
  }

  /** Events and lists of the daemon agree, and no stopped loop runs. */
  async #compare(api: ApiClient): Promise<void> {
    await this.#story.compare(api);
    this.watch.start();
    for (const desk of this.#desks) {
      const { status } = await api.loop(desk.session);
      const stop = this.acknowledgedStops.findLast(({ session }) => session === desk.session);
      const started = this.history.runOf(desk.session)?.startedSeq ?? 0;
      if (stop === undefined || started > stop.seq || STOPPED.includes(status)) continue;
      this.wrong.push(
        `${desk.session} is ${status} though its stop was acknowledged as ${stop.seq}`,
      );
    }
  }

  async #act(desk: Desk): Promise<void> {
    desk.busy = true;
    try {
      await this.#verb(desk);
    } catch {
      // The daemon died before it answered: the outcome is unknown.
    }
    desk.busy = false;
  }

  async #verb(desk: Desk): Promise<void> {
    const dice = this.#random.next();
    const session = `/api/sessions/${desk.session}`;
    if (dice < 0.55) await this.#start(desk);
    else if (dice < 0.75) await this.#stop(desk);
    else if (dice < 0.9) {
      const maxIterations = this.#random.int(900, 1_000);
      await this.#send('PATCH', `${session}/task-auto`, { maxIterations });
    } else if (dice < 0.95) await this.#send('DELETE', session);
    else await this.#send('GET', `${session}/task-auto`);
  }

  async #start(desk: Desk): Promise<void> {
    this.#starts += 1;
    const number = 100 + this.#starts;
    const { session, taskDir } = desk;
    const limits = { maxIterations: 1_000, timeoutMinutes: number };
    const path = `/api/sessions/${session}/task-auto`;
    const { status } = await this.#send('POST', path, { taskDir, ...limits });
    if (status === 404) await this.#send('POST', '/api/sessions', { name: session, cwd: taskDir });
    if (status !== 201) return;
    this.acknowledgedStarts.push(number);
  }

  async #stop({ session }: Desk): Promise<void> {
    const { status, body } = await this.#send('DELETE', `/api/sessions/${session}/task-auto`);
    if (status === 202) this.acknowledgedStops.push({ session, seq: Number(body['seq']) });
  }

  async #send(method: string, path: string, body?: object): Promise<Answer> {
    if (this.api === null) throw new Error('no daemon');
    const answer = await this.api.send(method, path, body);
    if (answer.status >= 500 && answer.status !== 502) this.wrong.push(JSON.stringify(answer));
    return answer;
  }
}
