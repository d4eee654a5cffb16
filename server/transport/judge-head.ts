/** Defects of a head that a network engine accepts; checked for every engine alike. */
import { headerValues, type RequestHead } from './transport.ts';

/** Same as node:http. */
const MAX_HEAD_BYTES = 16 * 1024;
/** 16 bytes in Base64. */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
const VERSION = '13';

/**
 * The status that refuses a head whose end, or that of its body, is ambiguous; null when it is
 * fine.
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

/** The response that refuses an upgrade unless it is a complete handshake of RFC 6455. */
export function judgeHandshake(head: RequestHead): Response | null {
  if (!isOnly(head, 'upgrade', (value) => value.toLowerCase() === 'websocket')) {
    return refusal(400, '"Upgrade: websocket" exactly once, with no other value');
  }
  if (!isOnly(head, 'sec-websocket-version', (value) => value === VERSION)) {
    return refusal(
      426,
      `"Sec-WebSocket-Version: ${VERSION}" exactly once; no other version is supported`,
    );
  }
  if (head.method !== 'GET') return refusal(400, 'the method GET');
  if (isOnly(head, 'sec-websocket-key', (value) => KEY.test(value))) return null;
  return refusal(400, 'Sec-WebSocket-Key exactly once, 16 bytes in Base64');
}

/** Whether a list header contains the word. */
export function headerHas(head: RequestHead, name: string, word: string): boolean {
  return headerValues(head, name)
    .flatMap((value) => value.split(','))
    .some((value) => value.trim().toLowerCase() === word);
}

function isOnly(head: RequestHead, name: string, is: (value: string) => boolean): boolean {
  const [value, ...more] = headerValues(head, name);
  return value !== undefined && more.length === 0 && is(value);
}

function refusal(status: 400 | 426, wanted: string): Response {
  return new Response(`Not a valid WebSocket handshake; it requires ${wanted}.\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'sec-websocket-version': VERSION,
      // With 426 the required protocol must be named.
      upgrade: 'websocket',
    },
  });
}
