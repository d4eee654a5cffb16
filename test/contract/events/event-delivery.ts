/** What every way into the event stream must do alike. Each way registers this suite. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { parseCursor } from '../../../shared/schema/events/cursor.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  type EventConsumer,
  type OpenConsumer,
  seqOf,
} from '../../support/events/event-consumer.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { openPollConsumer } from '../../support/events/open-poll-consumer.ts';
import { openSseConsumer } from '../../support/events/open-sse-consumer.ts';
import { openWsConsumer } from '../../support/events/open-ws-consumer.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

const WAYS: Record<string, OpenConsumer> = {
  ws: openWsConsumer,
  sse: openSseConsumer,
  poll: openPollConsumer,
};

/** `unknownType` is the code this way refuses an unknown type with. */
export function testEventDelivery(way: string, unknownType: string, engine: TransportName): void {
  const open = WAYS[way] ?? openPollConsumer;

  it('EV4 gives everything kept for cursor 0', async () => {
    await using world = worldWithEvents(engine, 1_200);
    const { api } = await world.start();
    await using consumer = await open(api, { after: '0' });
    expect(await consumer.take(1_201)).toEqual(await recordsOf(api));
  });

  it('EV4 gives everything after a cursor', async () => {
    await using world = worldWithEvents(engine, 700);
    const { api } = await world.start();
    await using consumer = await open(api, { after: `${await epochOf(api)}:650` });
    expect(await consumer.take(51)).toEqual((await recordsOf(api)).slice(650));
  });

  it('EV4 gives a live reader no earlier events', async () => {
    await using world = worldWithEvents(engine, 50);
    const { api } = await world.start();
    await using consumer = await open(api, { after: null });
    const before = (await recordsOf(api)).length;
    const append = await startWaitingLoop(world, api);
    await append();
    const live = (await recordsOf(api)).slice(before);
    expect(await consumer.take(live.length)).toEqual(live);
  });

  it('EV7 EV23 filters by exact type, by prefix, by session and by subject', async () => {
    await using world = worldWithEvents(engine, 400);
    const { api } = await world.start();
    const records = await recordsOf(api);
    const filters = [
      { types: ['session.closed', 'daemon.started'] },
      { types: ['auto.*'] },
      { types: ['*'], sessions: ['even'] },
      { types: ['auto.*', 'session.*'], sessions: ['odd', 'nobody'] },
      { types: ['*'], subjects: ['loop:odd', 'task:even'] },
      { types: ['*'], sessions: ['even'], subjects: ['loop:odd', 'daemon:local'] },
    ];
    for (const filter of filters) {
      const wanted = records.filter((record) => passes(record, filter));
      await using consumer = await open(api, { after: '0', ...filter });
      expect({ filter, records: await consumer.take(wanted.length) }).toEqual({
        filter,
        records: wanted,
      });
    }
  });

  // On a WebSocket it is a bad frame.
  if (way !== 'ws') {
    it('EV23 refuses an invalid subject, and says how to write one', async () => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const { api } = await world.start();
      for (const ref of ['web', 'loop:', 'loops:web', 'task:a b', '*']) {
        const refused = open(api, { after: '0', subjects: [ref] });
        await expect(refused).rejects.toThrow('invalid_query');
      }
    });
  }

  it('EV7 refuses a filter with an unknown type', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const refused = open(api, { after: '0', types: ['auto.*', 'auto.nonsense'] });
    await expect(refused).rejects.toThrow(unknownType);
  });

  it('EV17 advances the cursor past replayed events that the filter leaves out', async () => {
    await using world = worldWithEvents(engine, 1_000);
    const { api } = await world.start();
    await using consumer = await open(api, { after: '0', types: ['respawn.*'] });
    await until('the cursor is near the head', () => afterOf(consumer) > 900);
    expect(afterOf(consumer)).toBeLessThanOrEqual(1_001);
  });

  it('EV17 advances the cursor past live events that the filter leaves out', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    await using consumer = await open(api, { after: null, types: ['respawn.*'] });
    const before = afterOf(consumer);
    await append(150);
    await until('the cursor has moved on', () => afterOf(consumer) >= before + 100);
    expect(afterOf(consumer)).toBeLessThanOrEqual(before + 150);
  });

  it('EV5 answers a cursor of another epoch with a reset, and continues live', async () => {
    await using world = worldWithEvents(engine, 20);
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    const head = (await recordsOf(api)).length;
    await using consumer = await open(api, { after: 'anotherlife:7' });
    const { kind, ...rest } = await consumer.next();
    expect({ kind, ...rest }).toMatchObject({
      kind: 'reset',
      reset: { reason: 'epoch', oldest: 1, head },
    });
    await append();
    expect(await consumer.event()).toBe((await recordsOf(api))[head]);
  });

  it('EV5 answers a cursor of the future with a reset, and continues live', async () => {
    await using world = worldWithEvents(engine, 20);
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    const head = (await recordsOf(api)).length;
    await using consumer = await open(api, { after: `${await epochOf(api)}:${head + 1}` });
    expect(await consumer.next()).toMatchObject({
      reset: { reason: 'future', oldest: 1, head },
    });
    await append();
    expect(await consumer.event()).toBe((await recordsOf(api))[head]);
  });

  it('EV5 answers an expired cursor with a reset, and continues live', async () => {
    await using world = worldWithEvents(engine, 500, { LOOPWATCH_RETENTION_EVENTS: '100' });
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    const kept = await recordsOf(api);
    const head = seqOf(kept.at(-1) ?? '');
    await using consumer = await open(api, { after: `${await epochOf(api)}:1` });
    const { reset } = (await consumer.next()) as { reset: { oldest: number } };
    expect(reset).toMatchObject({ reason: 'expired', head });
    // More may be removed before, between and after.
    const since = await recordsOf(api);
    expect(reset.oldest).toBeGreaterThanOrEqual(seqOf(kept[0] ?? ''));
    expect(reset.oldest).toBeLessThanOrEqual(seqOf(since[0] ?? ''));
    await append();
    expect(seqOf(await consumer.event())).toBe(head + 1);
  });

  it('EV4 never answers cursor 0 with a reset, also when early events were removed', async () => {
    await using world = worldWithEvents(engine, 500, { LOOPWATCH_RETENTION_EVENTS: '100' });
    const { api } = await world.start();
    // The events of the start itself are one too many until the next round.
    const kept = await until('the rest is removed', async () => {
      const records = await recordsOf(api);
      return records.length === 100 ? records : null;
    });
    await using consumer = await open(api, { after: 'anotherlife:0' });
    expect(await consumer.take(kept.length)).toEqual(kept);
  });

  it('EV3 leaves no gap and doubles nothing between replay and live', async () => {
    await using world = worldWithEvents(engine, 3_000);
    const { api } = await world.start();
    const append = await startWaitingLoop(world, api);
    const writing = append(200);
    await using consumer = await open(api, { after: '0' });
    const replayed = await consumer.take(3_000);
    await writing;
    const all = await recordsOf(api);
    expect([...replayed, ...(await consumer.take(all.length - 3_000))]).toEqual(all);
  });

  it('EV6 continues from a cursor of each other transport', async () => {
    await using world = worldWithEvents(engine, 600);
    const { api } = await world.start();
    const all = await recordsOf(api);
    for (const openOther of Object.values(WAYS)) {
      await using other = await openOther(api, { after: '0' });
      await other.take(550);
      await using consumer = await open(api, { after: other.cursor });
      expect(await consumer.take(all.length - 550)).toEqual(all.slice(550));
    }
  });
}

