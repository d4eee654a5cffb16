/** The head of a request as the seam knows it, and what is wrong with one that uWebSockets.js lets by. */
import type { RequestHead } from '../transport.ts';
import { headerValues } from '../transport.ts';
import type { UwsRequest } from './engine.ts';
import type { LiveResponse } from './live-response.ts';

/** As node:http has it. */
const MAX_HEAD_BYTES = 16 * 1024;

/** Takes what the engine gave, in the same call; gives the head. */
export function readHead(response: LiveResponse, request: UwsRequest): RequestHead {
  const headers: [string, string][] = [];
  const each = (name: string, value: string) => void headers.push([name, value]);
  if (request.forEach === undefined) request.forEachHeader?.(each);
  else request.forEach(each);
  const query = request.getQuery() ?? '';
  return {
    method: request.getMethod().toUpperCase(),
    target: `${request.getUrl()}${query === '' ? '' : `?${query}`}`,
    headers,
    remoteAddress: addressText(response.address()),
  };
}

/**
 * Takes a head; gives the status that refuses it where its end or that of its body cannot be known for
 * sure, or null.
 */
export function judgeFraming(head: RequestHead): 400 | 431 | null {
  const lengths = headerValues(head, 'content-length');
  const codings = headerValues(head, 'transfer-encoding');
  const isWrong =
    lengths.length + codings.length > 1 ||
    lengths.some((value) => !/^\d{1,15}$/.test(value)) ||
    codings.some((value) => value.toLowerCase() !== 'chunked');
  if (isWrong) return 400;
  const size = head.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return size + head.target.length > MAX_HEAD_BYTES ? 431 : null;
}

/** Takes a header that is a list; says whether the word is in it. */
export function headerHas(head: RequestHead, name: string, word: string): boolean {
  return headerValues(head, name)
    .flatMap((value) => value.split(','))
    .some((value) => value.trim().toLowerCase() === word);
}

/** Takes the bytes of an address; gives its text as node has it. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (isMapped) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
