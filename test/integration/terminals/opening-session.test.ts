/** A session is announced before its terminal is open; pages ask for its screen at once. */
import { expect, it } from 'vitest';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

it('SE22 a screen asked for while its terminal is being opened is shown', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using client = await WsClient.connect(api);
  client.send({ type: 'subscribe', id: 1, types: ['session.created'], after: 0 });
  for (let n = 0; n < 10; n += 1) {
    const name = `web${n}`;
    const opened = api.send('POST', '/api/sessions', { name, cwd: world.taskDir(name) });
    const { event } = await client.next('event');
    expect(event.session).toBe(name);
    client.send({ type: 'watch', session: name });
    const first = await client.next('screen', 'screen_closed', 'error');
    expect(first).toMatchObject({ type: 'screen', session: name });
    client.send({ type: 'unwatch', session: name });
    expect((await opened).status).toBe(201);
  }
});
