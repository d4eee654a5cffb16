/**
 * A body in two steps, because reading takes as long as the sender likes and parsing blocks others.
 */
import { z } from 'zod';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { MAX_FRAME_BYTES } from '../../shared/rules/wire.ts';
import { AppError } from '../lib/app-error.ts';
import { parseSchema } from './parse-schema.ts';

/** No request has more than about ten. */
const MAX_DEPTH = 100;
const Nothing = z.strictObject({});

/** Empty without a body. Throws `unsupported_media_type`, `payload_too_large`. */
export async function readBody(endpoint: Endpoint, request: Request): Promise<string> {
  if (request.method === 'GET' || request.method === 'HEAD') return '';
  const length = request.headers.get('content-length');
  const hasBody = (length !== null && length !== '0') || request.headers.has('transfer-encoding');
  if (!hasBody) return '';
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'send the body as application/json');
  }
  const bytes = await readBytes(request, endpoint.maxBytes ?? MAX_FRAME_BYTES);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_body', 'the body is not UTF-8');
  }
}

/** Empty without a body. Throws `payload_too_large`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > maxBytes) {
      throw new AppError('payload_too_large', `the body is larger than ${maxBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Throws `invalid_body`. */
export function parseBody({ method, body, role }: Endpoint, text: string): unknown {
  if (method === 'GET') return undefined;
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new AppError('invalid_body', 'the body is not JSON');
  }
  // A hook's payload is the client's, which cuts long texts anywhere.
  if (role !== 'run' && holdsHalf(text, value)) {
    throw new AppError('invalid_body', 'a string contains a lone surrogate; send valid Unicode');
  }
  if (role !== 'run' && isDeep(value)) {
    throw new AppError('invalid_body', `the body is nested more than ${MAX_DEPTH} levels deep`);
  }
  if (body !== undefined) return parseSchema(body, value, 'invalid_body');
  if (value === undefined || Nothing.safeParse(value).success) return undefined;
  throw new AppError('invalid_body', 'this request does not take a body');
}

/** Whether it is nested further than what checks and stores it may follow. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}

/**
 * Whether `value`, parsed from `json`, contains a text that is not valid Unicode. Stored, typed or
 * sent, it would be another text, with U+FFFD in it. Only an escape can cause this: the JSON itself
 * is UTF-8.
 */
function holdsHalf(json: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return false;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && /\p{Cs}/u.test(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, inner] of Object.entries(next)) left.push(key, inner);
  }
  return false;
}
