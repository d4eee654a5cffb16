/** Shared work that one host at a time may do, as keys that are created once. */
import type { StoredMsg } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { z } from 'zod';
import { parseJson } from '../../lib/parse-json.ts';
import type { Claim } from '../carrier.ts';
import { asking, hasMoved } from './fleet-error.ts';
import type { Live } from './link.ts';
import { BUCKETS } from './subjects.ts';

const Holder = z.object({ host: z.string().max(40), work: z.string().max(400).default('') });
type Holder = z.infer<typeof Holder>;
const PREFIX = `$KV.${BUCKETS.claims}.`;

export class SharedClaims {
  readonly #host: string;
  readonly #live: () => Live;

  constructor(options: { host: string; live: () => Live }) {
    this.#host = options.host;
    this.#live = options.live;
  }

  /** Also ours when we hold it already: the answer to an earlier claim may have been lost. */
  async claim(key: string, work: string): Promise<Claim | null> {
    const bucket = await this.#bucket();
    return asking('claim shared work', async () => {
      const name = encodeKey(key);
      try {
        const holder = { host: this.#host, work: work.slice(0, 400) };
        const revision = await bucket.create(name, JSON.stringify(holder));
        return { key, ...holder, revision };
      } catch (error) {
        if (!hasMoved(error)) throw error;
        const entry = await bucket.get(name);
        const holder = entry?.operation === 'PUT' ? holderIn(entry.value) : null;
        return holder?.host === this.#host && entry !== null
          ? { key, ...holder, revision: entry.revision }
          : null;
      }
    });
  }

  async list(): Promise<Claim[]> {
    return asking('list shared work', async () => {
      const found: Claim[] = [];
      for (let seq = 1; ;) {
        const message: StoredMsg | null = await this.#live().jsm.direct.getMessage(
          `KV_${BUCKETS.claims}`,
          { seq, next_by_subj: `${PREFIX}>` },
        );
        if (message === null) return found;
        const holder = holderIn(message.data);
        const key = decodeKey(message.subject.slice(PREFIX.length));
        if (holder !== null) found.push({ key, ...holder, revision: message.seq });
        seq = message.seq + 1;
      }
    });
  }

  async release({ key, revision }: Claim): Promise<boolean> {
    const bucket = await this.#bucket();
    try {
      await asking('release shared work', () =>
        bucket.delete(encodeKey(key), { previousSeq: revision }),
      );
      return true;
    } catch (error) {
      if (hasMoved(error)) return false;
      throw error;
    }
  }

  async #bucket(): Promise<KV> {
    return new Kvm(this.#live().js).open(BUCKETS.claims, { allow_direct: true });
  }
}

/** Null for a key that was released, or that no host wrote. */
function holderIn(value: Uint8Array): Holder | null {
  return Holder.safeParse(parseJson(Buffer.from(value).toString('utf8'))).data ?? null;
}

/** Any text as a key of NATS, which takes few characters. */
function encodeKey(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decodeKey(name: string): string {
  return Buffer.from(name, 'base64url').toString('utf8');
}
