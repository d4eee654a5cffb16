/** The queue of inputs on a real database, before terminals and agents that a test plays. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InputSource } from '../../shared/delivery.ts';
import type { Input } from '../../shared/model.ts';
import { pino } from 'pino';
import { InputStore } from '../../server/sessions/input-store.ts';
import type { InFront } from '../../server/sessions/may-type.ts';
import { Outbox } from '../../server/sessions/outbox.ts';
import { Serial } from '../../server/lib/serial.ts';
import type { TypeOutcome } from '../../server/terminals/terminal.ts';
import { EventHome } from '../support/event-home.ts';

const READY: InFront = { kind: 'agent', name: 'claude', state: 'ready', box: 'empty' };

/** A terminal as the outbox sees it: what is in front, what was typed, what the agent shows. */
class Stage {
  readonly home = new EventHome();
  readonly typed: string[] = [];
  front: InFront = READY;
  outcome: TypeOutcome = 'typed';
  takes = true;
  sinceTypedMs: number | null = null;
  /** kill -9 in the middle of typing: whether the text still arrives. */
  dies: 'before' | 'after' | null = null;
  outbox = this.open();

  open(): Outbox {
    const { log, database } = this.home.open();
    const serial = new Serial();
    this.outbox = new Outbox({
      log,
      store: new InputStore(database),
      clock: this.home.clock,
      logger: pino({ enabled: false }),
      sinceTyped: () => this.sinceTypedMs,
      place: {
        exclusively: async (session, act) => serial.run(session, act),
        type: async (_, { text }) => Promise.resolve(this.#type(text)),
      },
      witness: {
        inFront: async () => Promise.resolve(this.front),
        takenMark: async () => Promise.resolve(`${this.takes ? this.typed.length : 0}`),
      },
    });
    this.outbox.recover();
    return this.outbox;
  }

  #type(text: string): TypeOutcome {
    if (this.outcome === 'typed' && this.dies !== 'before') this.typed.push(text);
    if (this.dies !== null) {
      this.outbox.dispose();
      throw new Error('killed');
    }
    return this.outcome;
  }

  async submit(text: string, source: InputSource = 'person'): Promise<Input> {
    const done = this.outbox.submit('web', text, true, source);
    return this.settled(done);
  }

  /** Lets the clock run until the promise is there. */
  async settled<Result>(promise: Promise<Result>): Promise<Result> {
    const wait = { over: false };
    const end = promise.finally(() => (wait.over = true));
    while (!wait.over) {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      this.home.clock.advance(50);
    }
    return end;
  }

  deliveries(): string[] {
    const all = this.outbox.list('web').reverse();
    return all.map(({ text, delivery, reason }) => `${text} ${delivery} ${reason ?? ''}`.trim());
  }

  [Symbol.dispose](): void {
    this.outbox.dispose();
    this.home[Symbol.dispose]();
  }
}

it('IN1 an input is stored, typed once, and told as delivered when the agent took it', async () => {
  using stage = new Stage();
  expect(await stage.submit('one')).toMatchObject({ id: 1, delivery: 'delivered', reason: null });
  expect(stage.typed).toEqual(['one']);
});

it.each([
  ['waiting', 'empty', 'agent_waiting'],
  ['starting', 'none', 'agent_starting'],
  ['limited', 'empty', 'agent_limited'],
  ['unknown', 'empty', 'agent_unknown'],
  ['compacting', 'empty', 'agent_busy'],
  ['ready', 'draft', 'draft_in_box'],
  ['ready', 'none', 'agent_unknown'],
] as const)(
  'IN2 before a %s agent with the box %s nothing is typed: %s',
  async (state, box, reason) => {
    using stage = new Stage();
    stage.front = { kind: 'agent', name: 'claude', state, box };
    expect(await stage.submit('one')).toMatchObject({ delivery: 'held', reason });
    expect(stage.typed).toEqual([]);
    stage.front = READY;
    await stage.settled(stage.outbox.pump('web'));
    expect(stage.deliveries()).toEqual(['one delivered']);
  },
);

it('IN2 at work the agent takes a person’s words and not the daemon’s', async () => {
  using stage = new Stage();
  stage.front = { kind: 'agent', name: 'claude', state: 'working', box: 'empty' };
  expect(await stage.submit('mine')).toMatchObject({ delivery: 'delivered' });
  expect(await stage.submit('its', 'daemon')).toMatchObject({
    delivery: 'held',
    reason: 'agent_busy',
  });
});

