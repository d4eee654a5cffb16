/**
 * Tasks at work on one repository while people send input, under a daemon that is killed
 * repeatedly, as are the agents. Records what was acknowledged; `tasks-kill.test.ts` checks what
 * must hold.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import type { SentTaskInput, TaskInputState } from '../../../shared/schema/tasks/task-input.ts';
import { agentsBelow } from '../agents/agent-census.ts';
import { ApiClient } from '../daemon/api-client.ts';
import type { ReceivedText } from '../events/received-text.ts';
import type { Random } from '../house/random.ts';
import { type StandInRun, standInRuns } from '../agents/stand-in-runs.ts';
import { TaskHome } from './task-home.ts';
import { until } from '../house/until.ts';
import type { SpawnedDaemon, World } from '../daemon/world.ts';

/** How long one daemon lives after it listens, in milliseconds. */
const LIFE_MS = [300, 2_500] as const;
/** On a slow machine a daemon lives until this many inputs were accepted, or the time is over. */
const SAID_IN_A_LIFE = 8;
const LATEST_MS = 15_000;
const DEAD_MS = [0, 800] as const;
const TURNS = 4;
/** So that polling does not keep the daemon from its work. */
const POLL_EVERY_MS = 200;

export class TaskDrill {
  readonly said: ReceivedText[] = [];
  /** Answers that must not occur here. */
  readonly refused: string[] = [];
  readonly killed = { daemons: 0, agents: 0 };
  readonly names: string[];
  readonly home: TaskHome;
  readonly #world: World;
  readonly #random: Random;
  readonly #talking = new Set<string>();
  #daemon: SpawnedDaemon | null = null;
  #taken = 0;
  #open: Promise<void>[] = [];

  constructor(world: World, random: Random, tasks: number) {
    this.#world = world;
    this.#random = random;
    this.names = Array.from({ length: tasks }, (_, n) => `t${n}`);
    this.home = new TaskHome(world, new ApiClient('', ''));
  }

  /** All tasks begin at once. */
  async begin(): Promise<void> {
    await this.#boot();
    await Promise.all(this.names.map(async (name) => this.home.run(name, this.#steps(name))));
  }

  /** Runs one daemon, ended by kill -9. Agents continue, or are killed too. */
  async live(): Promise<void> {
    await this.#boot();
    const ends = performance.now() + this.#random.int(...LIFE_MS);
    const latest = performance.now() + LATEST_MS;
    const before = this.#taken;
    const isQuiet = () => this.#taken - before < SAID_IN_A_LIFE && performance.now() < latest;
    while (performance.now() < ends || isQuiet()) {
      const idle = this.names.filter((name) => !this.#talking.has(name));
      if (idle.length > 0) this.#open.push(this.#say(this.#random.pick(idle)));
      if (this.#random.chance(0.04)) this.#killAgent();
      await pause(this.#random.int(20, 200));
    }
    await this.#daemon?.kill();
    this.#daemon = null;
    this.killed.daemons += 1;
    await Promise.all(this.#open);
    this.#open = [];
    if (this.#random.chance(0.6)) this.#killAgent();
    await pause(this.#random.int(...DEAD_MS));
  }

  /** The last daemon: every task comes to its end. Returns their final state. */
  async finish(): Promise<Task[]> {
    await this.#boot();
    const statuses = async () => {
      const { body } = await this.home.api.get(`/api/v1/tasks?limit=${this.names.length}`);
      return body as unknown as Task[];
    };
    const atWork = ['PENDING', 'RUNNING', 'TESTING'];
    let tasks: Task[] = [];
    const ended = async () => {
      await pause(POLL_EVERY_MS);
      tasks = await statuses();
      return tasks.every(({ status }) => !atWork.includes(status));
    };
    const progress = () => tasks.map(({ status, iterations }) => [status, iterations]);
    await until('every task has ended', ended, progress).catch(() => undefined);
    return tasks;
  }

  async stop(): Promise<void> {
    await this.#daemon?.kill();
    this.#daemon = null;
  }

  /** Every run of the agent. */
  get runs(): StandInRun[] {
    return standInRuns(this.#world);
  }

  /** The outcome of each input, in the order in which they were stored. */
  get inputs() {
    return keptInputs(this.#world);
  }

  async #boot(): Promise<void> {
    this.#daemon ??= await this.#world.spawn();
    this.home.api = this.#daemon.api;
  }

  #steps(name: string): string[] {
    const turns = Array.from({ length: TURNS }, (_, n) => n + 1);
    return turns.flatMap((turn) => {
      const file = `${name}-${turn}.txt`;
      const steps = [`write ${file} The work of ${name} in turn ${turn}.`];
      steps.push(`wait ${this.#random.int(0, 600)}`);
      if (this.#random.chance(0.5)) steps.push(`commit Turn ${turn} of ${name}`);
      steps.push(`wait ${this.#random.int(0, 200)}`);
      steps.push(`say I wrote ${file}; there is more to do.`);
      return steps.map((step) => `turn ${turn} ${step}`);
    });
  }

  async #say(task: string): Promise<void> {
    const words = `The word is w${this.said.length}-${this.#random.int(1e6, 1e7 - 1)}.`;
    const said: ReceivedText = { task, words, id: null, guaranteed: false };
    this.said.push(said);
    this.#talking.add(task);
    try {
      const interrupt = this.#random.chance(0.5);
      const { status, body } = await this.home.say(task, words, { interrupt });
      if (status !== 200) return void this.refused.push(JSON.stringify(body));
      this.#taken += 1;
      const answer = body as unknown as SentTaskInput;
      said.id = answer.id;
      said.guaranteed = answer.guaranteed_processing;
    } catch {
      // The daemon was killed during the request.
    } finally {
      this.#talking.delete(task);
    }
  }

  #killAgent(): void {
    const agents = agentsBelow(this.home.repository);
    if (agents.length === 0) return;
    try {
      process.kill(this.#random.pick(agents), 'SIGKILL');
      this.killed.agents += 1;
    } catch {
      // It has just ended.
    }
  }
}

/** The inputs of people to tasks, oldest first, with their outcome. */
export function keptInputs(world: World): { id: string; text: string; state: TaskInputState }[] {
  const raw = new Sqlite(join(world.home, 'loopwatch.db'), { readonly: true });
  const rows = raw.prepare('SELECT id, text, state FROM task_inputs ORDER BY number').all();
  raw.close();
  return rows as { id: string; text: string; state: TaskInputState }[];
}