function worldWithEvents(
  engine: TransportName,
  count: number,
  settings: Record<string, string> = {},
): World {
  const world = new World({ LOOPWATCH_TRANSPORT: engine, ...settings });
  using home = new EventHome(world.home);
  fill(home.open({}, systemClock).log, count);
  return world;
}

/** Every stored record, as the paged list sends it. */
async function recordsOf(api: ApiClient): Promise<string[]> {
  const records: string[] = [];
  for (let after = 0; ;) {
    const { body } = await api.get(`/api/events?after=${after}&limit=1000`);
    const page = body as unknown as { events: object[]; head: number; next: number };
    records.push(...page.events.map((event) => JSON.stringify(event)));
    if (page.next >= page.head) return records;
    after = page.next;
  }
}

async function epochOf(api: ApiClient): Promise<string> {
  return String((await api.get('/api/status')).body['epoch']);
}

function afterOf(consumer: EventConsumer): number {
  return parseCursor(consumer.cursor)?.after ?? -1;
}

function passes(
  record: string,
  filter: { types: string[]; sessions?: string[]; subjects?: string[] },
): boolean {
  const { type, session, subject } = JSON.parse(record) as EventRecord;
  const selected = filter.types.some(
    (pattern) => pattern === '*' || pattern === type || type.startsWith(pattern.replace('*', '')),
  );
  const { sessions, subjects } = filter;
  const isAll = sessions === undefined && subjects === undefined;
  const isOfSession = sessions?.includes(session ?? '') === true;
  const isAbout = subjects?.includes(`${subject.kind}:${subject.id}`) === true;
  return selected && (isAll || isOfSession || isAbout);
}
