/** The newest answers of hosts to requests for lists, for when a host cannot be reached. */
import { createHash } from 'node:crypto';
import { type KV, Kvm } from '@nats-io/kv';
import { asking } from './fleet-error.ts';
import type { Live } from './link.ts';
import { pack, unpack } from './packed-text.ts';
import { BUCKETS } from './subjects.ts';

/** Packed. An answer beyond it is not kept. */
const MAX_PACKED_BYTES = 512 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export class ListCopies {
  readonly #host: string;
  readonly #live: () => Live;

  constructor(options: { host: string; live: () => Live }) {
    this.#host = options.host;
    this.#live = options.live;
  }

  async save(target: string, answer: Uint8Array): Promise<void> {
    const key = keyOf(this.#host, target);
    const packed = await pack(answer);
    const bucket = await this.#bucket();
    await asking('keep a copy of an answer', async () => {
      const fits = packed.length <= MAX_PACKED_BYTES && answer.length <= MAX_ANSWER_BYTES;
      // An old answer in place of one that is too large would look like news.
      await (fits ? bucket.put(key, packed) : bucket.delete(key));
    });
  }

  async read(host: string, target: string): Promise<{ answer: Uint8Array; atMs: number } | null> {
    const bucket = await this.#bucket();
    const entry = await asking('read a copy of an answer', () => bucket.get(keyOf(host, target)));
    if (entry?.operation !== 'PUT') return null;
    const answer = await unpack(entry.value, MAX_ANSWER_BYTES);
    return answer && { answer, atMs: entry.created.getTime() };
  }

  async #bucket(): Promise<KV> {
    return new Kvm(this.#live().js).open(BUCKETS.copies, { allow_direct: true });
  }
}

function keyOf(host: string, target: string): string {
  return `${host}.${createHash('sha256').update(target).digest('hex').slice(0, 32)}`;
}
