/** A fleet without daemons: its home, its real NATS server, and raw connections as its hosts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { configPath } from '../../../server/fleet/membership/fleet-record.ts';
import { type Invitation, readJoinLink } from '../../../server/fleet/membership/join-link.ts';
import { makeFleet } from '../../../server/fleet/membership/make-fleet.ts';
import { inviteHost } from '../../../server/fleet/membership/members.ts';
import { connectToServer } from '../../../server/fleet/nats/connect-to-server.ts';
import { FleetServer, freePort } from './fleet-server.ts';
import { TEST_ROOT } from '../house/test-root.ts';

export class FleetStage {
  /** Of the founder, `desk`. */
  readonly home = mkdtempSync(join(TEST_ROOT, 'f'));
  readonly #connections: NatsConnection[] = [];
  url = '';
  server!: FleetServer;

  static async open(): Promise<FleetStage> {
    const stage = new FleetStage();
    const listen = `127.0.0.1:${await freePort()}`;
    const addresses = [`tls://${listen}`];
    const { url } = await makeFleet(stage.home, { name: 'desk', listen, addresses });
    stage.url = url;
    stage.server = new FleetServer(configPath(stage.home), Number(new URL(url).port));
    return stage;
  }

  /** What the link of a new host holds. */
  invite(name: string): Invitation {
    return readJoinLink(inviteHost(this.home, name).link);
  }

  /** As that host, from anywhere. */
  async connect({ seed, ca, id }: Invitation): Promise<NatsConnection> {
    const connection = await connectToServer(this.url, { seed, ca, host: id });
    this.#connections.push(connection);
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) await connection.close();
    await this.server.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}
