import { once } from 'node:events';
import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

it('GA11 the signal that opens the inspector of Node opens nothing in the daemon', async () => {
  await using world = new World();
  const { api, process: child } = await world.spawn();
  let told = '';
  child.stderr?.on('data', (data: Buffer) => (told += data.toString()));
  child.kill('SIGUSR1');
  // Node hears the signal in a turn of the event loop.
  for (let count = 0; count < 20; count += 1) expect((await api.get('/healthz')).status).toBe(200);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  // The inspector says where it listens, or that its port is taken.
  expect(told).toBe('');
});
