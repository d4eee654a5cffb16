/** What a fleet costs: an event on its way to a browser at another host, and a host that only waits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { saveHostIdentity } from '../../server/fleet/host-identity.ts';
import { receiptsOf } from '../load/stamps.ts';
import type { Pace } from '../pace.ts';
import { type Figure, timeFigures } from '../report/figures.ts';
import { BenchChild } from '../rig/bench-child.ts';
import { identityOf, Nats } from '../rig/nats.ts';
import { cpuShares } from '../rig/process-cost.ts';
import { Rig } from '../rig/rig.ts';
import type { HostsAsk } from './hosts-process.ts';

const HOSTS = 20;
const SESSIONS = 50;
const EVENTS_A_SECOND = 200;
const EVENTS = 4_000;
const QUICK_EVENTS = 1_000;
const WARM_EVENTS = 200;
const RETURNED_EVENTS = 100_000;
const IDLE_MS = 30_000;
const QUICK_IDLE_MS = 10_000;
/** Lets the work left over from the start finish. */
const SETTLE_MS = 5_000;

export async function fleetCost({ isQuick }: Pace): Promise<Figure[]> {
  const nats = await Nats.start();
  if (nats === null) throw new Error('nats-server is not installed');
  await using server = nats;
  const root = mkdtempSync(join(tmpdir(), 'lwb-'));
  try {
    await using rig = new Rig({ LOOPWATCH_NATS: server.url });
    saveHostIdentity(rig.home, identityOf(0));
    await rig.start();
    await using hosts = new BenchChild<HostsAsk>(
      'fleet/hosts-process.js',
      [server.url, root],
      null,
    );
    const names = await hosts.ask<string[]>({ ask: 'open', hosts: HOSTS });
    while ((await reachable(rig)) < HOSTS) await pause(100);
    await pause(SETTLE_MS);
    const idleMs = isQuick ? QUICK_IDLE_MS : IDLE_MS;
    const [idle = NaN, serving = NaN] = await cpuShares([[rig.pid], [server.pid]], idleMs);
    const ages: number[] = [];
    for (const name of names) {
      const request = { type: 'subscribe', id: 1, types: ['*'], after: null };
      await rig.connect(
        [request],
        (data) => ages.push(...receiptsOf(data).map(({ ageMs }) => ageMs)),
        `/hosts/${name}/ws`,
      );
    }
    const pace = { ask: 'pace', sessions: SESSIONS, perSecond: EVENTS_A_SECOND } as const;
    await hosts.ask({ ...pace, count: WARM_EVENTS });
    await received(ages, WARM_EVENTS);
    ages.length = 0;
    const count = isQuick ? QUICK_EVENTS : EVENTS;
    await hosts.ask({ ...pace, count });
    await received(ages, count);
    const returned = await hosts.ask<number>({ ask: 'return', events: RETURNED_EVENTS });
    return figures(idle, serving, ages, returned);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function figures(idle: number, serving: number, ages: number[], returned: number): Figure[] {
  const title = `${HOSTS} hosts × ${SESSIONS} sessions`;
  const unit = '% of a core';
  return [
    {
      name: `${title}, idle: the daemon that shows them, CPU`,
      value: idle * 100,
      unit,
      goal: { direction: 'at most', value: 1 },
    },
    { name: `${title}, idle: NATS server, CPU`, value: serving * 100, unit },
    ...timeFigures(
      `${title}, ${EVENTS_A_SECOND} events/s: event → browser at another host`,
      [ages],
      {
        p99: 60,
      },
    ),
    {
      name: `a host returns with ${RETURNED_EVENTS} events: all are copied`,
      value: returned / 1_000,
      unit: 's',
      goal: { direction: 'at most', value: 5 },
    },
  ];
}

async function reachable(rig: Rig): Promise<number> {
  const { hosts } = (await rig.get('/api/hosts')) as { hosts: { state: string }[] };
  return hosts.filter(({ state }) => state === 'reachable').length;
}

/** All of them; each was sent to one subscriber. */
async function received(ages: readonly number[], count: number): Promise<void> {
  let seen = -1;
  while (ages.length < count) {
    if (ages.length === seen) throw new Error(`${count - seen} events did not arrive`);
    seen = ages.length;
    await pause(5_000);
  }
}
