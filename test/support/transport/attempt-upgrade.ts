import { expect } from 'vitest';
import type { ApiClient } from '../daemon/api-client.ts';
import { type RawHeaders, sendRaw } from './raw-http.ts';
import { refusal } from '../daemon/refusal.ts';

export interface UpgradeAttempt {
  hosts?: string[];
  headers?: RawHeaders;
  protocols?: string | null;
  target?: string;
}

/** An upgrade as bytes; returns `101`, or the refusal with nothing after it. */
export async function attemptUpgrade(api: ApiClient, knocking: UpgradeAttempt): Promise<string> {
  const { hosts = [new URL(api.url).host], headers = [], protocols = 'loopwatch.v1' } = knocking;
  const answer = await sendRaw(api.url, {
    target: knocking.target ?? '/ws',
    headers: [
      ...hosts.map((host) => ['Host', host] as const),
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ...(protocols === null ? [] : [['Sec-WebSocket-Protocol', protocols] as const]),
      ...headers,
    ],
  });
  if (answer.status === 101) return '101';
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.body));
  return refusal(answer);
}

export async function ticketOf(api: ApiClient): Promise<string> {
  return (await api.send('POST', '/api/tickets')).body['ticket'] as string;
}

/** The header that carries the token. */
export const own = (api: ApiClient): RawHeaders => [['Authorization', `Bearer ${api.token}`]];
