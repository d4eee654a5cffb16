/**
 * What programs import as `loopwatch/client`: typed calls of the REST contract and the event stream.
 * For Node and browsers; imports nothing of Node.
 */
import type { ApiName } from '../shared/endpoints/api.ts';
import type { RequestOf, ResponseOf } from '../shared/endpoints/call-types.ts';
import { endpointLine, lacksParam } from '../shared/rules/endpoint-line.ts';
import { KEY_HEADER, newKey, takesKey } from '../shared/rules/idempotency.ts';
import { type Followed, followEvents, type FollowOptions } from './follow-events.ts';
import { failureOf, RequestFailure } from './request-failure.ts';

export type { EventRecord } from '../shared/schema/events/events.ts';
export type { ApiName, Followed, FollowOptions, RequestOf, ResponseOf };
export { RequestFailure };
export type { FailureCode } from './request-failure.ts';

export interface Connection {
  /** For example `http://127.0.0.1:4700`. */
  url: string;
  token: string;
  /** The name of another host of its fleet: it is asked in place of the one at `url`. */
  host?: string;
}

/** Read before each request when it is a function: a restarted daemon may have another port. */
export type ConnectionSource = Connection | (() => Connection | Promise<Connection>);

export interface Client {
  /**
   * Calls an endpoint by its name in the table. A change on another host carries an idempotency key
   * and is repeated with it, three times, while its outcome is unknown; `key` gives any change one.
   * Throws a RequestFailure.
   */
  call<Name extends ApiName>(
    name: Name,
    input: RequestOf<Name>,
    signal?: AbortSignal,
    key?: string,
  ): Promise<ResponseOf<Name>>;
  /** Follows events over restarts of the daemon. Throws a RequestFailure that no retry would cure. */
  events(options?: FollowOptions): AsyncGenerator<Followed, void, void>;
}

interface Sent {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
}

/** Sends nothing yet. */
export function createClient(source: ConnectionSource): Client {
  async function send(
    name: ApiName,
    input: Sent,
    signal?: AbortSignal,
    key?: string,
  ): Promise<Response> {
    if (lacksParam(name, input.params)) throw new TypeError(`${name}: a name or id is empty`);
    const { method, target } = endpointLine(name, input.params, input.query);
    const { url, token, host } = await (typeof source === 'function' ? source() : source);
    const headers = new Headers({ authorization: `Bearer ${token}` });
    const chosen = key ?? (host !== undefined && takesKey(name, method) ? newKey() : null);
    if (chosen !== null) headers.set(KEY_HEADER, chosen);
    const { body } = input;
    if (body !== undefined) headers.set('content-type', 'application/json');
    const text = body === undefined ? null : JSON.stringify(body);
    const place = host === undefined ? target : `/hosts/${encodeURIComponent(host)}${target}`;
    const sent = { method, headers, body: text, signal };
    const attempt = async () => {
      const response = await exchange(new URL(place, url), sent);
      if (response.ok) return response;
      throw await failureOf(response);
    };
    return chosen === null ? attempt() : repeated(attempt, chosen, signal);
  }

  async function call<Name extends ApiName>(
    name: Name,
    input: RequestOf<Name>,
    signal?: AbortSignal,
    key?: string,
  ): Promise<ResponseOf<Name>> {
    return readAnswer<ResponseOf<Name>>(await send(name, input as Sent, signal, key));
  }

  const stream = {
    head: async (signal: AbortSignal) => {
      const { epoch, head } = await call('status', {}, signal);
      return `${epoch}:${head}`;
    },
    open: async ({ after, types, session, subject }: FollowOptions, signal: AbortSignal) => {
      const query = { after, types, session, subject };
      return chunksOf((await send('streamEvents', { query }, signal)).body);
    },
    pause,
  };
  return { call, events: (options) => followEvents(stream, options) };
}

/** Before each repeat of a request whose outcome is unknown. */
const REPEATS_MS = [0, 1_000, 4_000];
/** After an unknown outcome, these leave it unknown. */
const LEAVE_OPEN: readonly string[] = [
  'outcome_unknown',
  'in_progress',
  'host_unreachable',
  'unreachable',
];

/** Ends with the failure that left the outcome open, and its key for another repeat. */
async function repeated(
  attempt: () => Promise<Response>,
  key: string,
  signal?: AbortSignal,
): Promise<Response> {
  let open: RequestFailure | null = null;
  for (const delayMs of [...REPEATS_MS, null]) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof RequestFailure)) throw thrown;
      if (thrown.code === 'outcome_unknown') open ??= thrown.repeatableWith(key);
      if (open === null || !LEAVE_OPEN.includes(thrown.code)) throw thrown;
      if (delayMs === null) throw open;
      if (delayMs > 0) await pause(delayMs, signal ?? new AbortController().signal);
    }
  }
  throw new TypeError('not reached: the last repeat ends the loop');
}

/** Exchanges a login link (or an invitation), which works once, for a connection. Throws a RequestFailure. */
export async function logIn(link: string): Promise<Connection> {
  const { origin, hash } = new URL(link);
  const code = new URLSearchParams(hash.slice(1)).get('k') ?? '';
  const { method, target } = endpointLine('login');
  const headers = new Headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ code });
  const response = await exchange(new URL(target, origin), { method, headers, body });
  if (!response.ok) throw await failureOf(response);
  return { url: origin, token: (await readAnswer<ResponseOf<'login'>>(response)).token };
}

async function exchange(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'omit' });
  } catch (thrown) {
    if (init.signal?.aborted === true) throw thrown;
    throw new RequestFailure('unreachable', 0, `no answer from ${url.origin}`);
  }
}

/** An answer that is no JSON, such as CSV, is given as text. */
async function readAnswer<Answer>(response: Response): Promise<Answer> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return (isJson ? response.json() : response.text()) as Promise<Answer>;
}

/** Not every browser iterates a body itself. */
async function* chunksOf(body: Response['body']): AsyncGenerator<Uint8Array, void, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const read: { done: boolean; value?: Uint8Array } = await reader.read();
      if (read.value === undefined) return;
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
