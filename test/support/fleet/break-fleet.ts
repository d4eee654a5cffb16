/** What can befall a fleet, and how it ends. */
import { jetstreamManager } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import type { Random } from '../house/random.ts';
import type { FleetProcess } from './fleet-process.ts';
import type { NatsServer } from './nats-server.ts';

const HOUR_MS = 3_600_000;

/** Each of one host: several hosts may have them at the same time. */
export const HOST_FAULTS = ['daemon', 'cut', 'hold', 'slow', 'disk', 'clock'] as const;
export const FLEET_FAULTS = ['daemons', 'nats', 'both', 'delete', 'twin'] as const;
export type Fault = (typeof HOST_FAULTS)[number] | (typeof FLEET_FAULTS)[number];

export interface Breakable {
  hosts: readonly FleetProcess[];
  server: NatsServer;
  random: Random;
  /** People ask for something while it is broken. */
  command: () => void;
}

/** Over when it returns, but for daemons that are dead. `host`: whom it befalls. */
export async function breakFleet(
  fault: Fault,
  host: FleetProcess,
  { hosts, server, random, command }: Breakable,
): Promise<void> {
  const whileBroken = async (mostMs: number) => {
    command();
    await pause(random.int(1, mostMs));
  };
  switch (fault) {
    case 'daemon':
      await host.kill();
      return whileBroken(200);
    case 'daemons':
      for (const each of hosts) if (random.chance(0.7)) await each.kill();
      return;
    case 'nats':
      await server.kill();
      await whileBroken(600);
      return server.resume();
    case 'both':
      await Promise.all([host.kill(), server.kill()]);
      await host.resume();
      await whileBroken(200);
      return server.resume();
    case 'cut':
      host.proxy.isCut = true;
      host.proxy.cut();
      await whileBroken(600);
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
      const admin = await server.admin();
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
