/** A person is removed or gets another role during use: open connections end. */
import { expect, it } from 'vitest';
import { CloseCode } from '../../../shared/rules/wire.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { openRaw } from '../../support/transport/raw-http.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

export function testPeopleLeave(engine: TransportName): void {
  it('PE6 a removed person loses socket, stream, long poll and terminal at once; others keep theirs', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    const { api } = await world.start();
    await openShell(api, 'web', world.taskDir('web'));
    const { id, api: mia } = await join(api, 'Mia', 'operator');
    await using other = await WsClient.connect(api);
    await using client = await WsClient.connect(mia);
    client.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
    expect((await client.next('attached')).control).toBe(true);
    other.send({ type: 'attach', session: 'web', cols: 100, rows: 30, control: false });
    await other.next('attached');
    const headers = { authorization: `Bearer ${mia.token}` };
    const stream = await fetch(`${mia.url}/api/events/stream`, { headers });
    const { epoch, head } = (await mia.get('/api/status')).body;
    const after = `${String(epoch)}:${String(head)}`;
    const poll = mia.get(`/api/events?after=${after}&types=auto.failed&wait=30`);

    expect((await api.send('DELETE', `/api/people/${id}`)).status).toBe(200);
    expect(await client.closed).toEqual({ code: CloseCode.accessEnded, reason: 'access_ended' });
    expect(await other.next('control')).toMatchObject({ control: false, by: null });
    await stream.text();
    expect((await poll).body.error?.code).toBe('unauthorized');
    expect((await mia.get('/api/status')).status).toBe(401);
    other.send({ type: 'ping' });
    await other.next('pong');
  });

  it('PE7 a person whose role changes has to reconnect, and has the rights of the new role', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    const { api } = await world.start();
    await openShell(api, 'web', world.taskDir('web'));
    const { id, api: mia } = await join(api, 'Mia', 'operator');
    await using before = await WsClient.connect(mia);
    before.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
    await before.next('attached');
    await api.send('PATCH', `/api/people/${id}`, { role: 'viewer' });
    expect((await before.closed).code).toBe(CloseCode.identityChanged);
    expect((await mia.get('/api/me')).body).toEqual({ id, name: 'Mia', role: 'viewer' });
    await using after = await WsClient.connect(mia);
    after.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
    expect(await after.next('error')).toMatchObject({ code: 'role_too_low' });
    expect((await mia.send('DELETE', '/api/sessions/web')).status).toBe(403);
  });

  it('PE6 a request whose body is still on its way when its sender is removed does nothing', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const { id, api: mia } = await join(api, 'Mia', 'operator');
    const body = JSON.stringify({ name: 'late', cwd: world.taskDir('late') });
    const socket = openRaw(mia.url, {
      method: 'POST',
      target: '/api/sessions',
      headers: [
        ['Host', new URL(mia.url).host],
        ['Authorization', `Bearer ${mia.token}`],
        ['Content-Type', 'application/json'],
        ['Content-Length', String(body.length)],
        ['Connection', 'close'],
      ],
      body: body.slice(0, 5),
    });
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    // By the time its sender is seen, the head has arrived and passed the gate.
    await until('the request has begun', async () => (await mia.get('/api/me')).status === 200);
    await api.send('DELETE', `/api/people/${id}`);
    socket.write(body.slice(5));
    await until('the answer', () => answer.includes('\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect((await api.get('/api/sessions')).body['sessions']).toEqual([]);
    socket.destroy();
  });
}
