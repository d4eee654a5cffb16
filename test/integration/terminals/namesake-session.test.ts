/** A session that gets the name of one that was closed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openShell, rowsOf, runInShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

it('IN7 waiting input and typists of a session do not affect the next one of its name', async () => {
  // No poll happens between the two.
  await using world = new World({ LOOPWATCH_SIGNAL_POLL_MS: '600000' });
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  world.writeClient('', 'echo $$ > started; read -r line');
  await openShell(api, 'web', cwd);
  await runInShell(api, 'web', 'claude', join(cwd, 'started'));
  expect(await typeInto(api, 'web', 'touch old')).toBe('held');
  const client = await WsClient.connect(api);
  client.send({ type: 'attach', session: 'web', cols: 120, rows: 40 });
  await client.next('attached');
  client.socket.send(Buffer.from('x'));
  await until('the key', async () => (await rowsOf(api, 'web')).includes('x'));
  await api.send('DELETE', '/api/sessions/web');
  await openShell(api, 'web', cwd);
  expect((await api.get('/api/sessions/web/inputs')).body['inputs']).toEqual([]);
  expect(await typeInto(api, 'web', 'touch new')).toBe('typed');
  await until('the new one', () => existsSync(join(cwd, 'new')));
  expect(existsSync(join(cwd, 'old'))).toBe(false);
  client.socket.terminate();
});
