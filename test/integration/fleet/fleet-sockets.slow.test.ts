/** WebSockets of a host through another one: the same protocol, nothing lost, nothing in between. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openPair, reaches, through, OWNER_TOKEN } from '../../support/fleet/fleet-world.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const TYPING = { LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on' };

/** As the page opens it: with a ticket that the host issued. */
async function openWithTicket(gate: ApiClient): Promise<WsClient> {
  const { status, body } = await gate.send('POST', '/api/tickets');
  expect(status).toBe(201);
  const protocols = ['loopwatch.v1', `ticket.${body['ticket'] as string}`];
  return new WsClient(gate.url, { protocols });
}

it('FH8 events of a host arrive through another one, in order, each once', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  await using client = await openWithTicket(through(one, OWNER_TOKEN));
  const { epoch } = (await two.api.get('/api/status')).body as { epoch: string };
  expect(await client.next('welcome')).toMatchObject({ epoch, event_schema: EVENT_SCHEMA });
  client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
  expect(await client.next('subscribed')).toMatchObject({ id: 1 });
  for (let index = 0; index < 30; index += 1) {
    await two.api.send('POST', '/api/v1/prompts', { title: `p${index}`, content: 'x' });
    if (index % 10 === 0) await two.api.openSession(`s${index}`, two.world.taskDir('web'));
  }
  const { head } = (await two.api.get('/api/status')).body as { head: number };
  const seqs: number[] = [];
  while ((seqs.at(-1) ?? 0) < head) seqs.push((await client.next('event')).event.seq);
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_each, index) => index + 1));
  client.send({ type: 'ping' });
  await client.next('pong');
});

it('FH8 a screen is watched through another host, and a terminal attached with its bytes', async () => {
  await using pair = await openPair(TYPING);
  const { one, two } = pair;
  await openShell(two.api, 'web', two.world.taskDir('web'));
  await using client = await openWithTicket(through(one, OWNER_TOKEN));
  await client.next('welcome');
  client.send({ type: 'watch', session: 'web' });
  expect(await client.next('screen')).toMatchObject({ session: 'web', full: true });
  let output = '';
  client.onBytes = (bytes) => (output += bytes.toString('utf8'));
  client.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
  expect(await client.next('attached')).toMatchObject({ session: 'web', control: true });
  client.socket.send(Buffer.from('echo through-$((20+1))\r'));
  await until('the answer', () => output.includes('through-21'));
  await until('the screen', async () => {
    const frame = await client.next('screen');
    return JSON.stringify(frame.lines).includes('through-21');
  });
  client.send({ type: 'resize', cols: 90, rows: 20 });
  await until('the size', async () => (await client.next('attached')).cols === 90);
});

it('FH6 no frame types from another host unless this one allows it', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  await openShell(two.api, 'web', two.world.taskDir('web'));
  await using client = await openWithTicket(through(one, OWNER_TOKEN));
  await client.next('welcome');
  const refused: string[] = [];
  const attach = { type: 'attach', session: 'web', cols: 100, rows: 30 };
  for (const frame of [attach, { ...attach, take: true }, { type: 'resize', cols: 9, rows: 9 }]) {
    client.send(frame);
    refused.push((await client.next('error')).code);
  }
  client.send({ ...attach, control: false });
  expect(await client.next('attached')).toMatchObject({ control: false });
  client.socket.send(Buffer.from('touch typed\r'));
  refused.push((await client.next('error')).code);
  expect(refused).toEqual(Array(4).fill('remote_input_off'));
});

