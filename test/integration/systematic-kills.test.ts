/** A daemon killed before each of its system calls, for each thing it does; see `kill-drill.test.ts`. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../server/lib/clock.ts';
import type { EventRecord } from '../../shared/events.ts';
import { AgentCensus, agentsIn } from '../support/agent-census.ts';
import type { ApiClient } from '../support/api-client.ts';
import { EventHome, fill } from '../support/event-home.ts';
import { runRelay, type RelayRun, writeRunFile } from '../support/hook-relay.ts';
import { KillPoints, type Start, type Verb } from '../support/kill-points.ts';
import { seeded } from '../support/random.ts';
import { putSignal, signalText } from '../support/signal-files.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

const SETTINGS = {
  ...{ LOOPWATCH_STOP_GRACE_MS: '100', LOOPWATCH_KILL_GRACE_MS: '100' },
  LOOPWATCH_RESTART_DELAYS_MS: '30,30,30',
};
const LOOP = '/api/sessions/web/task-auto';
const ASK = {
  ...{ hook_event_name: 'PermissionRequest', session_id: 'x', tool_name: 'Bash' },
  tool_input: { command: 'true', description: 'Do nothing' },
};

let points = 0;
afterAll(() => console.log(`${points} kill points in all`));

/** One world, its loop's directory, and how often which event was told. */
class Scene {
  readonly world = new World(SETTINGS);
  readonly directory = this.world.taskDir('web');
  /** Grows with each act, so that each can be told from the others. */
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

  /** A running loop with an agent, whatever was before. */
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

  /** No loop, and nobody in front of the shell. */
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

function kills(name: string, makeVerb: (scene: Scene) => Verb): void {
  it(`FA12 RC1 RC2 RC3 a daemon killed anywhere while ${name} loses and doubles nothing`, async () => {
    await seeded(async (random) => {
      const scene = new Scene();
      await using world = scene.world;
      using census = new AgentCensus(join(world.root, 'tasks'));
      const drill = new KillPoints(world, random);
      const began = performance.now();
      await drill.killDuring(makeVerb(scene));
      report(name, drill.points, began);
      expect(census.doubles).toEqual([]);
    });
  });
}

function report(name: string, count: number, began: number): void {
  points += count;
  const took = (performance.now() - began) / 1_000;
  console.log(`${count} points while ${name}: ${took.toFixed(1)} s`);
}

async function about(api: ApiClient, type: string): Promise<EventRecord[]> {
  return api.events(`&types=${type}`);
}

async function inputsOf(api: ApiClient): Promise<{ text: string; delivery: string }[]> {
  const { body } = await api.get('/api/sessions/web/inputs');
  return (body as unknown as { inputs: { text: string; delivery: string }[] }).inputs;
}

kills('a session is opened', (scene) => ({
  async act({ api }, acknowledged) {
    scene.turn += 1;
    await api.openSession(`s${scene.turn}`, scene.directory);
    acknowledged();
  },
  async check(api, acknowledged) {
    const name = `s${scene.turn}`;
    await until('it is open or not there', async () => {
      const { status, body } = await api.get(`/api/sessions/${name}`);
      return (status === 404 && !acknowledged) || body['status'] === 'open';
    });
    await api.send('DELETE', `/api/sessions/${name}`);
    await until(
      'it is closed',
      async () => (await api.get(`/api/sessions/${name}`)).status === 404,
    );
  },
}));

kills('a loop is started', (scene) => {
  let before = 0;
  return {
    async prepare(api) {
      await scene.open(api);
      await scene.idle(api);
      before = scene.launches;
    },
    async act({ api }, acknowledged) {
      if ((await scene.start(api)) === 201) acknowledged();
    },
    async check(api, acknowledged) {
      const number = 100 + scene.turn;
      const started = (await about(api, 'auto.started')).filter(
        ({ data }) => 'timeout_minutes' in data && data.timeout_minutes === number,
      );
      expect(started.length).toBeLessThanOrEqual(1);
      if (acknowledged) expect(started).toHaveLength(1);
      if (started.length === 1) {
        await until('its agent runs', async () => (await api.loop('web')).status === 'running');
        await until('one agent', () => scene.agents === 1);
      }
      expect(scene.launches - before).toBe(started.length);
    },
  };
});

kills('a loop is stopped', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    expect((await api.send('DELETE', LOOP)).status).toBe(202);
    acknowledged();
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
  },
  async check(api, acknowledged) {
    const last = (await about(api, 'auto.started')).at(-1)?.seq ?? 0;
    const asked = (await about(api, 'auto.stop_requested')).some(({ seq }) => seq > last);
    if (acknowledged) expect(asked).toBe(true);
    if (!asked) return expect((await api.loop('web')).status).toBe('running');
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
    await until('the agent has ended', () => scene.agents === 0);
    const ends = (await about(api, 'auto.ended')).filter(({ seq }) => seq > last);
    expect(ends).toMatchObject([{ data: { reason: 'user_stop', restart_count: 0 } }]);
  },
}));

