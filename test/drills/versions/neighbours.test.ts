/**
 * A fleet during an update: a host of the version before and one of this tree, as processes on a real
 * NATS server. Each does on the other what people do; then the older one is updated where it is.
 */
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { EventFollower } from '../../support/events/event-follower.ts';
import { NO_TASKS } from '../../support/house/example-values.ts';
import { type Random, seeded } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';
import { Exchange } from '../../support/versions/exchange.ts';
import { expectReads } from '../../support/versions/expect-reads.ts';
import { GoneHost } from '../../support/versions/gone-host.ts';
import { findOldTree } from '../../support/versions/old-tree.ts';
import { SharedWork } from '../../support/versions/shared-work.ts';
import { logOf, standingOf } from '../../support/versions/standing.ts';
import { contractOf, unknownEvents } from '../../support/versions/version-contract.ts';
import { VersionFleet } from '../../support/versions/version-fleet.ts';

const ROOT = packageRoot();

it('FH14 FH24 FH25 FH26 hosts of two versions show each other, and one is updated in place', async ({
  skip,
}) => {
  const tree = findOldTree(ROOT);
  if ('missing' in tree) return skip(tree.missing);
  await seeded(async (random) => {
    await using fleet = await VersionFleet.open(tree.commit, 'older');
    await using neighbours = new Neighbours(fleet, random);
    const gone = await neighbours.leave();
    await neighbours.exchange();
    const work = new SharedWork(fleet);
    await work.begin();
    for (const side of fleet.sides) await work.place(side);
    const reads = await neighbours.read();
    await neighbours.expectCopies(gone);
    await neighbours.update(work);
    await work.takeTurns();
    const events = await neighbours.expectFollowed();
    console.log(`older: ${tree.name}`, ...reads, `events ${events.join(' ')}`);
  });
});

class Neighbours {
  readonly #fleet: VersionFleet;
  readonly #exchanges: Exchange[];
  readonly #followers: EventFollower[];

  constructor(fleet: VersionFleet, random: Random) {
    this.#fleet = fleet;
    this.#exchanges = fleet.sides.map((side) => new Exchange(side));
    this.#followers = fleet.sides.map(
      ({ asks, shown }) =>
        new EventFollower(() => (asks.isUp && shown.isUp ? asks.asks(shown) : null), random),
    );
  }

  /** A host of each version works and leaves; later, its silence has made it unreachable. */
  async leave(): Promise<GoneHost[]> {
    const fleet = this.#fleet;
    const reader = fleet.host('reader', 'newer');
    await fleet.join(reader);
    const older = await GoneHost.make(fleet, { name: 'gone-older', side: 'older', reader });
    const newer = await GoneHost.make(fleet, { name: 'gone-newer', side: 'newer', reader });
    await newer.wasLater();
    return [older, newer];
  }

  /** People invited on one host are known on the other; what is asked through it is done there, once. */
  async exchange(): Promise<void> {
    const { older, newer } = this.#fleet;
    // Mia was invited on the older one.
    const ben = await this.#fleet.invite(newer, 'Ben');
    for (const exchange of this.#exchanges) {
      await exchange.changesOnce();
      await exchange.types();
      await exchange.answers();
    }
    expect((await older.admin.send('DELETE', `/api/people/${ben.id}`)).status).toBe(200);
    await until('Ben is removed on both hosts', async () => {
      const lists = await Promise.all([older, newer].map(async (host) => standingOf(host)));
      return !JSON.stringify(lists).includes('"Ben"');
    });
  }

  /** Pages of each version read the other host. */
  async read(): Promise<string[]> {
    const { build, older } = this.#fleet;
    const [before, now] = [await contractOf(build.root), await contractOf(ROOT)];
    const figures: string[] = [];
    for (const [n, exchange] of this.#exchanges.entries()) {
      const { asks, shown } = this.#fleet.sides[n] ?? { asks: older, shown: older };
      const contracts =
        shown === older ? { reader: now, host: before } : { reader: before, host: now };
      const bytes = await exchange.showsLists();
      const { repository } = shown.tasks;
      const { id } = await shown.tasks.get('works');
      const tasks = {
        ...NO_TASKS,
        repository,
        pending: 'works',
        pendingId: id,
        exhausted: 'works',
      };
      const { session } = exchange;
      const clients = { through: exchange.through(), direct: exchange.direct() };
      const reads = await expectReads(contracts, clients, { session, tasks });
      expect(reads.shown).toBeGreaterThan(40);
      const unknown = unknownEvents(contracts.reader, await logOf(shown));
      figures.push(
        `${asks.name} reads ${shown.name}: ${JSON.stringify(reads)}, lists of ${bytes} bytes, unknown events: ${unknown.join(' ')};`,
      );
    }
    return figures;
  }

  /** Both show what is known of those who left. */
  async expectCopies(gone: readonly GoneHost[]): Promise<void> {
    const { older, newer } = this.#fleet;
    for (const { host, events, later } of gone) {
      await this.#fleet.isSeen(host, 'unreachable');
      for (const asks of [older, newer]) {
        const copied = (await asks.asks(host).get('/api/events?after=0&limit=1000')).body;
        const shown = (copied['events'] as object[]).map((event) => JSON.stringify(event));
        expect([asks.name, shown.slice(0, events.length)]).toEqual([asks.name, events]);
        if (later !== null) expect(shown.at(-1)).toBe(later);
        const { sessions } = (await asks.asks(host).get('/api/sessions')).body;
        expect(sessions).toMatchObject([{ name: 'left' }]);
      }
    }
  }

  /** The older host gets the version of the newer one, on its home, and everything is still there. */
  async update(work: SharedWork): Promise<void> {
    const { older, newer } = this.#fleet;
    const [standing, log] = [await standingOf(older), await logOf(older)];
    await older.update(this.#fleet.programOf('newer'));
    await this.#fleet.isSeen(older, 'reachable');
    await until('the updated host answers the other one', async () => {
      return (await newer.asks(older).get('/api/sessions')).status === 200;
    });
    expect(await standingOf(older)).toEqual(standing);
    expect((await logOf(older)).slice(0, log.length)).toEqual(log);
    await work.expectWaiting();
    for (const exchange of this.#exchanges) {
      await exchange.repeatsLater();
      await exchange.keepsShell();
      await exchange.answers();
      await exchange.showsLists();
    }
  }

  /** Through the other host, the log of each arrived in order, each event once; returns how many. */
  async expectFollowed(): Promise<number[]> {
    const counts: number[] = [];
    for (const [n, { shown }] of this.#fleet.sides.entries()) {
      const { records = [], resets = [] } = this.#followers[n] ?? {};
      const log = await logOf(shown);
      await until(
        `the log of ${shown.name} was followed`,
        () => records.length >= log.length,
        () => records.length,
      );
      expect([records.slice(0, log.length), resets]).toEqual([log, []]);
      counts.push(log.length);
    }
    return counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const follower of this.#followers) await follower[Symbol.asyncDispose]();
  }
}