it('FH2 a viewer of the fleet sees and does not type, and knows no more than a viewer', async () => {
  await using pair = await openPair({ LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on' });
  const { one, two } = pair;
  await openShell(two.api, 'web', two.world.taskDir('web'));
  const { token } = one.daemon;
  for (const client of [
    await openWithTicket(through(one, token)),
    new WsClient(`${one.daemon.url}/hosts/two`, { token }),
  ]) {
    await client.next('welcome');
    client.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
    expect(await client.next('error')).toMatchObject({ code: 'role_too_low' });
    client.send({ type: 'watch', session: 'web' });
    await client.next('screen');
    await client[Symbol.asyncDispose]();
  }
});

it('FH9 a ticket of this node, a used one, or none opens no WebSocket of another host', async () => {
  await using pair = await openPair();
  const { one } = pair;
  const gate = through(one, one.daemon.token);
  const closeOf = async (ticket: string) => {
    const client = new WsClient(gate.url, { protocols: ['loopwatch.v1', `ticket.${ticket}`] });
    return (await client.closed).code;
  };
  const own = (await one.api.send('POST', '/api/tickets')).body['ticket'] as string;
  expect([await closeOf(own), await closeOf('x'.repeat(43))]).toEqual([1006, 1006]);
  const issued = (await gate.send('POST', '/api/tickets')).body['ticket'] as string;
  const first = new WsClient(gate.url, { protocols: ['loopwatch.v1', `ticket.${issued}`] });
  await first.next('welcome');
  expect(await closeOf(issued)).toBe(1006);
  await first[Symbol.asyncDispose]();
  // It holds on the host itself only for what it was issued for, and this node has no use for it.
  const again = (await gate.send('POST', '/api/tickets')).body['ticket'] as string;
  const wrong = new WsClient(one.daemon.url, { protocols: ['loopwatch.v1', `ticket.${again}`] });
  expect((await wrong.closed).code).toBe(1006);
  const none = new WsClient(gate.url, {});
  expect((await none.closed).code).toBe(1006);
  const unknown = new WsClient(`${one.daemon.url}/hosts/three`, { token: one.daemon.token });
  expect((await unknown.closed).code).toBe(1006);
});

it('FH9 at most 16 WebSockets wait for the decision of a host', async () => {
  await using pair = await openPair();
  const { one } = pair;
  const gate = through(one, OWNER_TOKEN);
  // What the host decides does not arrive.
  pair.carried.hold(one.id);
  const clients = Array.from({ length: 20 }, () => new WsClient(gate.url, { token: OWNER_TOKEN }));
  const ended = new Set<WsClient>();
  for (const client of clients) void client.closed.then(() => ended.add(client));
  await until('those beyond 16 are refused', () => ended.size === 4);
  await until('the others wait', () => {
    const open = clients.filter((client) => client.socket.readyState === client.socket.OPEN);
    return open.length === 16;
  });
  pair.carried.heal(one.id);
  for (const client of clients) if (!ended.has(client)) await client.next('welcome');
  await using more = new WsClient(gate.url, { token: OWNER_TOKEN });
  await more.next('welcome');
  for (const client of clients) await client[Symbol.asyncDispose]();
});

it('FH11 a WebSocket ends when its host is lost, and opens again when it is back', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const gate = through(one, OWNER_TOKEN);
  const client = await openWithTicket(gate);
  await client.next('welcome');
  pair.carried.cut(two.id);
  expect((await client.closed).code).toBe(4011);
  const meanwhile = new WsClient(gate.url, { token: OWNER_TOKEN });
  expect([1006, 4011]).toContain((await meanwhile.closed).code);
  pair.carried.heal(two.id);
  await using again = await openWithTicket(gate);
  await again.next('welcome');
});

it('FH5 a change whose answer did not come is 504, a read 503, and the change may have been done', async () => {
  const clock = new ManualClock(Date.now());
  await using pair = await openPair({}, clock);
  const { one, two } = pair;
  const gate = through(one, OWNER_TOKEN);
  // What the host answers does not arrive.
  const lost = async (ask: () => ReturnType<ApiClient['get']>) => {
    pair.carried.hold(one.id);
    const asked = ask();
    await until(
      'it waits',
      () => [...(pair.carried.carriers.get(one.id)?.channels ?? [])].length > 0,
    );
    await until('it is over', async () => {
      clock.advance(1_000);
      return Promise.race([
        asked.then(() => true),
        new Promise((resolve) => setTimeout(resolve, 5)),
      ]);
    });
    pair.carried.heal(one.id);
    await reaches(one, 'two', clock);
    return asked;
  };
  expect(refusal(await lost(async () => gate.get('/api/sessions')))).toBe('503 host_unreachable');
  const session = { name: 'made', cwd: two.world.taskDir('made') };
  const posted = await lost(async () => gate.send('POST', '/api/sessions', session));
  expect(refusal(posted)).toBe('504 outcome_unknown');
  expect((await two.api.get('/api/sessions/made')).status).toBe(200);
});

it('FH10 a reader that is slow holds back the host: nothing piles up between them', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const content = 'x'.repeat(30_000);
  for (let index = 0; index < 300; index += 1) {
    await two.api.send('POST', '/api/v1/prompts', { title: `p${index}`, content });
  }
  const all = '/api/v1/prompts?limit=300';
  const { hostname, port, host } = new URL(one.daemon.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `GET /hosts/two${all} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${OWNER_TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  socket.pause();
  const sent = () => pair.carried.carriers.get(two.id)?.sentBytes ?? 0;
  await until('the host is held back', () => sent() > 100_000);
  let steady = 0;
  let last = -1;
  await until('nothing more is sent', () => {
    steady = sent() === last ? steady + 1 : 0;
    last = sent();
    return steady > 30;
  });
  const whole = JSON.stringify((await two.api.get(all)).body).length;
  expect(whole).toBeGreaterThan(5_000_000);
  // Of more than 5 MB: what the windows and buffers between the two hold, and no more.
  expect(last).toBeLessThan(whole / 2);
  let got = 0;
  socket.on('data', (data) => (got += data.length));
  socket.resume();
  await once(socket, 'close');
  expect(got).toBeGreaterThan(whole);
});

it('FH19 the second daemon with a host id stays out of the fleet, and its own work continues', async () => {
  await using pair = await openPair();
  const { one, two } = pair;
  const copy = await pair.copyOf(two);
  const problem = await until('it notices', async () => {
    const { body } = await copy.api.get('/api/hosts');
    return body['problem'] as { code: string } | null;
  });
  expect(problem.code).toBe('duplicate_host_id');
  await copy.api.openSession('local', copy.world.taskDir('local'));
  expect((await through(one, OWNER_TOKEN).get('/api/sessions/local')).status).toBe(404);
  expect((await two.api.get('/api/hosts')).body['problem']).toBeNull();
});
