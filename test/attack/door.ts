/** A daemon as strangers meet it: requests in every spelling, each outcome summed up in one word. */
import { gitRepository } from '../support/git/git-repository.ts';
import {
  type RawAnswer,
  type RawHeaders,
  sendBytes,
  sendRaw,
} from '../support/transport/raw-http.ts';
import type { Target } from './attack.ts';

export interface Door extends Target {
  /** host:port as the daemon answers to it. */
  host: string;
  port: string;
}

export const openDoor = async (target: Target): Promise<Door> => {
  const { host, port } = new URL(target.api.url);
  await target.api.openSession('web', gitRepository(target.world.taskDir('web')));
  return { ...target, host, port };
};

export interface Request {
  method?: string;
  target?: string;
  /** Replaces the single Host header. */
  hosts?: readonly string[];
  /** Without the admin's token. */
  stranger?: boolean;
  headers?: RawHeaders;
  body?: string | Uint8Array;
}

/** Sends it with the admin's token and without a client's additions. */
export async function ask({ api, host }: Door, request: Request): Promise<RawAnswer> {
  const { method, target = '/api/status', hosts = [host], headers = [], body } = request;
  return sendRaw(api.url, {
    method,
    target,
    headers: [
      ...hosts.map((name) => ['Host', name] as const),
      ...(request.stranger === true ? [] : [['Authorization', `Bearer ${api.token}`] as const]),
      ...(headers.some(([name]) => name === 'Connection') ? [] : CLOSE),
      ...headers,
    ],
    body,
  });
}

const CLOSE: RawHeaders = [['Connection', 'close']];

/** The handshake of a WebSocket, each line replaceable. */
export function handshake(change: Record<string, string | null> = {}): RawHeaders {
  const lines: Record<string, string | null> = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'loopwatch.v1',
    ...change,
  };
  return Object.entries(lines).filter((line): line is [string, string] => line[1] !== null);
}

export async function statusOf(door: Door, request: Request): Promise<number> {
  return (await ask(door, request)).status;
}

/** The status of the same request to the API, to the page and as an upgrade. */
export async function everywhere(door: Door, request: Request): Promise<number[]> {
  const upgrade = { ...request, headers: [...handshake(), ...(request.headers ?? [])] };
  return [
    await statusOf(door, request),
    await statusOf(door, { ...request, target: '/' }),
    await statusOf(door, { ...upgrade, target: '/ws' }),
  ];
}

/** Sends raw bytes; returns the status of each answer, or `closed` when there is none. */
export async function answersTo({ api }: Door, bytes: string | Uint8Array): Promise<string> {
  const answer = await sendBytes(api.url, bytes);
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
  return statuses.length === 0 ? 'closed' : statuses.join(' ');
}
