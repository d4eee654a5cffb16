/** The loop of the kill tests, and their report. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { AgentCensus, agentsIn } from '../agents/agent-census.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { KillPoints, type Start, type Verb } from './kill-points.ts';
import { seeded } from '../house/random.ts';
import { until } from '../house/until.ts';
import { World } from '../daemon/world.ts';

const SETTINGS = {
  LOOPWATCH_STOP_GRACE_MS: '100',
  LOOPWATCH_KILL_GRACE_MS: '100',
  LOOPWATCH_RESTART_DELAYS_MS: '30,30,30',
};

export const LOOP = '/api/sessions/web/task-auto';

/** One world, its loop's directory, and how often each event was published. */
export class KillScene {
  readonly world = new World(SETTINGS);
  readonly directory = this.world.taskDir('web');
  /** Increases with each act, so that each can be distinguished. */
  turn = 0;
  iteration = 0;

  constructor() {
    this.world.writeProgram(
      'claude',
      `echo "$PWD" >> "${this.world.root}/launches"; exec sleep 1000`,
    );
  }

  async open(api: ApiClient): Promise<void> {
    if ((await api.get('/api/sessions/web')).status === 404)
      await api.openSession('web', this.directory);
  }

  /** A running loop with an agent, from any state before. */
  async run(api: ApiClient): Promise<void> {
    await this.open(api);
    const { status } = await api.loop('web');
    if (status === 'failed') await api.send('DELETE', LOOP);
    if (status !== 'running') {
      await this.idle(api);
      this.iteration = 0;
      const answer = await this.start(api);
      expect(answer).toBe(201);
    }
    await until('the agent runs', () => this.agents === 1);
  }

  async start(api: ApiClient): Promise<number> {
    this.turn += 1;
    const limits = { maxIterations: 1_000, timeoutMinutes: 100 + this.turn };
    return (await api.startLoop('web', this.directory, limits)).status;
  }

  /** No loop, and no program in the foreground of the shell. */
  async idle(api: ApiClient): Promise<void> {
    await until('no loop', async () => (await api.send('DELETE', LOOP)).status === 404);
    for (const pid of agentsIn(this.directory)) process.kill(pid, 'SIGKILL');
    await until('no agent', () => this.agents === 0);
  }

  get agents(): number {
    return agentsIn(this.directory).length;
  }

  get launches(): number {
    const file = join(this.world.root, 'launches');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }
}

/** Registers a test: the daemon is killed at each point of a verb. */
export function kills(name: string, makeVerb: (scene: KillScene) => Verb): void {
  it(`FA12 RC1 RC2 RC3 a daemon killed anywhere while ${name} loses and doubles nothing`, async () => {
    await seeded(async (random) => {
      const scene = new KillScene();
      await using world = scene.world;
      using census = new AgentCensus(join(world.root, 'tasks'));
      const drill = new KillPoints(world, random);
      await drill.killDuring(makeVerb(scene));
      report(name, drill.points);
      expect(census.doubles).toEqual([]);
    });
  });
}

function report(name: string, count: number): void {
  console.log(`${count} points while ${name}`);
}

/** The same for a start of the daemon. */
export async function killStarts(name: string, made: World, start: Start): Promise<void> {
  await seeded(async (random) => {
    await using world = made;
    const drill = new KillPoints(world, random);
    await drill.killStarts(start);
    report(name, drill.points);
  });
}

/** `type` is a filter of types. */
export async function eventsOf(api: ApiClient, type: string): Promise<EventRecord[]> {
  return api.events(`&types=${type}`);
}
