/** The head of a request as the seam knows it. */
import type { RequestHead } from '../transport.ts';
import type { UwsRequest } from './engine.ts';
import type { LiveResponse } from './live-response.ts';

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

/** Takes the bytes of an address; gives its text as node has it. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (isMapped) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