kills('a signal is accepted', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    scene.iteration += 1;
    putSignal(scene.directory, signalText({ iteration: scene.iteration }));
    await until('it is told', async () => (await api.loop('web')).iteration === scene.iteration);
    acknowledged();
  },
  async check(api) {
    const { iteration } = scene;
    await until('it is told', async () => (await api.loop('web')).iteration === iteration);
    const last = (await about(api, 'auto.started')).at(-1)?.seq ?? 0;
    const told = (await about(api, 'auto.signal')).filter(({ seq }) => seq > last);
    const counts = told.map(({ data }) => ('iteration' in data ? data.iteration : null));
    expect(counts).toEqual(Array.from({ length: iteration }, (_, n) => n + 1));
  },
}));

kills('limits are changed', (scene) => {
  let before = 1_000;
  return {
    async prepare(api) {
      await scene.run(api);
      before = (await api.loop('web')).max_iterations ?? 0;
    },
    async act({ api }, acknowledged) {
      scene.turn += 1;
      expect((await api.send('PATCH', LOOP, { maxIterations: 500 + scene.turn })).status).toBe(200);
      acknowledged();
    },
    async check(api, acknowledged) {
      const wanted = 500 + scene.turn;
      const { max_iterations } = await api.loop('web');
      expect(acknowledged ? [wanted] : [wanted, before]).toContain(max_iterations);
      const told = (await about(api, 'auto.limits_changed')).filter(
        ({ data }) => 'max_iterations' in data && data.max_iterations === wanted,
      );
      expect(told).toHaveLength(max_iterations === wanted ? 1 : 0);
    },
  };
});

kills('input is typed', (scene) => {
  const typed = () => {
    const file = join(scene.directory, 'typed');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  };
  return {
    async prepare(api) {
      await scene.open(api);
      await until('its prompt', async () =>
        JSON.stringify((await api.get('/api/sessions/web/screen')).body['lines']).includes('#'),
      );
    },
    async act({ api }, acknowledged) {
      scene.turn += 1;
      const text = `echo ${scene.turn} >> typed`;
      const { status, body } = await api.send('POST', '/api/sessions/web/input', {
        text,
        submit: true,
      });
      expect(status).toBeLessThan(300);
      if (body['delivery'] === 'delivered') acknowledged();
    },
    async check(api, acknowledged) {
      const word = String(scene.turn);
      const mine = (await inputsOf(api)).find(({ text }) => text === `echo ${word} >> typed`);
      if (acknowledged) expect(mine?.delivery).toBe('delivered');
      await until('it is settled', async () => {
        return (await inputsOf(api)).every(
          ({ delivery }) => delivery !== 'held' && delivery !== 'delivering',
        );
      });
      if (acknowledged) await until('it was run', () => typed().includes(word));
      expect(typed().filter((line) => line === word).length).toBeLessThanOrEqual(1);
    },
  };
});

kills('a crashed agent is started again', (scene) => {
  let before = 0;
  let crashed = 0;
  return {
    async prepare(api) {
      await scene.run(api);
      // Progress forgives the restarts before.
      scene.iteration += 1;
      putSignal(scene.directory, signalText({ iteration: 1_000 - 900 + scene.iteration }));
      const { iteration } = scene;
      await until('progress', async () => ((await api.loop('web')).iteration ?? 0) >= iteration);
      before = scene.launches;
    },
    async act({ api }, acknowledged) {
      [crashed = 0] = agentsIn(scene.directory);
      process.kill(crashed, 'SIGKILL');
      await until('it is started again', async () => {
        const { status } = await api.loop('web');
        return status === 'running' && scene.launches > before;
      });
      acknowledged();
    },
    async check(api) {
      await until('it runs again', async () => {
        return (await api.loop('web')).status === 'running' && scene.agents === 1;
      });
      expect(agentsIn(scene.directory)).not.toContain(crashed);
      expect(scene.launches - before).toBe(1);
    },
  };
});

