import { once } from 'node:events';
import { expect, it } from 'vitest';
import { World } from '../../support/daemon/world.ts';

it('GA11 the signal that opens the inspector of Node opens nothing in the daemon', async () => {
  await using world = new World();
  const { api, process: child } = await world.spawn();
  let printed = '';
  child.stderr?.on('data', (data: Buffer) => (printed += data.toString()));
  child.kill('SIGUSR1');
  // Node handles the signal in a tick of the event loop.
  for (let count = 0; count < 20; count += 1) expect((await api.get('/healthz')).status).toBe(200);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  // The inspector prints its address, or that its port is in use.
  expect(printed).toBe('');
});