it('IN3 people first, each in the order they came', async () => {
  using stage = new Stage();
  stage.front = { kind: 'agent', name: 'claude', state: 'waiting', box: 'none' };
  await stage.submit('daemon 1', 'daemon');
  await stage.submit('person 1');
  await stage.submit('daemon 2', 'daemon');
  await stage.submit('person 2');
  stage.front = READY;
  await stage.settled(stage.outbox.pump('web'));
  expect(stage.typed).toEqual(['person 1', 'person 2', 'daemon 1', 'daemon 2']);
});

it('IN4 what the agent does not take within 2 s is unknown, and is not typed again', async () => {
  using stage = new Stage();
  stage.takes = false;
  expect(await stage.submit('one')).toMatchObject({
    delivery: 'unknown',
    reason: 'no_change_seen',
  });
  await stage.settled(stage.outbox.pump('web'));
  expect(stage.typed).toEqual(['one']);
});

it.each(['before', 'after'] as const)(
  'IN4 a daemon killed while it types (%s the text arrived) leaves unknown and types it no more',
  async (dies) => {
    using stage = new Stage();
    stage.dies = dies;
    await stage.submit('one');
    stage.dies = null;
    stage.open();
    await stage.settled(stage.outbox.pump('web'));
    expect(stage.deliveries()).toEqual(['one unknown daemon_restarted']);
    expect(stage.typed).toEqual(dies === 'after' ? ['one'] : []);
  },
);

it('IN5 the daemon waits while a person types by hand, 10 s; other people 2 s', async () => {
  using stage = new Stage();
  stage.sinceTypedMs = 1_000;
  expect(await stage.submit('mine')).toMatchObject({ delivery: 'held', reason: 'person_typing' });
  stage.sinceTypedMs = 3_000;
  await stage.settled(stage.outbox.pump('web'));
  expect(await stage.submit('its', 'daemon')).toMatchObject({ reason: 'person_typing' });
  stage.sinceTypedMs = 10_000;
  await stage.settled(stage.outbox.pump('web'));
  expect(stage.typed).toEqual(['mine', 'its']);
});

it('IN6 what is held can be taken back, and what is settled cannot', async () => {
  using stage = new Stage();
  stage.front = { kind: 'agent', name: 'claude', state: 'waiting', box: 'none' };
  const { id } = await stage.submit('one');
  expect(stage.outbox.cancel('web', id)).toMatchObject({ delivery: 'failed', reason: 'cancelled' });
  expect(() => stage.outbox.cancel('web', id)).toThrow(/no longer waiting/);
  stage.front = READY;
  await stage.settled(stage.outbox.pump('web'));
  expect(stage.typed).toEqual([]);
});

it('IN4 IN3 whatever happens, each text is typed at most once and people’s in their order', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ submit: fc.constantFrom<InputSource>('person', 'daemon') }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        front: fc.constantFrom('ready' as const, 'waiting' as const, 'working' as const),
      }),
    },
    fc.record({ outcome: fc.constantFrom<TypeOutcome>('typed', 'refused', 'too_long', 'unknown') }),
    fc.record({ takes: fc.boolean() }),
    fc.record({ dies: fc.constantFrom('before' as const, 'after' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      using stage = new Stage();
      for (const [number, what] of steps.entries()) {
        if ('submit' in what) await stage.submit(`${what.submit} ${number}`, what.submit);
        if ('outcome' in what) stage.outcome = what.outcome;
        if ('takes' in what) stage.takes = what.takes;
        if ('front' in what) {
          stage.front = { kind: 'agent', name: 'claude', state: what.front, box: 'empty' };
          await stage.settled(stage.outbox.pump('web'));
        }
        if ('dies' in what) {
          stage.dies = what.dies;
          await stage.settled(stage.outbox.pump('web'));
          stage.dies = null;
          stage.open();
        }
      }
      expect(new Set(stage.typed).size).toBe(stage.typed.length);
      const people = stage.typed.filter((text) => text.startsWith('person'));
      const inOrder = people.toSorted((a, b) => Number(a.slice(7)) - Number(b.slice(7)));
      expect(people).toEqual(inOrder);
      for (const { text, delivery } of stage.outbox.list('web')) {
        if (delivery === 'delivered') expect(stage.typed).toContain(text);
        if (delivery === 'held') expect(stage.typed).not.toContain(text);
      }
    }),
    { seed: 20261121, numRuns: 150 },
  );
});