kills('a loop comes to its end', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    putSignal(
      scene.directory,
      signalText({ step: 'report', result: '(generated)', next: '(stop)' }),
    );
    for (const pid of agentsIn(scene.directory)) process.kill(pid, 'SIGKILL');
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
    acknowledged();
  },
  async check(api) {
    const last = (await about(api, 'auto.started')).at(-1)?.seq ?? 0;
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
    const told = (await about(api, 'auto.*')).filter(({ seq }) => seq >= last);
    expect(told.map(({ type }) => type)).toEqual(['auto.started', 'auto.signal', 'auto.ended']);
    expect(told.at(-1)?.data).toMatchObject({ reason: 'completed' });
    expect(scene.agents).toBe(0);
  },
}));

kills('an answer is given to an agent', (scene) => {
  let relay: RelayRun | null = null;
  let id = '';
  const open = async (api: ApiClient) =>
    ((await api.get('/api/attention')).body as { items: { id: string; request: unknown }[] }).items;
  return {
    async prepare(api) {
      await scene.run(api);
      relay ??= runRelay(scene.world, writeRunFile(scene.world), ASK);
      id = await until(
        'it asks',
        async () => (await open(api)).find(({ request }) => request !== null)?.id,
      );
    },
    async act({ api }, acknowledged) {
      const { status } = await api.send('POST', `/api/attention/${id}/answer`, {
        decision: 'allow',
      });
      expect(status).toBe(200);
      acknowledged();
      await relay?.ended;
    },
    async check(api, acknowledged) {
      const told = (await about(api, 'attention.cleared')).filter(
        ({ data }) => 'id' in data && data.id === id,
      );
      expect(told).toHaveLength(1);
      if (acknowledged) expect(told[0]?.data).toMatchObject({ outcome: 'answered' });
      if (relay !== null && (relay.child.exitCode ?? relay.child.signalCode) !== null) {
        expect((await relay.ended).stdout).toContain('"behavior":"allow"');
        relay = null;
      }
      expect((await open(api)).length).toBeLessThanOrEqual(1);
    },
  };
});

kills('it ends itself', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ process: child }, acknowledged) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    if ((await gone)[0] === 0) acknowledged();
  },
  async check(api) {
    await until('its loop goes on', async () => (await api.loop('web')).status === 'running');
    expect({ agents: scene.agents, launches: scene.launches }).toEqual({ agents: 1, launches: 1 });
  },
}));

it('FA12 RC1 RC2 a daemon killed anywhere in its start is followed by one that takes up its loop', async () => {
  const scene = new Scene();
  await startKills('it starts', scene.world, {
    isFresh: false,
    async check(api) {
      await scene.run(api);
      expect({ agents: scene.agents, launches: scene.launches }).toEqual({
        agents: 1,
        launches: 1,
      });
    },
  });
});

it('FA12 ST1 a daemon killed anywhere in its first start is followed by one that makes the home', async () => {
  const world = new World();
  await startKills('it starts for the first time', world, {
    isFresh: true,
    prepare: () => rmSync(world.home, { recursive: true, force: true }),
    async check(api) {
      const types = (await api.events()).map(({ type }) => type);
      expect(new Set(types)).toEqual(new Set(['daemon.started']));
    },
  });
});

it('FA12 EV2 EV9 a daemon killed anywhere while it removes old events loses none that it keeps', async () => {
  const world = new World({ LOOPWATCH_RETENTION_EVENTS: '100' });
  await startKills('it removes old events', world, {
    isFresh: true,
    prepare() {
      using home = new EventHome(world.home);
      fill(home.open({}, systemClock).log, 300);
    },
    async check(api) {
      const { head } = (await api.get('/api/status')).body as { head: number };
      const seqs = (await api.events()).map(({ seq }) => seq);
      const oldest = head - seqs.length + 1;
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, n) => oldest + n));
      expect(seqs.length).toBeGreaterThanOrEqual(100);
      expect(seqs.length).toBeLessThan(110);
    },
  });
});

async function startKills(name: string, made: World, start: Start): Promise<void> {
  await seeded(async (random) => {
    await using world = made;
    const drill = new KillPoints(world, random);
    const began = performance.now();
    await drill.killStarts(start);
    report(name, drill.points, began);
  });
}
