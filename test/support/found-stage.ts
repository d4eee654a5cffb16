/** A world with clients that a person runs without Loopwatch, and what the daemon lists of them. */
import { join } from 'node:path';
import type { FoundSession } from '../../shared/schema/found.ts';
import type { ApiClient } from './api-client.ts';
import { FoundClient } from './found-client.ts';
import { until } from './until.ts';
import { World } from './world.ts';

export class FoundStage {
  readonly world = new World();
  readonly #clients: FoundClient[] = [];

  async client(fields: Record<string, unknown> = {}): Promise<FoundClient> {
    const client = await FoundClient.start(join(this.world.root, 'claude'), fields);
    this.#clients.push(client);
    return client;
  }

  async listed(api: ApiClient): Promise<FoundSession[]> {
    return (await api.get('/api/found')).body['sessions'] as FoundSession[];
  }

  /** Waits until exactly these are listed, in any order. */
  async expectListed(api: ApiClient, ...clients: FoundClient[]): Promise<void> {
    const expected = clients.map(({ id }) => id).sort();
    await until('the listed sessions', async () => {
      const ids = (await this.listed(api)).map(({ id }) => id).sort();
      return ids.join() === expected.join();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map(async (client) => client.kill()));
    await this.world[Symbol.asyncDispose]();
  }
}
