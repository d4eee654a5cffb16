/** Changes with an idempotency key, as any client sends them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { KeyedClient } from '../../support/transport/keyed-client.ts';
import { join as joinAs } from '../../support/daemon/invite-person.ts';
import { World } from '../../support/daemon/world.ts';

const PROMPT = { title: 'Tidy', content: 'Tidy the code.' };

export function testIdempotency(engine: TransportName): void {
  const open = async () => {
    const world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: 'pty' });
    const { api } = await world.start();
    const keyed = new KeyedClient(api);
    return { world, api, keyed, [Symbol.asyncDispose]: async () => world[Symbol.asyncDispose]() };
  };
  const prompts = async ({ api }: { api: KeyedClient['api'] }) =>
    (await api.get('/api/v1/prompts')).body as unknown as unknown[];

  it('IK1 IK2 a change with a key is done once, and its answer given again', async () => {
    await using opened = await open();
    const { keyed, api } = opened;
    const first = await keyed.post('k 1', '/api/v1/prompts', PROMPT);
    const again = await keyed.post('k 1', '/api/v1/prompts', PROMPT);
    expect(first).toMatchObject({ status: 201, replayed: null, body: { title: 'Tidy' } });
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(await prompts({ api })).toHaveLength(1);
    const other = await keyed.post('k 1', '/api/v1/prompts', { ...PROMPT, title: 'Else' });
    expect(other).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    const elsewhere = await keyed.post('k 1', '/api/sessions', PROMPT);
    expect(elsewhere.code).toBe('invalid_body');
    const mia = await joinAs(api, 'Mia', 'operator');
    const hers = await new KeyedClient(mia.api).post('k 1', '/api/v1/prompts', PROMPT);
    expect(hers).toMatchObject({ status: 201, replayed: null });
    expect(await prompts({ api })).toHaveLength(2);
    expect((await keyed.post(null, '/api/v1/prompts', PROMPT)).replayed).toBeNull();
    expect(await prompts({ api })).toHaveLength(3);
  });

  it('IK1 IK4 a refusal that changed nothing is no answer: the repeat is tried', async () => {
    await using opened = await open();
    const { world } = opened;
    const { keyed } = opened;
    const body = { name: 'web', cwd: join(world.root, 'tasks', 'web') };
    expect((await keyed.post('s', '/api/sessions', body)).code).toBe('cwd_missing');
    world.taskDir('web');
    expect((await keyed.post('s', '/api/sessions', body)).status).toBe(201);
    const again = await keyed.post('s', '/api/sessions', body);
    expect(again).toMatchObject({ status: 201, replayed: 'true' });
  });

  it('IK6 no secret is kept: a repeat says what was done', async () => {
    await using opened = await open();
    const { world } = opened;
    const { keyed, api } = opened;
    const invited = await keyed.post('p', '/api/people', { name: 'Mia', role: 'viewer' });
    expect(invited.status).toBe(201);
    const again = await keyed.post('p', '/api/people', { name: 'Mia', role: 'viewer' });
    expect(again).toMatchObject({ status: 409, code: 'answer_not_kept', details: { status: 201 } });
    expect(JSON.stringify(again.details)).toContain('person');
    const { people } = (await api.get('/api/people')).body as { people: unknown[] };
    expect(people).toHaveLength(1);
    const secret = /#k=([\w-]+)/.exec(String(invited.body['link']))?.[1] ?? '';
    expect(secret.length).toBeGreaterThan(20);
    for (const file of [DATABASE_FILE, `${DATABASE_FILE}-wal`]) {
      expect(readFileSync(join(world.home, file)).includes(secret)).toBe(false);
    }
  });

  it('IK6 a large answer is not kept, and nothing is done again', async () => {
    await using opened = await open();
    const { keyed, api } = opened;
    const large = { title: 'Large', content: 'x'.repeat(20_000) };
    expect((await keyed.post('l', '/api/v1/prompts', large)).status).toBe(201);
    const again = await keyed.post('l', '/api/v1/prompts', large);
    expect(again).toMatchObject({ status: 409, code: 'answer_not_kept', details: { status: 201 } });
    expect(await prompts({ api })).toHaveLength(1);
  });

  it('IK8 IK9 typing takes no key; a key opens nothing', async () => {
    await using opened = await open();
    const { world } = opened;
    const { keyed, api } = opened;
    await api.openSession('web', world.taskDir('web'));
    const typed = await keyed.post('t', '/api/sessions/web/input', { text: 'x', submit: false });
    expect(typed).toMatchObject({ status: 400, code: 'invalid_idempotency_key' });
    const ticket = await keyed.post('t', '/api/tickets', undefined);
    expect(ticket.code).toBe('invalid_idempotency_key');
    for (const key of ['x'.repeat(81), 'x\ty']) {
      expect((await keyed.post(key, '/api/v1/prompts', PROMPT)).code).toBe(
        'invalid_idempotency_key',
      );
    }
    expect(await prompts({ api })).toEqual([]);
    const mia = await joinAs(api, 'Mia', 'operator');
    const hers = new KeyedClient(mia.api);
    expect((await hers.post('t', '/api/v1/prompts', PROMPT)).status).toBe(201);
    await api.send('PATCH', `/api/people/${mia.id}`, { role: 'viewer' });
    expect((await hers.post('t', '/api/v1/prompts', PROMPT)).code).toBe('role_too_low');
    await api.send('DELETE', `/api/people/${mia.id}`);
    expect((await hers.post('t', '/api/v1/prompts', PROMPT)).code).toBe('unauthorized');
    expect(await prompts({ api })).toHaveLength(1);
  });
}
