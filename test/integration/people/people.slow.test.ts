/** People on a running daemon: invited, recorded as the actor, restored, on the command line. */
import { rmSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Person } from '../../../shared/schema/people/people.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { codeOf, invite, join, logIn } from '../../support/daemon/invite-person.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const STAY = { steps: [{ do: 'silence', ms: 600_000 }] };

it('PE4 of many browsers that use one link at once exactly one gets in', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { code } = await invite(api, 'Mia', 'operator');
  const logins = await Promise.all(
    Array.from({ length: 10 }, async () => api.send('POST', '/api/login', { code })),
  );
  const tokens = logins.flatMap(({ status, body }) => (status === 200 ? [body['token']] : []));
  expect(tokens).toHaveLength(1);
  expect(logins.filter(({ status }) => status === 401)).toHaveLength(9);
  const mia = new ApiClient(api.url, tokens[0] as string);
  expect((await mia.get('/api/me')).body).toMatchObject({ name: 'Mia', role: 'operator' });
});

it('PE11 each action carries the person’s name: start, limits, input, stop, close', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { api: mia } = await join(api, 'Mia', 'operator');
  const directory = world.taskDir('one', STAY);
  await mia.openSession('one', directory);
  expect((await mia.startLoop('one', directory)).status).toBe(201);
  const path = '/api/sessions/one';
  await mia.send('PATCH', `${path}/task-auto`, { maxIterations: 7 });
  await mia.send('DELETE', `${path}/task-auto`);
  expect(await mia.loop('one')).toMatchObject({ started_by: 'Mia', stop_by: 'Mia' });
  await api.event('auto.ended');
  await openShell(mia, 'two', world.taskDir('two'));
  await mia.send('POST', '/api/sessions/two/input', { text: 'true', submit: true });
  const { inputs } = (await mia.get('/api/sessions/two/inputs')).body as { inputs: object[] };
  expect(inputs[0]).toMatchObject({ author: 'Mia', source: 'person' });
  await mia.send('DELETE', '/api/sessions/two');
  await api.event('session.closed');
  const events = await api.events();
  const authors = (type: string) =>
    events.flatMap((event) =>
      event.type === type && (event.session === 'two' || type.startsWith('auto.'))
        ? [(event.data as { author?: string }).author]
        : [],
    );
  expect({
    created: authors('session.created'),
    started: authors('auto.started'),
    limits: authors('auto.limits_changed'),
    input: new Set(authors('session.input')),
    stop: authors('auto.stop_requested'),
    closed: authors('session.closed'),
  }).toEqual({
    created: ['Mia'],
    started: ['Mia'],
    limits: ['Mia'],
    input: new Set(['Mia']),
    stop: ['Mia'],
    closed: ['Mia'],
  });
  const stop = events.find(({ type }) => type === 'auto.stop_requested');
  expect(describeEvent(stop as EventRecord).text).toBe('Stop requested by Mia');
});

it('PE11 an answer in the inbox carries the person’s name', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { id } = await askPerson(world, api, 'asking', BASH_REQUEST);
  const { api: mia } = await join(api, 'Mia', 'operator');
  const { body } = await mia.send('POST', `/api/attention/${id}/answer`, { decision: 'allow' });
  expect(body).toMatchObject({ by: 'Mia', outcome: 'answered' });
  expect((await api.event('attention.cleared')).data).toMatchObject({ id, by: 'Mia' });
});

it('PE11 control of a terminal carries the person’s name', async () => {
  await using world = new World({ LOOPWATCH_TERMINAL: 'pty' });
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  const { api: mia } = await join(api, 'Mia', 'operator');
  await using watcher = await WsClient.connect(api);
  watcher.send({ type: 'attach', session: 'web', cols: 80, rows: 24, control: false });
  await watcher.next('attached');
  await using typist = await WsClient.connect(mia);
  typist.send({ type: 'attach', session: 'web', cols: 80, rows: 24 });
  expect(await watcher.next('control')).toMatchObject({ control: false, by: 'Mia' });
});

