/** A world whose daemon shows the sessions it did not start, and clients of such sessions. */
import { join } from 'node:path';
import type { FoundSession } from '../../../shared/schema/agents/found.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { FoundClient } from './found-client.ts';
import { until } from '../house/until.ts';
import { World } from '../daemon/world.ts';

/** Disposing ends its clients and its daemon. */
export class FoundWorld {
  readonly world = new World();
  /** The client's configuration, where its records are. */
  readonly config = join(this.world.root, 'claude');
  readonly #clients: FoundClient[] = [];

  async client(
    fields: Record<string, unknown> = {},
    environment: NodeJS.ProcessEnv = {},
  ): Promise<FoundClient> {
    return this.clientOf(this.config, fields, environment);
  }

  /** The same for another configuration. */
  async clientOf(...given: Parameters<typeof FoundClient.start>): Promise<FoundClient> {
    const client = await FoundClient.start(...given);
    this.#clients.push(client);
    return client;
  }

  /** The client is a process that runs already. */
  adopt(pid: number, fields: Record<string, unknown> = {}): FoundClient {
    const client = FoundClient.of(pid, this.config, fields);
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.splice(0).map(async (client) => client.kill()));
    await this.world[Symbol.asyncDispose]();
  }
}

export async function listed(api: ApiClient): Promise<FoundSession[]> {
  return (await api.get('/api/found')).body['sessions'] as FoundSession[];
}

/** Once it is listed. */
export async function find(api: ApiClient, { id }: FoundClient): Promise<FoundSession> {
  await until(`session ${id}`, async () => (await listed(api)).some((each) => each.id === id));
  return (await api.get(`/api/found/${id}`)).body as unknown as FoundSession;
}

/** Once exactly these are listed, in any order. */
export async function expectListed(api: ApiClient, ...clients: FoundClient[]): Promise<void> {
  const expected = clients.map(({ id }) => id).sort();
  let ids: string[] = [];
  const isAsExpected = async () => {
    ids = (await listed(api)).map(({ id }) => id).sort();
    return ids.join() === expected.join();
  };
  await until('the listed sessions', isAsExpected, () => ids);
}

/** Once none of them is listed. */
export async function gone(api: ApiClient, ...ended: FoundClient[]): Promise<void> {
  const ids = ended.map(({ id }) => id);
  await until('their end', async () => (await listed(api)).every(({ id }) => !ids.includes(id)));
}
