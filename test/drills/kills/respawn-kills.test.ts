/** A daemon killed before each of its system calls while respawn is started, stopped, or sends a step. */
import { expect, it } from 'vitest';
import { DEFAULT_RESPAWN_CONFIG } from '../../../shared/schema/loops/respawn.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { KillPoints, type Verb } from '../../support/drills/kill-points.ts';
import { pressKeys } from '../../support/browser/press-keys.ts';
import { seeded } from '../../support/house/random.ts';
import { Respawning } from '../../support/respawn/respawning.ts';
import {
  agentState,
  openAgent,
  stageAgent,
  textsReceived,
} from '../../support/terminals/talking-agent.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** Nothing is sent while a person acts. */
const SLOW = { inter_step_delay_ms: 60_000 };
const CLEAR_LINE = '\u0015';

class RespawnScene {
  readonly world = new World();

  constructor() {
    stageAgent(this.world);
  }

  /** A session with an agent at its empty prompt, and no respawn. */
  async idle(api: ApiClient): Promise<Respawning> {
    if ((await api.get('/api/sessions/web')).status === 404) await openAgent(this.world, api);
    const respawn = new Respawning(api);
    await respawn.order('stop');
    await pressKeys(this.world, CLEAR_LINE);
    await until('the agent is ready', async () => (await agentState(api)) === 'ready');
    return respawn;
  }

  /** Respawn in the pause before its first step. */
  async sending(api: ApiClient): Promise<Respawning> {
    const respawn = await this.idle(api);
    expect((await respawn.start(SLOW)).status).toBe(201);
    await respawn.reaches('sending_update');
    return respawn;
  }

  get updates(): number {
    const { update_prompt: update } = DEFAULT_RESPAWN_CONFIG;
    return textsReceived(this.world).filter((text) => text === update).length;
  }
}

function kills(name: string, makeVerb: (scene: RespawnScene) => Verb): void {
  it(`RS54 a daemon killed anywhere while respawn ${name} sends nothing twice and forgets no stop`, async () => {
    await seeded(async (random) => {
      const scene = new RespawnScene();
      await using world = scene.world;
      const drill = new KillPoints(world, random);
      await drill.killDuring(makeVerb(scene));
      console.log(`${drill.points} points while respawn ${name}`);
    });
  });
}

async function ownerOf(api: ApiClient): Promise<unknown> {
  return (await api.get('/api/sessions/web')).body['owner'];
}

kills('is started', (scene) => {
  let before = 0;
  return {
    async prepare(api) {
      before = (await (await scene.idle(api)).view()).runs;
    },
    async act({ api }, acknowledged) {
      expect((await new Respawning(api).start(SLOW)).status).toBe(201);
      acknowledged();
    },
    async check(api, acknowledged) {
      const { runs, state } = await new Respawning(api).view();
      expect(acknowledged ? [before + 1] : [before, before + 1]).toContain(runs);
      expect(state === 'stopped').toBe(runs === before);
      expect(await ownerOf(api)).toBe(runs === before ? null : 'respawn');
      expect(scene.updates).toBe(0);
    },
  };
});

kills('is stopped', (scene) => ({
  async prepare(api) {
    await scene.sending(api);
  },
  async act({ api }, acknowledged) {
    expect((await new Respawning(api).order('stop')).status).toBe(200);
    acknowledged();
  },
  async check(api, acknowledged) {
    const { state, stopped_by } = await new Respawning(api).view();
    const end = { state: 'stopped', stopped_by: 'person' };
    const going = { state: 'sending_update', stopped_by: null };
    expect(acknowledged ? [end] : [end, going]).toContainEqual({ state, stopped_by });
    expect(await ownerOf(api)).toBe(state === 'stopped' ? null : 'respawn');
    expect(scene.updates).toBe(0);
  },
}));

for (const [name, order, paused] of [
  ['is paused', 'pause', true],
  ['is resumed', 'resume', false],
] as const) {
  kills(name, (scene) => ({
    async prepare(api) {
      const respawn = await scene.sending(api);
      if (!paused) await respawn.order('pause');
    },
    async act({ api }, acknowledged) {
      expect((await new Respawning(api).order(order)).status).toBe(200);
      acknowledged();
    },
    async check(api, acknowledged) {
      const view = await new Respawning(api).view();
      expect(view.state).toBe('sending_update');
      expect(acknowledged ? [paused] : [paused, !paused]).toContain(view.paused);
      expect(scene.updates).toBe(0);
    },
  }));
}

kills('sends a step', (scene) => {
  let before = 0;
  return {
    async prepare(api) {
      await scene.idle(api);
      before = scene.updates;
    },
    async act({ api }, acknowledged) {
      const respawn = new Respawning(api);
      // The next step comes much later.
      await respawn.start({ send_clear: false, send_init: false });
      await respawn.reaches('waiting_update');
      acknowledged();
      await respawn.order('stop');
    },
    async check(api, acknowledged) {
      const respawn = new Respawning(api);
      // What was handed over is settled, and its state is left, with any delivery.
      const { state } = await respawn.sees('it is settled', (view) => {
        return view.state !== 'sending_update' || scene.updates === before;
      });
      expect(scene.updates - before).toBeLessThanOrEqual(1);
      if (acknowledged) expect(scene.updates - before).toBe(1);
      if (state === 'stopped') expect(await ownerOf(api)).toBe(null);
      const { inputs } = (await api.get('/api/sessions/web/inputs')).body as unknown as {
        inputs: { delivery: string; source: string }[];
      };
      expect(inputs.filter(({ delivery }) => /held|delivering/.test(delivery))).toEqual([]);
    },
  };
});
