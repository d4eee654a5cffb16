/** A daemon killed before each of its system calls while it does what came with a key. */
import { expect } from 'vitest';
import { KeyedClient } from '../../support/transport/keyed-client.ts';
import { killsTask } from '../../support/tasks/task-kill-scene.ts';

killsTask('IK5 a task created with an idempotency key, and its start:', (scene) => {
  const ask = async (api: KeyedClient['api']) =>
    new KeyedClient(api).post(`key ${scene.turn}`, '/api/v1/tasks', {
      task_name: scene.name,
      description: 'Greet by name.',
      root_folder: scene.home.repository,
      max_iterations: 1_000,
      auto_start: true,
    });
  return {
    prepare: async (api) => {
      if (scene.turn > 0) await scene.remove(api);
      scene.turn += 1;
    },
    async act({ api }, acknowledged) {
      expect((await ask(api)).status).toBe(200);
      acknowledged();
    },
    async check(api, acknowledged) {
      const repeat = await ask(api);
      expect(repeat).toMatchObject({ status: 200, body: { task_name: scene.name } });
      if (acknowledged) expect(repeat.replayed).toBe('true');
      expect(await ask(api)).toEqual({ ...repeat, replayed: 'true' });
      const created = (await api.events('&types=task.created')).filter(
        ({ data }) => 'task' in data && data.task === scene.name,
      );
      expect(created).toHaveLength(1);
      await scene.isAtWork(api);
      expect(scene.turns).toBeLessThanOrEqual(2);
      scene.isWhole();
    },
  };
});