it('PE12 a restore brings back no removed person, no old role and no replaced token', async () => {
  await using world = new World();
  const first = await world.start();
  const { api } = first;
  const [gone, demoted, stays, replaced] = [
    await join(api, 'Gone', 'admin'),
    await join(api, 'Demoted', 'admin'),
    await join(api, 'Stays', 'operator'),
    await join(api, 'Replaced', 'operator'),
  ];
  const file = joinPath(world.root, 'backup.db');
  expect((await world.cli('backup', file)).code).toBe(0);
  await api.send('DELETE', `/api/people/${gone.id}`);
  await api.send('PATCH', `/api/people/${demoted.id}`, { role: 'viewer' });
  const { body } = await api.send('POST', `/api/people/${replaced.id}/link`);
  const replacing = await logIn(api.url, codeOf(body['link'] as string));
  const { api: late } = await join(api, 'Late', 'viewer');
  await first.daemon.close();
  expect(await world.cli('restore', file)).toMatchObject({ code: 0 });

  const { api: again } = await world.start();
  const role = async ({ token }: { token: string }) => {
    const answer = await new ApiClient(again.url, token).get('/api/me');
    return answer.body['role'] ?? answer.status;
  };
  const tokens = [gone.api, demoted.api, stays.api, replaced.api, replacing, late];
  const roles = [];
  for (const token of tokens) roles.push(await role(token));
  expect(roles).toEqual([401, 'viewer', 'operator', 401, 'operator', 'viewer']);
});

it('PE12 in a home without a database every person of a backup needs a new link', async () => {
  await using world = new World();
  const first = await world.start();
  const { api: mia, id } = await join(first.api, 'Mia', 'admin');
  const { code } = await invite(first.api, 'Noor', 'viewer');
  const file = joinPath(world.root, 'backup.db');
  await world.cli('backup', file);
  await first.daemon.close();
  for (const end of ['', '-wal', '-shm']) {
    rmSync(joinPath(world.home, `loopwatch.db${end}`), { force: true });
  }
  expect(await world.cli('restore', file)).toMatchObject({ code: 0 });
  const { api } = await world.start();
  expect((await new ApiClient(api.url, mia.token).get('/api/me')).status).toBe(401);
  expect((await api.send('POST', '/api/login', { code })).status).toBe(401);
  const { people } = (await api.get('/api/people')).body as { people: Person[] };
  expect(people.map(({ name, has_token }) => [name, has_token])).toEqual([
    ['Mia', false],
    ['Noor', false],
  ]);
  const { body } = await api.send('POST', `/api/people/${id}/link`);
  const back = await logIn(api.url, codeOf(body['link'] as string));
  expect((await back.get('/api/me')).body).toEqual({ id, name: 'Mia', role: 'admin' });
});

it('PE13 the command line invites, lists, changes and removes, and names an unknown person', async () => {
  await using world = new World();
  const { api } = await world.start();
  const invited = await world.cli('people', 'invite', 'Mia', '--role', 'operator');
  expect(invited).toMatchObject({ code: 0, stderr: '' });
  const mia = await logIn(api.url, codeOf(invited.stdout.trim().split('\n').at(-1) ?? ''));
  expect(await world.cli('people', 'role', 'mia', 'viewer')).toMatchObject({ code: 0 });
  expect((await mia.get('/api/me')).body['role']).toBe('viewer');
  expect((await world.cli('people')).stdout).toMatch(/^Mia +viewer +seen (just now|\S+ ago)$/m);
  const twice = await world.cli('people', 'invite', 'MIA', '--role', 'viewer');
  expect(twice).toMatchObject({ code: 1, stdout: '' });
  expect(twice.stderr).toContain('is too similar to "Mia"');
  expect((await world.cli('people', 'invite', 'Mia', '--role', 'viewer')).stderr).toBe(
    "loopwatch: Mia is already a member; choose another name, or for a new link: loopwatch people link 'Mia' (name_taken)\n",
  );
  expect(await world.cli('people', 'remove', 'Nobody')).toMatchObject({ code: 4 });
  expect(await world.cli('people', 'remove', 'Mia')).toMatchObject({ stdout: 'Mia: removed\n' });
  await until('Mia is out', async () => (await mia.get('/api/me')).status === 401);
});
