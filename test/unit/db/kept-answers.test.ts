/** Requests with a key on a real database: at once, failed, cut off by a daemon that ended. */
import { expect, it } from 'vitest';
import { KeyStore } from '../../../server/idempotency/key-store.ts';
import { type Act, KeptAnswers, MAX_KEYS } from '../../../server/idempotency/kept-answers.ts';
import { EventHome, rowsOf, sampleEvent } from '../../support/events/event-home.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ASKED = { actor: 'home', key: 'k', request: 'r', isSecret: false };
const HOUR_MS = 3_600_000;

function open(home: EventHome) {
  const { database, log } = home.open();
  const store = new KeyStore(database);
  const answers = new KeptAnswers({ store, log, clock: home.clock, logger: SILENT });
  const change = () => log.write((append) => append(sampleEvent(0)));
  let done = 0;
  const act = (more: Partial<Act> = {}): Act => ({
    perform: async () => {
      done += 1;
      change();
      return Promise.resolve(Response.json({ done }, { status: 201 }));
    },
    refuse: (error) => Response.json({ refused: String(error) }, { status: 409 }),
    recall: () => null,
    ...more,
  });
  return { database, log, store, answers, act, change, done: () => done };
}

/** The transaction of the change is committed, and the daemon ends within `perform`. */
async function cutOff(home: EventHome, isChanged: boolean): Promise<void> {
  const { answers, act, change } = open(home);
  const perform = async () => {
    if (isChanged) change();
    return new Promise<Response>(() => undefined);
  };
  void answers.once(ASKED, act({ perform }));
  await Promise.resolve();
}

it('IK3 while the first is being done a repeat is refused, and given its answer after', async () => {
  using home = new EventHome();
  const { answers, act, done } = open(home);
  let finish: (answer: Response) => void = () => undefined;
  const held = act({ perform: async () => new Promise((resolve) => (finish = resolve)) });
  const first = answers.once(ASKED, held);
  await expect(answers.once(ASKED, act())).rejects.toMatchObject({ code: 'in_progress' });
  const other = answers.once({ ...ASKED, request: 'other' }, act());
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  finish(Response.json({ done: 'once' }));
  expect(await (await first).json()).toEqual({ done: 'once' });
  expect(await (await answers.once(ASKED, act())).json()).toEqual({ done: 'once' });
  expect(done()).toBe(0);
});

it('IK4 a failure after a change is the answer; one that changed nothing is tried again', async () => {
  using home = new EventHome();
  const { answers, act, change, database } = open(home);
  const nothing = act({ perform: async () => Promise.reject(new Error('busy')) });
  await expect(answers.once(ASKED, nothing)).rejects.toThrow('busy');
  const half = act({
    perform: async () => {
      change();
      return Promise.reject(new Error('half'));
    },
  });
  const failed = await answers.once(ASKED, half);
  expect([failed.status, await failed.json()]).toEqual([409, { refused: 'Error: half' }]);
  const again = await answers.once(ASKED, act());
  expect([again.status, await again.json()]).toEqual([409, { refused: 'Error: half' }]);
  expect(rowsOf(database)).toHaveLength(1);
});

it('IK4 IK5 a change that was rolled back is no change', async () => {
  using home = new EventHome();
  const { answers, act, log, done } = open(home);
  const undone = act({
    perform: async () => {
      log.write((append) => {
        append(sampleEvent(0));
        throw new Error('undone');
      });
      return Promise.resolve(Response.json({}));
    },
  });
  await expect(answers.once(ASKED, undone)).rejects.toThrow('undone');
  expect((await answers.once(ASKED, act())).status).toBe(201);
  expect(done()).toBe(1);
});

it('IK5 IK6 what a killed daemon had stored is not done again, what it had not is', async () => {
  using home = new EventHome();
  await cutOff(home, false);
  const second = open(home);
  expect((await second.answers.once(ASKED, second.act())).status).toBe(201);
  expect(second.done()).toBe(1);

  using other = new EventHome();
  await cutOff(other, true);
  const { answers, act, done } = open(other);
  const repeat = answers.once(ASKED, act());
  await expect(repeat).rejects.toMatchObject({
    code: 'answer_not_kept',
    details: {
      status: null,
      events: [{ seq: 1, type: 'session.closed', subject: 'session:even' }],
    },
  });
  const known: unknown[] = [];
  const recalled = act({
    recall: (written) => {
      known.push(...written);
      return Response.json({ recalled: true });
    },
  });
  const answer = await answers.once(ASKED, recalled);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(known).toEqual([{ seq: 1, type: 'session.closed', subject: 'session:even' }]);
  expect(await (await answers.once(ASKED, act())).json()).toEqual({ recalled: true });
  expect(done()).toBe(0);
});

it('IK5 what a request left running does not belong to it once it is answered', async () => {
  using home = new EventHome();
  const { answers, act, change, store } = open(home);
  let later: () => void = () => undefined;
  const perform = async () => {
    void new Promise<void>((resolve) => (later = resolve)).then(change);
    return Promise.resolve(Response.json({}));
  };
  await answers.once(ASKED, act({ perform }));
  later();
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.find('home', 'k')).toMatchObject({ state: 'answered', events: '[]' });
});

it('IK1 IK7 keys last a day, and the oldest answered one makes room', async () => {
  using home = new EventHome();
  const { answers, act, store, done } = open(home);
  await answers.once(ASKED, act());
  home.clock.advance(24 * HOUR_MS - 1);
  await answers.once(ASKED, act());
  expect(done()).toBe(1);
  home.clock.advance(2);
  await answers.once(ASKED, act());
  expect(done()).toBe(2);
  for (let n = 1; n < MAX_KEYS; n += 1) {
    const row = { actor: 'home', key: `k${n}`, request: 'r', begunAtMs: home.clock.now() + n };
    store.insert({ ...row, state: 'begun' });
  }
  await answers.once({ ...ASKED, key: 'new' }, act());
  expect(store.find('home', 'k')).toBeNull();
  expect(store.countOf('home')).toBe(MAX_KEYS);
  store.patch('home', 'new', { state: 'begun' });
  const full = answers.once({ ...ASKED, key: 'newer' }, act());
  await expect(full).rejects.toMatchObject({ code: 'too_many_attempts' });
  expect((await answers.once({ ...ASKED, actor: 'mia', key: 'newer' }, act())).status).toBe(201);
});
