/** A daemon killed before each of its system calls while it acts on a loop. */
import { expect } from 'vitest';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { eventsOf, kills, LOOP } from '../../support/drills/kill-scene.ts';
import { putSignal, signalText } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';

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
      const started = (await eventsOf(api, 'auto.started')).filter(
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
    const last = (await eventsOf(api, 'auto.started')).at(-1)?.seq ?? 0;
    const asked = (await eventsOf(api, 'auto.stop_requested')).some(({ seq }) => seq > last);
    if (acknowledged) expect(asked).toBe(true);
    if (!asked) {
      expect((await api.loop('web')).status).toBe('running');
      return;
    }
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
    await until('the agent has ended', () => scene.agents === 0);
    const ends = (await eventsOf(api, 'auto.ended')).filter(({ seq }) => seq > last);
    expect(ends).toMatchObject([{ data: { reason: 'user_stop', restart_count: 0 } }]);
  },
}));

kills('a signal is accepted', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    scene.iteration += 1;
    putSignal(scene.directory, signalText({ iteration: scene.iteration }));
    await until(
      'it is published',
      async () => (await api.loop('web')).iteration === scene.iteration,
    );
    acknowledged();
  },
  async check(api) {
    const { iteration } = scene;
    await until('it is published', async () => (await api.loop('web')).iteration === iteration);
    const last = (await eventsOf(api, 'auto.started')).at(-1)?.seq ?? 0;
    const signals = (await eventsOf(api, 'auto.signal')).filter(({ seq }) => seq > last);
    const counts = signals.map(({ data }) => ('iteration' in data ? data.iteration : null));
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
      const changes = (await eventsOf(api, 'auto.limits_changed')).filter(
        ({ data }) => 'max_iterations' in data && data.max_iterations === wanted,
      );
      expect(changes).toHaveLength(max_iterations === wanted ? 1 : 0);
    },
  };
});

kills('a crashed agent is started again', (scene) => {
  let before = 0;
  let crashed = 0;
  return {
    async prepare(api) {
      await scene.run(api);
      // Progress resets the count of restarts.
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
    const last = (await eventsOf(api, 'auto.started')).at(-1)?.seq ?? 0;
    await until('it has ended', async () => (await api.loop('web')).status === 'stopped');
    const published = (await eventsOf(api, 'auto.*')).filter(({ seq }) => seq >= last);
    expect(published.map(({ type }) => type)).toEqual([
      'auto.started',
      'auto.signal',
      'auto.ended',
    ]);
    expect(published.at(-1)?.data).toMatchObject({ reason: 'completed' });
    expect(scene.agents).toBe(0);
  },
}));
