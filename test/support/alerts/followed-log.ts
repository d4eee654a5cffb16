/** The log of a host: as it is there, as it was copied, and as a reader at another host followed it. */
import { expect } from 'vitest';
import type { Carrier } from '../../../server/fleet/carrier.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { EventFollower } from '../events/event-follower.ts';
import type { FleetProcess } from '../fleet/fleet-process.ts';
import type { Random } from '../house/random.ts';
import { until } from '../house/until.ts';

interface Page {
  events: object[];
  epoch: string;
  next: number;
  head: number;
}

export class FollowedLog {
  readonly #host: FleetProcess;
  readonly #reader: Carrier;
  readonly #follower: EventFollower;
  /** Compared so far. */
  readonly #records: string[] = [];

  /** `reader` reads the copy; the follower asks `through`, another host. */
  constructor(
    host: FleetProcess,
    through: FleetProcess,
    { reader, random }: { reader: Carrier; random: Random },
  ) {
    this.#host = host;
    this.#reader = reader;
    const api = (): ApiClient | null => (through.api === null ? null : through.asks(host));
    this.#follower = new EventFollower(api, random);
  }

  get count(): number {
    return this.#records.length;
  }

  /** Until both have all that the host has now; each event must be there once and in its place. */
  async expectWhole(): Promise<void> {
    const { id, name } = this.#host.identity;
    const { records, epoch } = await this.#new();
    const from = this.#records.length;
    const head = from + records.length;
    this.#records.push(...records);
    expect(records.map((json) => (JSON.parse(json) as { seq: number }).seq)).toEqual(
      records.map((_, n) => from + n + 1),
    );
    let last: number | undefined;
    await until(
      `the log of ${name} is copied up to ${head}`,
      async () => {
        if (!this.#reader.isConnected) return false;
        const position = await this.#reader.position(id).catch(() => null);
        last = position?.last;
        return position?.epoch === epoch && position.last >= head;
      },
      () => last,
    );
    const copied = await this.#reader.replay(id, epoch, from, head - from);
    expect(copied, `the copy of the log of ${name}`).toEqual(records);
    const { resets, records: followed } = this.#follower;
    await until(
      `the log of ${name} was followed up to ${head}`,
      () => followed.length >= head,
      () => followed.length,
    );
    expect(followed.slice(from, head), `the log of ${name} as it was followed`).toEqual(records);
    expect(resets).toEqual([]);
  }

  async expectAllCopied(): Promise<void> {
    await this.expectWhole();
    const { body } = await this.#host.asks(this.#host).get('/api/status');
    const all = this.#records;
    const epoch = String(body['epoch']);
    expect(await this.#reader.replay(this.#host.identity.id, epoch, 0, all.length)).toEqual(all);
    expect(this.#follower.records.slice(0, all.length)).toEqual(all);
  }

  async #new(): Promise<{ records: string[]; epoch: string }> {
    const records: string[] = [];
    for (let after = this.#records.length; ;) {
      const path = `/api/events?after=${after}&limit=1000`;
      const { body } = await this.#host.asks(this.#host).get(path);
      const { events, next, head, epoch } = body as unknown as Page;
      records.push(...events.map((event) => JSON.stringify(event)));
      after = next;
      if (after >= head) return { records, epoch };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower[Symbol.asyncDispose]();
  }
}
