/**
 * A whole fleet under faults: three daemons as processes and a real NATS server, agents at work. After
 * every fault was healed, nothing is lost, doubled or out of order, and all hosts say the same.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { NatsCarrier } from '../../../server/fleet/nats/nats-carrier.ts';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { FleetCommands } from '../../support/fleet/fleet-commands.ts';
import { FleetProcess } from '../../support/fleet/fleet-process.ts';
import { FleetRig } from '../../support/fleet/fleet-rig.ts';
import { FollowedLog } from '../../support/alerts/followed-log.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { FAST_CLOCK } from '../../support/fleet/relay-host.ts';
import { until } from '../../support/house/until.ts';

const FAULTS = sized({ short: 12, middle: 40, long: 5_000 });
/** A host is cut off until the others call it unreachable: half a minute, so rarely. */
const LONG_CUT_EVERY = sized({ short: Infinity, middle: 20, long: 100 });
const DISK_KIB = sized({ short: 16, middle: 32, long: 256 }) * 1024;
const HOUR_MS = 3_600_000;

const KINDS = [
  'daemon',
  'daemons',
  'nats',
  'both',
  'cut',
  'hold',
  'slow',
  'delete',
  'twin',
  'disk',
  'clock',
] as const;
type Kind = (typeof KINDS)[number] | 'long cut';

it('FL1 FL5 FH5 FH8 FH13 no fault of a fleet loses or doubles an event or a command', async () => {
  await seeded(async (random) => {
    await using fleet = await Fleet.start(random);
    const counts = new Map<string, number>();
    for (let fault = 1; fault <= FAULTS; fault += 1) {
      const kind = fault % LONG_CUT_EVERY === 0 ? 'long cut' : random.pick(kindsOf(fault));
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await fleet.suffer(kind).catch((error: unknown) => {
        throw new Error(`fault ${fault}, ${kind}`, { cause: error });
      });
    }
    await fleet.expectAllCopied();
    console.log(
      `${FAULTS} faults`,
      Object.fromEntries(counts),
      'answers',
      Object.fromEntries(fleet.commands.answers),
      `events ${fleet.logs.map(({ count }) => count).join(' ')}`,
    );
  });
});

/** Each kind once before any comes again. */
function kindsOf(fault: number): readonly Kind[] {
  const first = KINDS[fault - 1];
  return first === undefined ? KINDS : [first];
}

class Fleet {
  readonly commands = new FleetCommands(() => this.#round);
  readonly logs: FollowedLog[] = [];
  readonly #rig: FleetRig;
  readonly #random: Random;
  readonly #hosts: FleetProcess[] = [];
  #round = 0;

  private constructor(rig: FleetRig, random: Random) {
    this.#rig = rig;
    this.#random = random;
  }

  static async start(random: Random): Promise<Fleet> {
    const rig = await FleetRig.start();
    const fleet = new Fleet(rig, random);
    const reader = await rig.host('reader', { clock: FAST_CLOCK });
    for (const name of ['alpha', 'build-1', 'gpu']) {
      const options = { random, diskKib: DISK_KIB };
      fleet.#hosts.push(await FleetProcess.start(name, rig.server, options));
    }
    fleet.#follow(reader);
    await fleet.#heal();
    return fleet;
  }

  #follow(reader: NatsCarrier): void {
    for (const [n, host] of this.#hosts.entries()) {
      const through = this.#hosts[(n + 1) % this.#hosts.length] ?? host;
      this.logs.push(new FollowedLog(host, through, { reader, random: this.#random }));
    }
  }

  /** One fault, with commands before and during it, and what must hold once it is over. */
  async suffer(kind: Kind): Promise<void> {
    this.#round += 1;
    this.#command(2);
    await this.#break(kind);
    await this.#heal();
    await this.commands.expectOnce();
    await Promise.all(this.logs.map(async (log) => log.expectWhole()));
  }

  async expectAllCopied(): Promise<void> {
    for (const log of this.logs) await log.expectAllCopied();
  }

  #command(count: number): void {
    for (let n = 0; n < count; n += 1) {
      const from = this.#random.pick(this.#hosts);
      const to = this.#random.pick(this.#hosts.filter((host) => host !== from));
      this.commands.send(from, to);
    }
  }

  async #break(kind: Kind): Promise<void> {
    const random = this.#random;
    const host = random.pick(this.#hosts);
    const whileBroken = async (mostMs: number) => {
      this.#command(3);
      await pause(random.int(1, mostMs));
    };
    switch (kind) {
      case 'daemon':
        await host.kill();
        return whileBroken(200);
      case 'daemons':
        for (const each of this.#hosts) if (random.chance(0.7)) await each.kill();
        return;
      case 'nats':
        await this.#rig.server.kill();
        await whileBroken(600);
        return this.#rig.server.resume();
      case 'both':
        await Promise.all([host.kill(), this.#rig.server.kill()]);
        await host.resume();
        await whileBroken(200);
        return this.#rig.server.resume();
      case 'cut':
        host.proxy.isCut = true;
        host.proxy.cut();
        await whileBroken(600);
        host.proxy.isCut = false;
        return;
      case 'long cut':
        host.proxy.isCut = true;
        host.proxy.cut();
        await this.#all('it is unreachable', (node, other) =>
          node === host || other !== host ? null : 'unreachable',
        );
        await whileBroken(100);
        host.proxy.isCut = false;
        return;
      case 'hold':
        host.proxy.hold();
        await whileBroken(1_500);
        host.proxy.release();
        return;
      case 'slow':
        host.proxy.slowMs = random.int(5, 60);
        await whileBroken(1_500);
        host.proxy.slowMs = 0;
        return;
      case 'delete': {
        const admin = await this.#rig.server.admin();
        await (await jetstreamManager(admin)).streams.delete('EV');
        await whileBroken(50);
        await provisionFleet(admin);
        return;
      }
      case 'twin':
        return host.meetTwin();
      case 'disk':
        host.fillDisk();
        await whileBroken(800);
        host.freeDisk();
        return;
      case 'clock':
        host.jump(random.pick([-1, 1]) * random.int(1, 5) * HOUR_MS);
        return whileBroken(100);
    }
  }

  /** All run, work, and know of each other. Each log moves, which wakes a relay that rested. */
  async #heal(): Promise<void> {
    await Promise.all(this.#hosts.map(async (host) => host.resume()));
    await this.#all('all hosts are reachable', () => 'reachable');
    await Promise.all(this.#hosts.map(async (host) => host.keepWorking()));
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
    for (const each of [...this.logs, ...this.#hosts]) await each[Symbol.asyncDispose]();
    await this.#rig[Symbol.asyncDispose]();
  }
}

async function viewOf(node: FleetProcess) {
  const { body } = await node.asks(node).get('/api/hosts');
  const { hosts, problem } = body as unknown as {
    hosts: { name: string; state: string }[];
    problem: { code: string } | null;
  };
  const states = Object.fromEntries(hosts.map(({ name, state }) => [name, state]));
  expect(problem?.code).not.toBe('duplicate_host_id');
  return { states, problem: problem?.code ?? null };
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
