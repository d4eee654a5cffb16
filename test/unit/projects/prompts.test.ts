/** The library of prompts on a real database. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CreatePrompt, type PromptQuery } from '../../../shared/schema/tasks/prompt.ts';
import { PromptStore } from '../../../server/prompts/prompt-store.ts';
import { Prompts } from '../../../server/prompts/prompts.ts';
import { EventHome } from '../../support/events/event-home.ts';

let home: EventHome;
let prompts: Prompts;

beforeEach(() => {
  home = new EventHome();
  reopen();
});

afterEach(() => home[Symbol.dispose]());

/** As a daemon that restarts. */
function reopen(): void {
  const { database, log } = home.open();
  prompts = new Prompts({ log, clock: home.clock, store: new PromptStore(database) });
}

function make(title: string, more: object = {}) {
  return prompts.create(CreatePrompt.parse({ title, content: `do ${title}`, ...more }));
}

function titles(query: Partial<PromptQuery> = {}): string[] {
  return prompts.list({ limit: 50, ...query }).map(({ title }) => title);
}

it('PM1 the most used come first, then those used last, then the newest', () => {
  const [a, b, c] = [make('a'), make('b'), make('c')];
  expect(titles()).toEqual(['c', 'b', 'a']);
  for (const { id } of [a, b, b, c]) {
    home.clock.advance(1_000);
    prompts.use(id);
  }
  expect(titles()).toEqual(['b', 'c', 'a']);
  expect(titles({ limit: 2 })).toEqual(['b', 'c']);
  reopen();
  expect(titles()).toEqual(['b', 'c', 'a']);
});

it('PM2 a search is literal, in title, content and tags', () => {
  make('Fix 100% of it', { tags: 'one,Two', category: 'fix' });
  make('a_b', { content: 'under\\score', category: 'fix' });
  make('axb', { tags: "it's" });
  expect(titles({ search: '100%' })).toEqual(['Fix 100% of it']);
  expect(titles({ search: '%' })).toEqual(['Fix 100% of it']);
  expect(titles({ search: 'A_B' })).toEqual(['a_b']);
  expect(titles({ search: 'r\\s' })).toEqual(['a_b']);
  expect(titles({ search: 'tWo' })).toEqual(['Fix 100% of it']);
  expect(titles({ search: 'DO AX' })).toEqual(['axb']);
  expect(titles({ search: "'s" })).toEqual(['axb']);
  expect(titles({ search: 'none' })).toEqual([]);
  expect(titles({ category: 'fix' })).toEqual(['a_b', 'Fix 100% of it']);
  expect(titles({ category: 'fix', search: 'x 1' })).toEqual(['Fix 100% of it']);
  expect(titles({ category: 'Fi%' })).toEqual([]);
});

it('PM3 a change keeps what it leaves out or gives as null', () => {
  const made = make('a', { category: 'c', tags: 't', criteria_config: { max_iterations: 3 } });
  expect(made).toMatchObject({ usage_count: 0, last_used_at: null, category: 'c' });
  expect(prompts.get(made.id)).toEqual(made);
  home.clock.advance(1_000);
  const nulls = { title: null, content: null, category: null, tags: null, criteria_config: null };
  const kept = prompts.update(made.id, nulls);
  expect(kept).toEqual({ ...made, updated_at: '2026-01-01T00:00:01.000Z' });
  const changed = prompts.update(made.id, { title: 'b', tags: '', criteria_config: {} });
  expect(changed).toEqual({ ...kept, title: 'b', tags: '', criteria_config: {} });
  reopen();
  expect(prompts.get(made.id)).toEqual(changed);
});

it('PM3 a use is counted and dated, and does not change the prompt', () => {
  const made = make('a');
  home.clock.advance(5_000);
  prompts.use(made.id);
  expect(prompts.use(made.id)).toEqual({
    ...made,
    usage_count: 2,
    last_used_at: '2026-01-01T00:00:05.000Z',
  });
});

it('PM3 a prompt that was removed or never existed is unknown', () => {
  const { id } = make('a');
  prompts.remove(id);
  const calls = [
    () => prompts.get(id),
    () => prompts.use(id),
    () => prompts.update(id, {}),
    () => prompts.remove(id),
  ];
  for (const call of calls)
    expect(call).toThrow(expect.objectContaining({ code: 'prompt_unknown' }) as Error);
  expect(titles()).toEqual([]);
});
