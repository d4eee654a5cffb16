/** The door between hosts on the other engine. */
import { expect, it } from 'vitest';
import { openPair, through, OWNER_TOKEN } from '../../support/fleet/fleet-world.ts';
import { onEngine } from '../../support/transport/on-engine.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

await onEngine('uws', (engine) => {
  it('FH1 FH8 FH10 FH17 requests, bodies and WebSockets pass between hosts', async () => {
    await using pair = await openPair({
      LOOPWATCH_TRANSPORT: engine,
      LOOPWATCH_ACCEPT_REMOTE_INPUT: 'on',
    });
    const { one, two } = pair;
    await openShell(two.api, 'web', two.world.taskDir('web'));
    const gate = through(one, OWNER_TOKEN);
    const content = 'é'.repeat(15_000);
    for (let index = 0; index < 40; index += 1) {
      const made = await gate.send('POST', '/api/v1/prompts', { title: `p${index}`, content });
      expect(made.status).toBe(201);
    }
    const all = '/api/v1/prompts?limit=40';
    expect(await gate.get(all)).toEqual(await two.api.get(all));
    const own = { title: 'own', content: 'x' };
    const local = through(one, OWNER_TOKEN, 'one');
    expect((await local.send('POST', '/api/v1/prompts', own)).status).toBe(201);
    expect((await one.api.get('/api/v1/prompts')).body).toHaveLength(1);
    await using client = new WsClient(gate.url, { token: OWNER_TOKEN });
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
    client.socket.send(Buffer.from('seq 1 40000 | tail -c 150000; echo end-$((20+1))\r'));
    await until('all output', () => output.includes('end-21'));
  });
});
