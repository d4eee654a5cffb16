/** Sessions of the client in the background, running and ended: a script as the client. */
import { expect, it } from 'vitest';
import { eventsOf } from '../../support/found/found-events.ts';
import { find, FoundWorld, gone } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { projectOf, ResumableClient } from '../../support/events/resumable-client.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

const asked = ({ calls }: ResumableClient) => calls.filter((words) => words.startsWith('agents'));

async function ended(api: ApiClient) {
  return (await api.get('/api/background')).body['sessions'] as { id: string; result: string }[];
}

function words(text: string, more: object = {}) {
  return { type: 'assistant', message: { model: 'm', content: [{ type: 'text', text }] }, ...more };
}

it('FS51 those that have ended are listed with state and last message, and can be continued', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const clock = new SkipClock();
  const client = new ResumableClient(world);
  const cwd = projectOf(world, 'shop');
  const done = await stage.client({ cwd, sessionId: 'done-1', kind: 'bg', jobId: 'd1' });
  done.say(words('Fixed the prices.'), words('a subagent', { isSidechain: true }));
  const { api } = await world.start(clock);
  await find(api, done);
  expect(await ended(api)).toEqual([]);
  expect(client.calls).toEqual([]);
  await done.leave();
  await gone(api, done);
  const job = { kind: 'background', cwd, startedAt: Date.UTC(2026, 0) };
  const rows = [
    { ...job, id: 'd1', sessionId: 'done-1', name: 'prices', state: 'done' },
    { ...job, id: 'old', sessionId: 'none', state: 'stopped', startedAt: 5 },
    { ...job, id: 'live', sessionId: 'other', state: 'working', pid: 1 },
    { ...job, id: '--help', sessionId: 'evil' },
    { ...job, kind: 'interactive', id: 'mine' },
    [],
  ];
  client.agents(rows);
  clock.skip(10_000);
  const { body } = await api.get('/api/background');
  expect(body).toEqual({
    unavailable: null,
    sessions: [
      {
        id: 'd1',
        conversation: 'done-1',
        cwd,
        state: 'done',
        name: 'prices',
        started_at: '2026-01-01T00:00:00.000Z',
        result: 'Fixed the prices.',
      },
      expect.objectContaining({ id: 'old', state: 'stopped', name: null, result: null }),
    ],
  });
  await Promise.all([ended(api), ended(api)]);
  expect(asked(client)).toEqual(['agents --json --all']);
  const shell = await world.cli('session', 'ls', '--all');
  expect(shell.stdout).toContain('Fixed the prices.');
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await ended(viewer))[0]).toMatchObject({ id: 'd1', name: null, result: null });
  expect((await api.get('/api/found/old/continue')).body).toMatchObject({
    blocked: 'conversation_unknown',
  });
  expect((await api.send('POST', '/api/found/d1/continue', {})).status).toBe(201);
  await until('its client', () => client.calls.some((line) => line.endsWith('--resume done-1')));
  // It is shown as a session of Loopwatch now.
  await until('it is not listed twice', async () =>
    (await ended(api)).every(({ id }) => id !== 'd1'),
  );
  expect(await eventsOf(api, 'session.continued')).toHaveLength(1);
});

it('FS52 what a session in the background shows is drawn for operators, and read on request only', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const { api } = await world.start();
  const one = await stage.client({ kind: 'bg', jobId: 'b1' });
  await find(api, one);
  expect(client.calls).toEqual([]);
  client.screen('\u001b[2J\u001b[H\u001b[31mred\u001b[0m\u001b]0;title\u0007\r\n\u001b[5Gfifth');
  const { status, body } = await api.get(`/api/found/${one.id}/screen`);
  expect([status, body['cols'], body['rows']]).toEqual([200, 200, 50]);
  const lines = body['lines'] as string[];
  expect(lines.slice(0, 2)).toEqual([expect.stringContaining('red'), '    fifth']);
  expect(lines[0]).toContain('\u001b[0;31m');
  expect(lines.join()).not.toContain('title');
  expect(client.calls).toEqual(['logs b1']);
  const peek = await world.cli('session', 'peek', String(one.pid));
  expect([peek.code, peek.stdout]).toEqual([0, expect.stringContaining('red')]);
  expect(peek.stdout).not.toContain('\u001b');
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await viewer.get(`/api/found/${one.id}/screen`)).status).toBe(403);
});

it('FS54 a client that is too old is never asked, and this is said', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world, '2.0.76');
  client.agents([{ id: 'd1' }]);
  const { api } = await world.start();
  const one = await stage.client({ kind: 'bg', jobId: 'b1', status: 'busy' });
  await find(api, one);
  const message =
    'the installed client 2.0.76 has no background sessions; they need 2.1.197 or newer';
  expect((await api.get('/api/background')).body).toEqual({ unavailable: message, sessions: [] });
  const screen = await api.get(`/api/found/${one.id}/screen`);
  expect([screen.status, screen.body.error?.message]).toEqual([
    409,
    `its screen cannot be shown: ${message}`,
  ]);
  const { body } = await api.get(`/api/found/${one.id}/continue`);
  expect(body['no_attach']).toBe(message);
  expect((await world.cli('session', 'ls', '--all')).stdout).toContain('need 2.1.197 or newer');
  expect(client.calls).toEqual([]);
});
