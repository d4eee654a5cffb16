/** Three daemons of a fleet as processes, with agents at work, and what must hold after each fault. */
import { expect } from 'vitest';
import type { NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { FollowedLog } from '../alerts/followed-log.ts';
import type { Random } from '../house/random.ts';
import { until } from '../house/until.ts';
import { breakFleet, type Fault } from './break-fleet.ts';
import { FleetCommands } from './fleet-commands.ts';
import { FleetProcess } from './fleet-process.ts';
import { FleetRig } from './fleet-rig.ts';
import { type FleetSeen, fleetSeenBy } from './fleet-view.ts';
import { HealingTimes } from './healing-times.ts';
import { FAST_CLOCK } from './relay-host.ts';
import { WantedBranch } from './wanted-branch.ts';

export class FaultyFleet {
  readonly #commands = new FleetCommands(() => this.#round);
  readonly #logs: FollowedLog[] = [];
  readonly #rig: FleetRig;
  readonly #random: Random;
  readonly #hosts: FleetProcess[] = [];
  readonly #healings = new HealingTimes();
  #branch!: WantedBranch;
  #round = 0;

  private constructor(rig: FleetRig, random: Random) {
    this.#rig = rig;
    this.#random = random;
  }

  static async start(random: Random, diskKib: number): Promise<FaultyFleet> {
    const rig = await FleetRig.start();
    const fleet = new FaultyFleet(rig, random);
    const reader = await rig.host('reader', { clock: FAST_CLOCK });
    for (const name of ['alpha', 'build-1', 'gpu']) {
      fleet.#hosts.push(await FleetProcess.start(name, rig.server, { random, diskKib }));
    }
    fleet.#follow(reader);
    await fleet.#reachAll();
    fleet.#branch = await WantedBranch.begin(fleet.#hosts.slice(0, 2));
    await fleet.#continue();
    return fleet;
  }

  /** Moments at which two hosts worked on one branch. */
  get doubles(): readonly string[] {
    return this.#branch.doubles;
  }

  #follow(reader: NatsCarrier): void {
    for (const [n, host] of this.#hosts.entries()) {
      const through = this.#hosts[(n + 1) % this.#hosts.length] ?? host;
      this.#logs.push(new FollowedLog(host, through, { reader, random: this.#random }));
    }
  }

  /**
   * Several faults are of several hosts, at the same time. People ask for something before and while
   * it is broken; then follows what must hold once it is over.
   */
  async suffer(faults: readonly [Fault, ...Fault[]]): Promise<void> {
    await this.#heal(faults.join(' and '), async () => {
      const first = this.#random.int(0, this.#hosts.length - 1);
      const { server } = this.#rig;
      const command = () => this.#command(3);
      const fleet = { hosts: this.#hosts, server, random: this.#random, command };
      await Promise.all(
        faults.map(async (fault, n) => {
          const host = this.#hosts[(first + n) % this.#hosts.length];
          if (host !== undefined) await breakFleet(fault, host, fleet);
        }),
      );
    });
  }

  /** A host is cut off until the others are sure that it is gone, and a person gives its branch away. */
  async sufferLongCut(): Promise<void> {
    await this.#heal('long cut', async () => {
      const host = this.#branch.atWork()[0] ?? this.#random.pick(this.#hosts);
      host.proxy.isCut = true;
      host.proxy.cut();
      await this.#all('it is unreachable', (node, other) =>
        node === host || other !== host ? null : 'unreachable',
      );
      await this.#branch.release(host);
      this.#command(3);
      host.proxy.isCut = false;
    });
  }

  async #heal(fault: string, suffer: () => Promise<void>): Promise<void> {
    this.#round += 1;
    this.#command(2);
    // The other host may begin while something is broken.
    if (this.#random.chance(0.3)) await this.#branch.handOver();
    await suffer();
    await Promise.all(this.#hosts.map(async (host) => host.resume()));
    await this.#healings.measure(fault, async () => {
      await this.#reachAll();
      await this.#agree();
      await this.#expectWhole();
    });
    await this.#branch.untilFenced();
    await this.#continue();
    await this.#commands.expectOnce();
    await this.#expectWhole();
  }

  async #expectWhole(): Promise<void> {
    await Promise.all(this.#logs.map(async (log) => log.expectWhole()));
  }

  /** And someone works on the wanted branch. */
  async expectAllCopied(): Promise<void> {
    await this.#branch.untilAtWork();
    for (const log of this.#logs) await log.expectAllCopied();
  }

  /** For the person who reads them. */
  figures(): object {
    return {
      answers: Object.fromEntries(this.#commands.answers),
      events: this.#logs.map(({ count }) => count),
      changesOfBranch: this.#branch.changes,
      agreed: this.#healings.figures(),
    };
  }

  #command(count: number): void {
    for (let n = 0; n < count; n += 1) {
      const from = this.#random.pick(this.#hosts);
      const to = this.#random.pick(this.#hosts.filter((host) => host !== from));
      this.#commands.send(from, to);
    }
  }

  async #reachAll(): Promise<void> {
    await this.#all('all hosts are reachable', () => 'reachable');
  }

  /** All work. Each log moves, which wakes a relay that rested. */
  async #continue(): Promise<void> {
    await Promise.all(this.#hosts.map(async (host) => host.keepWorking()));
    await this.#branch.keepWanted();
    await this.#agree();
  }

  async #agree(): Promise<void> {
    await until('all hosts list the same', async () => {
      for (const host of this.#hosts) {
        const lists = await Promise.all(
          this.#hosts.map(async (node) => listsOf(node, host, this.#round)),
        );
        if (new Set(lists).size > 1) return false;
      }
      return true;
    });
  }

  /** Until each host has every other one as it must be; null: as it may be. */
  async #all(
    what: string,
    wanted: (node: FleetProcess, other: FleetProcess) => string | null,
  ): Promise<void> {
    let seen: unknown;
    await until(
      what,
      async () => {
        const views = await Promise.all(this.#hosts.map(async (node) => viewOf(node)));
        seen = views;
        return this.#hosts.every((node, n) =>
          this.#hosts.every((other) => {
            const state = wanted(node, other);
            const expected = node === other ? 'here' : state;
            if (state === 'reachable' && views[n]?.problem !== null) return false;
            return state === null || views[n]?.states[other.name] === expected;
          }),
        );
      },
      () => seen,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#branch[Symbol.dispose]();
    for (const each of [...this.#logs, ...this.#hosts]) await each[Symbol.asyncDispose]();
    await this.#rig[Symbol.asyncDispose]();
  }
}

async function viewOf(node: FleetProcess): Promise<FleetSeen> {
  const seen = await fleetSeenBy(node.asks(node));
  expect(seen.problem).not.toBe('duplicate_host_id');
  return seen;
}

/** What that host has, as `node` shows it; an answer that is no list is never the same. */
async function listsOf(node: FleetProcess, host: FleetProcess, round: number): Promise<string> {
  const api = node.asks(host);
  const sessions = await api.get('/api/sessions');
  const prompts = await api.get(`/api/v1/prompts?limit=1000&search=round ${round}.`);
  if (sessions.status !== 200 || prompts.status !== 200) return `${node.name}: no lists`;
  const names = (sessions.body['sessions'] as { name: string }[]).map(({ name }) => name);
  return JSON.stringify([names, prompts.body]);
}
