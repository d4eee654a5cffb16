/** The stored runs as a daemon lists them to many readers. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SummaryCache } from '../../../server/checkpoints/summary-cache.ts';
import { listStoredRuns } from '../../../server/runs/list-stored-runs.ts';
import { StoredList } from '../../../server/runs/stored-list.ts';
import { LEAST, newHome, NOW_MS, putCheckpoint } from '../../support/runs/checkpoint-home.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

function put(home: string, id: string, prompt = 'Greet.'): void {
  putCheckpoint(home, id, { ...LEAST, session_id: id, prompt });
}

const ids = async (list: StoredList) => (await list.read()).runs.map(({ id }) => id).sort();

it('CK20 readers share a list for a second; then it is read again', async () => {
  const home = newHome();
  const clock = new ManualClock(NOW_MS);
  const list = new StoredList(home, clock);
  put(home, 'a');
  const [one, other] = await Promise.all([list.read(), list.read()]);
  expect(one).toBe(other);
  put(home, 'b');
  clock.advance(999);
  expect(await ids(list)).toEqual(['a']);
  clock.advance(1);
  expect(await ids(list)).toEqual(['a', 'b']);
  putCheckpoint(home, 'a', '{"version":1');
  clock.advance(1_000);
  const { runs, problems } = await list.read();
  expect([runs.map(({ id }) => id), problems.map(({ id }) => id)]).toEqual([['b'], ['a']]);
});

it('CK20 what the daemon itself removes is gone at once, also from a list that is being read', async () => {
  const home = newHome();
  const list = new StoredList(home, new ManualClock(NOW_MS));
  for (const id of ['a', 'b']) put(home, id);
  expect(await ids(list)).toEqual(['a', 'b']);
  rmSync(join(home, 'sessions/a'), { recursive: true });
  list.forget();
  expect(await ids(list)).toEqual(['b']);
  list.forget();
  const reading = list.read();
  rmSync(join(home, 'sessions/b'), { recursive: true });
  list.forget();
  await reading;
  expect(await ids(list)).toEqual([]);
});

it('CK12 a process that lists again opens only what changed, and keeps what it read', async () => {
  const home = newHome();
  const cache = new SummaryCache(home);
  put(home, 'same');
  put(home, 'changed');
  const first = await listStoredRuns(home, NOW_MS, { cache });
  put(home, 'changed', 'Greet in Latin.');
  const opened: string[] = [];
  const get = cache.get.bind(cache);
  cache.get = (id, stat) => {
    const known = get(id, stat);
    if (known === null) opened.push(id);
    return known;
  };
  const second = await listStoredRuns(home, NOW_MS, { cache });
  expect(opened).toEqual(['changed']);
  const titles = (listed: typeof first) =>
    listed.runs.map(({ id, title }) => `${id} ${title}`).sort();
  expect(titles(first)).toEqual(['changed Greet.', 'same Greet.']);
  expect(titles(second)).toEqual(['changed Greet in Latin.', 'same Greet.']);
});

it('CK21 what a file says of its end: failed, stopped by a person, interrupted', async () => {
  const home = newHome();
  const ends = {
    failed: { force_stop_reason: 'stuck' },
    stopped: { force_stopped: true, force_stop_reason: 'user_stop' },
    lunch: { force_stopped: true, force_stop_reason: 'lunch' },
    foreign: { force_stop_reason: 'their own words' },
    killed: {},
    done: { phase: 'complete', force_stop_reason: 'stuck' },
  };
  for (const [id, fields] of Object.entries(ends)) {
    putCheckpoint(home, id, { ...LEAST, session_id: id, ...fields });
  }
  const { runs } = await listStoredRuns(home, NOW_MS);
  const said = runs.map(({ id, status, reason, error }) => [id, [status, reason, error]]);
  expect(Object.fromEntries(said)).toEqual({
    failed: ['failed', 'stuck', null],
    stopped: ['stopped', 'user_stop', null],
    lunch: ['stopped', 'interrupted', 'lunch'],
    foreign: ['stopped', 'interrupted', 'their own words'],
    killed: ['stopped', 'interrupted', null],
    done: ['done', 'completed', null],
  });
  const failed = await listStoredRuns(home, NOW_MS, { status: 'failed' });
  expect(failed.runs.map(({ id }) => id)).toEqual(['failed']);
});
