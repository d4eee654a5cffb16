/** The tasks of the kill tests: their agent writes a file in each turn and then waits. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import { AgentCensus, agentsBelow, agentsIn } from '../agents/agent-census.ts';
import { ApiClient } from '../daemon/api-client.ts';
import { git } from '../git/git-repository.ts';
import { KillPoints, type Verb } from '../drills/kill-points.ts';
import { seeded, sized } from '../house/random.ts';
import { TaskHome } from './task-home.ts';
import { until } from '../house/until.ts';
import { World } from '../daemon/world.ts';
import { WorkWitness } from './work-witness.ts';

const SETTINGS = {
  LOOPWATCH_TASK_INTERRUPTED: 'resume',
  LOOPWATCH_ERROR_DELAYS_MS: '20,20,20,20,20,20',
};
const SESSION = '11111111-2222-4333-8444-555555555555';
/**
 * Appends its input to `heard`, one line for each turn; writes a file; starts a conversation; never
 * ends.
 */
const AGENT = `echo "$PWD|$*" | tr '\\n' ' ' >> "$HEARD"
echo >> "$HEARD"
echo "The work of $$." > "work-$$.txt"
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"${SESSION}","model":"m","tools":[]}'
exec sleep 1000`;

export class TaskKillScene {
  readonly world: World;
  readonly home: TaskHome;
  readonly witness: WorkWitness;
  /** Increases with each act, so that each can be distinguished. */
  turn = 0;

  constructor(world: World) {
    this.world = world;
    this.home = new TaskHome(world, new ApiClient('', ''));
    this.witness = new WorkWitness(this.home.repository);
    const heard = join(this.world.root, 'heard');
    this.world.writeProgram('claude', AGENT.replaceAll('$HEARD', heard));
  }

  /** Ends what nothing else would end. */
  [Symbol.dispose](): void {
    this.witness[Symbol.dispose]();
    for (const pid of agentsBelow(this.home.repository)) process.kill(pid, 'SIGKILL');
  }

  get name(): string {
    return `task-${this.turn}`;
  }

  get path(): string {
    return `/api/v1/tasks/by-name/${this.name}`;
  }

  get worktree(): string {
    return join(this.home.repository, '.claude_worktrees', this.name);
  }

  get agents(): number {
    return agentsIn(this.worktree).length;
  }

  /** How often the agent received it. */
  heard(words: string): number {
    const file = join(this.world.root, 'heard');
    if (!existsSync(file)) return 0;
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line.includes(words)).length;
  }

  /** Turns that began in the worktree of the task. */
  get turns(): number {
    return this.heard(`${this.worktree}|`);
  }

  /** Null when there is no such task. */
  async find(api: ApiClient): Promise<Task | null> {
    const { status, body } = await api.get(this.path);
    return status === 404 ? null : (body as unknown as Task);
  }

  /** A new task; the one before it is removed. */
  async create(api: ApiClient, more: object = {}): Promise<void> {
    if (this.turn > 0) await this.remove(api);
    this.turn += 1;
    this.home.api = api;
    await this.home.create(this.name, { max_iterations: 1_000, ...more });
  }

  /** A task at work, from any state before. */
  async run(api: ApiClient): Promise<void> {
    this.home.api = api;
    const task = this.turn === 0 ? null : await this.find(api);
    if (task === null) await this.create(api, { auto_start: true });
    else if (task.status === 'STOPPED') expect((await this.post(api, 'resume')).status).toBe(200);
    else if (task.status === 'PENDING') expect((await this.post(api, 'start')).status).toBe(200);
    await this.isAtWork(api);
  }

  async isAtWork(api: ApiClient): Promise<void> {
    await until('it is at work', async () => {
      const status = (await this.find(api))?.status;
      return status === 'RUNNING' && this.agents === 1;
    });
    this.witness.look();
  }

  async post(api: ApiClient, action: string, body?: object) {
    return api.send('POST', `${this.path}/${action}`, body);
  }

  /** Removes the task, if it exists, and everything left of it except its work. */
  async remove(api: ApiClient): Promise<void> {
    const { status } = await api.send('DELETE', this.path);
    expect([200, 404]).toContain(status);
    await this.isGone();
  }

  async isGone(): Promise<void> {
    await until('no agent is left', () => this.agents === 0);
    expect(existsSync(this.worktree)).toBe(false);
    expect(git(this.home.repository, 'worktree', 'list', '--porcelain')).not.toContain(
      this.worktree,
    );
  }

  /** Must hold at all times. */
  isWhole(): void {
    const { repository } = this.home;
    expect(this.witness.lost()).toEqual([]);
    expect(git(repository, 'status', '--porcelain')).toBe('');
    const known = readdirSync(join(repository, '.git'));
    expect(known.filter((name) => name.endsWith('.lock'))).toEqual([]);
  }
}

/** Each costs a start of a daemon and a new task. */
const STRIDE = sized({ short: 500, middle: 80, long: 1 });

/** Registers a test: the daemon is killed at each point of a verb. */
export function killsTask(name: string, makeVerb: (scene: TaskKillScene) => Verb): void {
  it(`${name} a daemon killed anywhere leaves it before or after`, async () => {
    await seeded(async (random) => {
      await using world = new World(SETTINGS);
      using scene = new TaskKillScene(world);
      using census = new AgentCensus(scene.home.repository);
      const drill = new KillPoints(world, random);
      await drill.killDuring(makeVerb(scene), STRIDE);
      scene.witness.look();
      scene.isWhole();
      git(scene.home.repository, 'fsck', '--full', '--no-dangling');
      console.log(`${drill.points} points: ${name}`);
      expect(census.doubles).toEqual([]);
    });
  });
}
