/** Daemons of one fleet on a real NATS server. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { FleetWorld, reaches, through, OWNER_TOKEN } from '../../support/fleet/fleet-world.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const TYPING = { LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on' };

it('FH1 FH8 FH10 three daemons on a NATS server show each other: lists, large bodies, events, terminals', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld();
  const one = await fleet.host('one', TYPING, server.url);
  const two = await fleet.host('two', TYPING, server.url);
  const six = await fleet.host('six', TYPING, server.url);
  await reaches(one, 'two');
  await reaches(one, 'six');
  await reaches(six, 'two');
  await openShell(two.api, 'web', two.world.taskDir('web'));
  const gate = through(one, OWNER_TOKEN);
  expect(await gate.get('/api/sessions')).toEqual(await two.api.get('/api/sessions'));
  expect(await through(six, OWNER_TOKEN).get('/api/sessions')).toEqual(
    await two.api.get('/api/sessions'),
  );
  const content = 'é'.repeat(15_000);
  for (let index = 0; index < 80; index += 1) {
    const made = await gate.send('POST', '/api/v1/prompts', { title: `p${index}`, content });
    expect(made.status).toBe(201);
  }
  const all = JSON.stringify((await gate.get('/api/v1/prompts?limit=80')).body);
  const own = JSON.stringify((await two.api.get('/api/v1/prompts?limit=80')).body);
  expect(all.length).toBeGreaterThan(1_200_000);
  expect(hash(all)).toBe(hash(own));

  const { ticket } = (await gate.send('POST', '/api/tickets')).body as unknown as {
    ticket: string;
  };
  await using client = new WsClient(gate.url, { protocols: ['loopwatch.v1', `ticket.${ticket}`] });
  await client.next('welcome');
  client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
  const { head } = (await two.api.get('/api/status')).body as unknown as { head: number };
  const seqs: number[] = [];
  while ((seqs.at(-1) ?? 0) < head) seqs.push((await client.next('event')).event.seq);
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_each, index) => index + 1));
  let output = '';
  client.onBytes = (bytes) => (output += bytes.toString('utf8'));
  client.send({ type: 'attach', session: 'web', cols: 100, rows: 30 });
  await client.next('attached');
  client.socket.send(Buffer.from('echo through-$((20+1))\r'));
  await until('the answer', () => output.includes('through-21'));
});

it('FH11 FH13 the server is killed: hosts work alone, and show each other again when it is back', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld();
  const one = await fleet.host('one', TYPING, server.url);
  const two = await fleet.host('two', TYPING, server.url);
  await reaches(one, 'two');
  const gate = through(one, OWNER_TOKEN);
  const client = new WsClient(gate.url, { token: OWNER_TOKEN });
  await client.next('welcome');
  await server.kill();
  expect((await client.closed).code).toBe(4011);
  expect(refusal(await gate.get('/api/sessions'))).toBe('503 host_unreachable');
  await two.api.openSession('alone', two.world.taskDir('alone'));
  await server.resume();
  await until(
    'it is shown again',
    async () => (await gate.get('/api/sessions/alone')).status === 200,
  );
});

it('FH19 a second daemon with a host id on a NATS server stays out, and works alone', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld();
  const one = await fleet.host('one', TYPING, server.url);
  const two = await fleet.host('two', TYPING, server.url);
  await reaches(one, 'two');
  const copy = await fleet.copyOf(two, server.url);
  const problem = await until('it notices', async () => {
    const { body } = await copy.api.get('/api/hosts');
    return body['problem'] as { code: string } | null;
  });
  expect(problem.code).toBe('duplicate_host_id');
  await copy.api.openSession('local', copy.world.taskDir('local'));
  // Not in the middle of what is being closed.
  const gate = through(one, OWNER_TOKEN);
  const answer = await until('the first one answers', async () => {
    const given = await gate.get('/api/sessions/local');
    return given.status === 503 ? null : given;
  });
  expect(refusal(answer)).toBe('404 session_unknown');
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
