/** The people of a fleet in memory, and the ends of its hosts; a test cuts and heals them. */
import type { PeopleListener } from '../../../server/fleet/carrier.ts';
import { AppError } from '../../../server/lib/app-error.ts';

export class PeopleBucket {
  readonly records = new Map<string, { record: Uint8Array; revision: number }>();
  readonly ends = new Set<BucketEnd>();
  #revision = 0;

  join(): BucketEnd {
    const end = new BucketEnd(this);
    this.ends.add(end);
    return end;
  }

  /** As when its stream is deleted and created again: all that follow it begin again. */
  lose(): void {
    this.records.clear();
    this.#revision = 0;
    for (const end of this.ends) if (end.isConnected) end.read();
  }

  write(id: string, record: Uint8Array): number {
    this.#revision += 1;
    const revision = this.#revision;
    this.records.set(id, { record, revision });
    for (const end of this.ends) end.deliver(id, record, revision);
    return revision;
  }
}

export class BucketEnd {
  readonly #bucket: PeopleBucket;
  readonly #listeners = new Set<PeopleListener>();
  readonly #connections = new Set<(isConnected: boolean) => void>();
  isConnected = true;

  constructor(bucket: PeopleBucket) {
    this.#bucket = bucket;
  }

  /** What was missed arrives, as on a watch that begins again. */
  setConnected(isConnected: boolean): void {
    this.isConnected = isConnected;
    for (const listener of [...this.#connections]) listener(isConnected);
    if (isConnected) this.read();
  }

  /** All there is, from the beginning. */
  read(): void {
    for (const listener of [...this.#listeners]) this.#readTo(listener);
  }

  deliver(id: string, record: Uint8Array, revision: number): void {
    if (!this.isConnected) return;
    for (const listener of [...this.#listeners]) listener.person(id, record, revision);
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.#connections.add(listener);
    return () => this.#connections.delete(listener);
  }

  async savePerson(id: string, record: Uint8Array, after: number): Promise<number | 'moved'> {
    // As over a network: others may be first.
    await Promise.resolve();
    if (!this.isConnected) throw new AppError('host_unreachable', 'not connected; try again later');
    if ((this.#bucket.records.get(id)?.revision ?? 0) !== after) return 'moved';
    return this.#bucket.write(id, record);
  }

  onPeople(listener: PeopleListener): () => void {
    this.#listeners.add(listener);
    this.#readTo(listener);
    return () => this.#listeners.delete(listener);
  }

  #readTo(listener: PeopleListener): void {
    listener.began();
    for (const [id, { record, revision }] of this.#bucket.records) {
      listener.person(id, record, revision);
    }
    listener.complete();
  }
}
