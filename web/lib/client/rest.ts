/** Typed calls of the REST contract, without its schemas: the page bundles none. */
import type { API } from '$shared/endpoints/api.ts';
import { endpointLine } from '$shared/rules/endpoint-line.ts';
import { KEY_HEADER, takesKey } from '$shared/rules/idempotency.ts';
import { OpenKeys } from './open-keys.ts';
import { asRequestError, RequestError } from './request-error.ts';

type Contract = typeof API;

export type EndpointName = keyof Contract;

type Responses<Name extends EndpointName> = Contract[Name]['responses'];
export type Answer<Name extends EndpointName> = Responses<Name>[keyof Responses<Name>] extends {
  _zod: { output: infer Output };
}
  ? Output
  : never;
type Body<Name extends EndpointName> = Contract[Name] extends {
  body: { _zod: { input: infer Input } };
}
  ? Input
  : never;

export interface CallOptions<Name extends EndpointName> {
  session?: string;
  /** Id of an inbox item, an alert, a delivery, a person, a prompt, a run or a task module. */
  item?: string;
  /** Task name. */
  task?: string;
  /** Id of an input of the task. */
  input?: string;
  /** Number of a stored snapshot. */
  at?: string;
  query?: Readonly<Record<string, string>>;
  body?: Body<Name>;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Longer than the slowest answer: a start waits up to 10 s for the agent. */
const TIMEOUT_MS = 20_000;
/** Longer than this host waits for another one, so that its answer says what is known. */
const REMOTE_TIMEOUT_MS = 40_000;
/** When the host of a copied answer gave it. */
const COPY_HEADER = 'loopwatch-as-of';

/** The token is no longer valid, or its role is lower than assumed. */
export type AccessRefusal = 'unauthorized' | 'role_too_low';

export class Rest {
  readonly #token: string | null;
  readonly #onRefused: (code: AccessRefusal) => void;
  readonly #base: string;
  readonly #keys = new OpenKeys();

  /** `base`: what the addresses of another host begin with, such as `/hosts/build-1`. */
  constructor(
    token: string | null,
    onRefused: (code: AccessRefusal) => void = () => undefined,
    base = '',
  ) {
    this.#token = token;
    this.#onRefused = onRefused;
    this.#base = base;
  }

  /** Throws `RequestError`. */
  async call<Name extends EndpointName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<Answer<Name>> {
    return (await this.read(name, options)).answer;
  }

  /** As `call`, but a copy counts as no answer: nothing new comes from its host. */
  async callLive<Name extends EndpointName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<Answer<Name>> {
    const { answer, copiedAt } = await this.read(name, options);
    if (copiedAt !== null) throw RequestError.unreachable();
    return answer;
  }

  /**
   * The answer, and the time it is from when it is a copy: the host itself cannot be reached.
   * Throws `RequestError`.
   */
  async read<Name extends EndpointName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<{ answer: Answer<Name>; copiedAt: number | null }> {
    const { response, settle } = await this.#fetch(name, options);
    if (!response.ok) {
      const error = await RequestError.fromResponse(response);
      if (!isOpen(error)) settle();
      if (error.code === 'unauthorized' || error.code === 'role_too_low') {
        this.#onRefused(error.code);
      }
      throw error;
    }
    try {
      const copied = response.headers.get(COPY_HEADER);
      const copiedAt = copied === null ? null : Date.parse(copied);
      const answer = (await response.json()) as Answer<Name>;
      settle();
      return { answer, copiedAt };
    } catch (thrown) {
      throw asRequestError(thrown);
    }
  }

  async #fetch<Name extends EndpointName>(
    name: Name,
    {
      session,
      item,
      task,
      input,
      at,
      query,
      body,
      signal,
      timeoutMs = this.#base === '' ? TIMEOUT_MS : REMOTE_TIMEOUT_MS,
    }: CallOptions<Name>,
  ): Promise<{ response: Response; settle: () => void }> {
    const params = { id: session ?? item, name: task, input, at };
    const { method, target } = endpointLine(name, params, query);
    const headers = new Headers();
    if (this.#token !== null) headers.set('authorization', `Bearer ${this.#token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(timeoutMs);
    const text = body === undefined ? null : JSON.stringify(body);
    const line = `${method} ${target} ${text ?? ''}`;
    // The daemon that answers this page is close: what it did can be seen.
    const isKeyed = this.#base !== '' && takesKey(name, method);
    if (isKeyed) headers.set(KEY_HEADER, this.#keys.keyOf(line));
    const settle = () => this.#keys.settle(line);
    // Not inline: the types of Node, where tests run it, know no cache.
    const init = {
      method,
      headers,
      body: text,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      cache: 'no-store',
      credentials: 'omit',
    } as const;
    try {
      const response = await fetch(this.#base + target, init);
      return { response, settle };
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown;
      throw RequestError.unreachable();
    }
  }
}

/** Whether it may have been done all the same. */
function isOpen({ code }: RequestError): boolean {
  return ['outcome_unknown', 'in_progress', 'host_unreachable', 'unreadable'].includes(code);
}
