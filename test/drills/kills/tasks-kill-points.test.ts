/** A daemon killed before each of its system calls while it acts on a task. */
import { expect } from 'vitest';
import { killsTask } from '../../support/tasks/task-kill-scene.ts';
import { until } from '../../support/house/until.ts';

killsTask('TF5 TF6 while a task is created', (scene) => ({
  prepare: async (api) => {
    if (scene.turn > 0) await scene.remove(api);
    scene.turn += 1;
  },
  async act({ api }, acknowledged) {
    scene.home.api = api;
    await scene.home.create(scene.name);
    acknowledged();
  },
  async check(api, acknowledged) {
    const task = await scene.find(api);
    if (acknowledged) expect(task).not.toBeNull();
    if (task === null) {
      await scene.isGone();
      // Nothing of it blocks the next.
      scene.home.api = api;
      await scene.home.create(scene.name);
    }
    expect(await scene.find(api)).toMatchObject({ status: 'PENDING', iterations: 0 });
    expect((await scene.post(api, 'start')).status).toBe(200);
    await scene.isAtWork(api);
    scene.isWhole();
  },
}));

killsTask('TF5 TF6 while a task is started', (scene) => ({
  prepare: async (api) => scene.create(api),
  async act({ api }, acknowledged) {
    expect((await scene.post(api, 'start')).status).toBe(200);
    acknowledged();
    await scene.isAtWork(api);
  },
  async check(api, acknowledged) {
    const task = await scene.find(api);
    const isBefore = task?.status === 'PENDING' && task.queue_position === null;
    const begun = (await api.events('&types=task.status')).some(
      ({ data }) => 'task' in data && data.task === scene.name,
    );
    if (acknowledged) expect(begun).toBe(true);
    if (!begun) expect({ isBefore, agents: scene.agents }).toEqual({ isBefore: true, agents: 0 });
    else await scene.isAtWork(api);
    expect(scene.turns).toBeLessThanOrEqual(1);
    scene.isWhole();
  },
}));

killsTask('TF5 TF6 while a person says something', (scene) => {
  let said = 0;
  const words = () => `The word is w${said}.`;
  return {
    prepare: async (api) => scene.run(api),
    async act({ api }, acknowledged) {
      said += 1;
      const body = { input: words(), interrupt: true };
      expect((await scene.post(api, 'user-input', body)).status).toBe(200);
      acknowledged();
      await until('it is heard', () => scene.heard(words()) === 1);
    },
    async check(api, acknowledged) {
      const queue = await scene.home.inputs(scene.name, api);
      const kept = queue.queue_preview.find(({ input_preview }) => input_preview === words());
      if (acknowledged) expect(kept).toBeDefined();
      await until('nothing waits', async () => {
        const { queue_preview } = await scene.home.inputs(scene.name, api);
        return queue_preview.every(({ state }) => state === 'delivered' || state === 'unknown');
      });
      await scene.isAtWork(api);
      const after = (await scene.home.inputs(scene.name, api)).queue_preview;
      const state = after.find(({ input_preview }) => input_preview === words())?.state;
      const times = { delivered: [1], unknown: [0, 1] }[String(state)] ?? [0];
      expect(times, `it is ${state ?? 'not kept'}`).toContain(scene.heard(words()));
      scene.isWhole();
    },
  };
});

killsTask('TF5 TF6 while a task is stopped', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    expect((await scene.post(api, 'stop')).status).toBe(200);
    acknowledged();
  },
  async check(api, acknowledged) {
    const task = await scene.find(api);
    if (acknowledged) expect(task?.status).toBe('STOPPED');
    if (task?.status === 'STOPPED') {
      expect(task.reason).toBe('user_stop');
      await until('no agent is left', () => scene.agents === 0);
      expect((await scene.find(api))?.status).toBe('STOPPED');
    } else await scene.isAtWork(api);
    scene.isWhole();
  },
}));

killsTask('TF5 TF6 while a task is cleared and restarted', (scene) => {
  let before = '';
  return {
    async prepare(api) {
      await scene.run(api);
      before = scene.name;
    },
    async act({ api }, acknowledged) {
      expect((await scene.post(api, 'clear-and-restart')).status).toBe(200);
      acknowledged();
      await scene.isAtWork(api);
    },
    async check(api, acknowledged) {
      const task = await scene.find(api);
      expect(task?.task_name).toBe(before);
      if (acknowledged) expect(['PENDING', 'RUNNING']).toContain(task?.status);
      if (
        task?.status === 'STOPPED' ||
        (task?.status === 'PENDING' && task.queue_position === null)
      ) {
        await until('no agent is left', () => scene.agents === 0);
      }
      await scene.run(api);
      scene.isWhole();
    },
  };
});

killsTask('TF5 TF6 while a task is deleted', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ api }, acknowledged) {
    expect((await api.send('DELETE', scene.path)).status).toBe(200);
    acknowledged();
  },
  async check(api, acknowledged) {
    const task = await scene.find(api);
    if (acknowledged) expect(task).toBeNull();
    if (task === null) await scene.isGone();
    else if (task.status === 'STOPPED') await until('no agent', () => scene.agents === 0);
    else await scene.isAtWork(api);
    await scene.remove(api);
    expect(await scene.find(api)).toBeNull();
    scene.isWhole();
  },
}));
