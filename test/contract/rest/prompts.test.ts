/** The library of prompts over REST. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Prompt } from '../../../shared/schema/tasks/prompt.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const PATH = '/api/v1/prompts';

let world: World;
let api: ApiClient;

beforeAll(async () => {
  world = new World();
  ({ api } = await world.start());
});

afterAll(async () => world[Symbol.asyncDispose]());

async function make(title: string, more: object = {}): Promise<string> {
  const { status, body } = await api.send('POST', PATH, { title, content: 'Say hi.', ...more });
  expect(status).toBe(201);
  return String(body['id']);
}

async function titles(query: Record<string, string>): Promise<string[]> {
  const { body } = await api.get(`${PATH}?${new URLSearchParams(query).toString()}`);
  return (body as unknown as Prompt[]).map(({ title }) => title);
}

it('TW36 a prompt is kept as given, and null removes nothing', async () => {
  const id = await make('Greeting', { tags: 'a, b', criteria_config: { criteria: 'it greets' } });
  const kept = await api.get(`${PATH}/${id}`);
  expect(kept.body).toMatchObject({
    title: 'Greeting',
    content: 'Say hi.',
    category: null,
    tags: 'a, b',
    usage_count: 0,
    criteria_config: { criteria: 'it greets' },
    last_used_at: null,
  });
  const nothing = { title: null, content: null, category: null, tags: null, criteria_config: null };
  const { status, body } = await api.send('PUT', `${PATH}/${id}`, nothing);
  expect([status, body]).toEqual([200, { ...kept.body, updated_at: expect.any(String) as string }]);
  const changed = await api.send('PUT', `${PATH}/${id}`, { category: 'hello' });
  expect(changed.body).toMatchObject({ category: 'hello', tags: 'a, b', title: 'Greeting' });
  expect((await api.send('DELETE', `${PATH}/${id}`)).body).toEqual({
    message: expect.any(String) as string,
  });
  for (const [method, path] of [
    ['GET', id],
    ['PUT', id],
    ['DELETE', id],
    ['POST', `${id}/use`],
  ]) {
    const sent = method === 'PUT' ? {} : undefined;
    expect(refusal(await api.send(method ?? '', `${PATH}/${path ?? ''}`, sent))).toBe(
      '404 prompt_unknown',
    );
  }
});

it('TW17 the most used come first, then those used last, then the newest', async () => {
  const category = 'order';
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three', 'Four']) ids.push(await make(title, { category }));
  const use = async (index: number) => api.send('POST', `${PATH}/${ids[index] ?? ''}/use`);
  expect((await use(0)).body).toMatchObject({
    usage_count: 1,
    last_used_at: expect.any(String) as unknown,
  });
  for (const index of [1, 1, 2]) await use(index);
  const before = (await api.get(`${PATH}?category=order`)).body as unknown as Prompt[];
  expect(before.map(({ usage_count }) => usage_count)).toEqual([2, 1, 1, 0]);
  expect(before.map(({ title }) => title)).toEqual(['Two', 'Three', 'One', 'Four']);
  expect(await titles({ category, limit: '2' })).toEqual(['Two', 'Three']);
});

it('TW35 a search reads title, content and tags, and takes each character literally', async () => {
  const category = 'search';
  await make('100% done', { category });
  await make('snake_case', { category });
  await make('plain', { category, content: 'A back\\slash', tags: 'Colours' });
  const found = async (search: string) => (await titles({ category, search })).sort();
  expect({
    percent: await found('%'),
    underscore: await found('_'),
    backslash: await found('\\'),
    title: await found('SNAKE'),
    tags: await found('colour'),
    content: await found('a back'),
    both: await found('e%_'),
    all: await found(''),
  }).toEqual({
    percent: ['100% done'],
    underscore: ['snake_case'],
    backslash: ['plain'],
    title: ['snake_case'],
    tags: ['plain'],
    content: ['plain'],
    both: [],
    all: ['100% done', 'plain', 'snake_case'],
  });
});

it('PM6 an invalid prompt or query is 400', async () => {
  const refusals = [];
  for (const body of [
    {},
    { title: 'x' },
    { title: ' ', content: 'x' },
    { title: 'x'.repeat(201), content: 'x' },
    { title: 'x', content: 'x'.repeat(50_001) },
    { title: 'x', content: 'x', extra: 1 },
  ]) {
    refusals.push(refusal(await api.send('POST', PATH, body)));
  }
  expect(refusals).toEqual(refusals.map(() => '400 invalid_body'));
  for (const query of ['limit=0', 'limit=1001', 'order=title']) {
    expect(refusal(await api.get(`${PATH}?${query}`))).toBe('400 invalid_query');
  }
});
