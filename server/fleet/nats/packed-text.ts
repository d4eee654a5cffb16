/** Compressed on the way through NATS. What another host sent may be made to fill the memory. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const deflateBytes = promisify<Uint8Array, Buffer>(deflateRaw);
const inflateBytes = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

export async function pack(bytes: Uint8Array): Promise<Uint8Array> {
  return deflateBytes(bytes);
}

/** Null when it was damaged, or is larger than `maxBytes` unpacked. */
export async function unpack(packed: Uint8Array, maxBytes: number): Promise<Buffer | null> {
  try {
    return await inflateBytes(packed, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}
