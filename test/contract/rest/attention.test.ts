/** The inbox over REST: what is listed, who may answer, and what a late answer gets. */
import { expect, it } from 'vitest';
import {
  askPerson,
  BASH_REQUEST,
  openItem,
  QUESTION_REQUEST,
  showTrust,
} from '../../support/agents/need-person.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

interface Page {
  items: { id: string; session: string; outcome: string | null }[];
  open: number;
}

async function openWorld(world: World) {
  const { api, daemon } = await world.start();
  const list = async (query = '') =>
    (await api.get(`/api/attention${query}`)).body as unknown as Page;
  const send = async (id: string, what: string, body?: unknown) =>
    api.send('POST', `/api/attention/${id}/${what}`, body);
  return { api, daemon, list, send };
}

it('AT11 EV23 the list has the open items, oldest first; with `all` the newest of all items', async () => {
  await using world = new World();
  const { api, list } = await openWorld(world);
  for (const name of ['a', 'b', 'c']) await showTrust(world, api, name);
  await api.send('DELETE', '/api/sessions/a');
  const names = ({ items, open }: Page) => [items.map(({ session }) => session).join(), open];
  expect({
    open: names(await list()),
    limited: names(await list('?state=open&limit=1')),
    all: names(await list('?state=all')),
    newest: names(await list('?state=all&limit=2')),
    about: names(await list('?subject=session:c')),
    over: names(await list('?state=all&subject=session:a')),
    nothing: names(await list('?subject=task:c')),
  }).toEqual({
    open: ['b,c', 2],
    limited: ['b', 2],
    all: ['a,b,c', 2],
    newest: ['b,c', 2],
    about: ['c', 2],
    over: ['a', 2],
    nothing: ['', 2],
  });
  for (const query of ['?state=gone', '?limit=0', '?limit=1001', '?limit=x', '?subject=web']) {
    expect(refusal(await api.get(`/api/attention${query}`))).toBe('400 invalid_query');
  }
});

it('AT3, AT11 an answer over REST reaches the agent once and says who gave it', async () => {
  await using world = new World();
  const { api, send } = await openWorld(world);
  const { id, answer } = await askPerson(world, api, 'web', QUESTION_REQUEST);
  const answers = { 'Which colour should the button be?': 'Red' };
  const results = await Promise.all(
    Array.from({ length: 8 }, () => send(id, 'answer', { decision: 'allow', answers })),
  );
  expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  expect(results.find(({ status }) => status === 200)?.body).toMatchObject({
    id,
    outcome: 'answered',
    by: 'admin',
    answer: 'Red',
    request: null,
  });
  const late = results.find(({ status }) => status === 409);
  expect(late === undefined ? '' : refusal(late)).toBe('409 attention_cleared');
  expect(late?.body.error).toMatchObject({ details: { outcome: 'answered', by: 'admin' } });
  expect(await answer).toEqual({
    status: 200,
    body: {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: { ...QUESTION_REQUEST.input, answers } },
      },
    },
  });
  const events = await api.events('&types=attention.*');
  expect(events).toMatchObject([
    { type: 'attention.raised', session: 'web', data: { id, answerable: true } },
    { type: 'attention.cleared', data: { id, outcome: 'answered', by: 'admin', answer: 'Red' } },
  ]);
});

it('AT4, AT11, AT18 each answer that does not fit has its own refusal', async () => {
  await using world = new World();
  const { api, list, send } = await openWorld(world);
  const { id: asking, answer: heard } = await askPerson(world, api, 'asking', BASH_REQUEST);
  const waiting = await showTrust(world, api, 'waiting');
  const answer = async (id: string, body: object = { decision: 'allow' }) =>
    refusal(await send(id, 'answer', body));
  const trust = await send(waiting, 'answer', { decision: 'allow' });
  expect(trust.body.error?.message).toContain('loopwatch session attach waiting');
  expect({
    word: await answer(asking, { decision: 'perhaps' }),
    key: await answer(asking, { decision: 'allow', input: { command: 'true' } }),
    both: await answer(asking, { decision: 'deny', input: {} }),
    unasked: await answer(asking, { decision: 'allow', answers: { Why: 'so' } }),
    terminal: refusal(trust),
    unknown: await answer('f'.repeat(20)),
    open: (await list()).open,
  }).toEqual({
    word: '400 invalid_body',
    key: '400 invalid_body',
    both: '400 invalid_body',
    unasked: '400 invalid_body',
    terminal: '409 not_answerable',
    unknown: '404 attention_unknown',
    open: 2,
  });
  expect((await send(waiting, 'dismiss')).body).toMatchObject({
    outcome: 'dismissed',
    by: 'admin',
  });
  expect(refusal(await send(waiting, 'dismiss'))).toBe('409 attention_cleared');
  expect((await send(asking, 'dismiss')).status).toBe(200);
  expect(await heard).toEqual({ status: 200, body: {} });
});

it('AT7 after a stop, the next daemon raises again what still needs a person', async () => {
  await using world = new World();
  const first = await openWorld(world);
  const { answer } = await askPerson(world, first.api, 'web', BASH_REQUEST);
  await showTrust(world, first.api, 'db');
  await first.daemon.close();
  expect(refusal(await answer)).toBe('503 shutting_down');
  const { api, list } = await openWorld(world);
  await openItem(api, 'db');
  expect((await list()).items.map(({ session }) => session)).toEqual(['db']);
  expect(
    (await list('?state=all')).items.map(({ session, outcome }) => [session, outcome]),
  ).toEqual([
    ['web', 'gone'],
    ['db', 'gone'],
    ['db', null],
  ]);
});
