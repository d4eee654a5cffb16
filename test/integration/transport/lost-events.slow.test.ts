/**
 * A database that ends before events already reported: its write-ahead log removed, an old copy put
 * back.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openPollConsumer } from '../../support/events/open-poll-consumer.ts';
import { openSseConsumer } from '../../support/events/open-sse-consumer.ts';
import { openWsConsumer } from '../../support/events/open-ws-consumer.ts';
import { World } from '../../support/daemon/world.ts';

const WAYS = { WebSocket: openWsConsumer, SSE: openSseConsumer, 'long poll': openPollConsumer };

it('EV14 a database that lost its write-ahead log starts a new epoch, and says what is missing', async () => {
  await using world = new World();
  const first = await world.spawn();
  await people(first.api, 2);
  checkpoint(world);
  const kept = await lifeOf(first.api);
  await people(first.api, 5);
  const reported = await lifeOf(first.api);
  expect(reported).toEqual({ epoch: kept.epoch, head: kept.head + 5 });
  for (const log of ['-wal', '-shm']) rmSync(databaseOf(world) + log);
  await first.kill();
  const { api } = await world.spawn();
  const now = await lifeOf(api);
  expect(now.epoch).not.toBe(reported.epoch);
  const { data } = await api.event('daemon.started');
  const lost_events = { after: kept.head, up_to: reported.head };
  expect(data).toMatchObject({ restored: true, lost_events });
  for (const [way, open] of Object.entries(WAYS)) {
    await using consumer = await open(api, { after: `${reported.epoch}:${reported.head}` });
    const reset = { reason: 'epoch', oldest: 1, head: now.head };
    expect({ way, first: await consumer.next() }).toMatchObject({ way, first: { reset } });
  }
  const log = readFileSync(join(world.home, 'log', 'daemon.log'), 'utf8');
  expect(log).toContain('the database has lost events that were already delivered');
});

it('EV14 an older copy that replaced the database by hand is detected too', async () => {
  await using world = new World();
  const first = await world.spawn();
  await people(first.api, 1);
  checkpoint(world);
  const copy = join(world.root, 'copy.db');
  copyFileSync(databaseOf(world), copy);
  const { epoch, head } = await lifeOf(first.api);
  await people(first.api, 1);
  await first.kill();
  for (const log of ['-wal', '-shm']) rmSync(databaseOf(world) + log, { force: true });
  copyFileSync(copy, databaseOf(world));
  const { api } = await world.spawn();
  expect((await lifeOf(api)).epoch).not.toBe(epoch);
  expect((await api.event('daemon.started')).data).toMatchObject({
    lost_events: { after: head, up_to: head + 1 },
  });
});

it('EV14 kill -9 alone, and a file that says nothing, leave the epoch as it is', async () => {
  await using world = new World();
  const file = join(world.home, 'told-head.json');
  let epoch: string | null = null;
  for (const content of [null, '', 'no JSON', '{"epoch":1}', '{"epoch":"another","head":999}']) {
    if (content !== null) {
      expect(existsSync(file)).toBe(true);
      writeFileSync(file, content);
    }
    const daemon = await world.spawn();
    const life = await lifeOf(daemon.api);
    epoch ??= life.epoch;
    expect({ content, epoch: life.epoch }).toEqual({ content, epoch });
    await people(daemon.api, 1);
    await daemon.kill();
  }
  const { api } = await world.spawn();
  expect((await lifeOf(api)).epoch).toBe(epoch);
  expect((await api.event('daemon.started')).data).not.toHaveProperty('lost_events');
});

function databaseOf(world: World): string {
  return join(world.home, 'loopwatch.db');
}

/** Writes the content of its log into the database file, as SQLite does every thousand pages. */
function checkpoint(world: World): void {
  const raw = new Sqlite(databaseOf(world));
  raw.pragma('wal_checkpoint(PASSIVE)');
  raw.close();
}

let invited = 0;

/** Creates that many events, one per person. */
async function people(api: ApiClient, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    invited += 1;
    const body = { name: `person ${invited}`, role: 'viewer' };
    expect((await api.send('POST', '/api/people', body)).status).toBe(201);
  }
}

async function lifeOf(api: ApiClient): Promise<Life> {
  const { epoch, head } = (await api.get('/api/status')).body as unknown as Life;
  return { epoch, head };
}

interface Life {
  epoch: string;
  head: number;
}
