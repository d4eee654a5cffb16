/** Typed calls of the REST contract, without its schemas: the page bundles none. */
import type { API } from '$shared/endpoints/api.ts';
import { endpointLine } from '$shared/rules/endpoint-line.ts';
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
/** When the host of a copied answer gave it. */
const COPY_HEADER = 'loopwatch-as-of';

/** The token is no longer valid, or its role is lower than assumed. */
export type AccessRefusal = 'unauthorized' | 'role_too_low';

export class Rest {
  readonly #token: string | null;
  readonly #onRefused: (code: AccessRefusal) => void;
  readonly #base: string;

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
    const response = await this.#fetch(name, options);
    if (!response.ok) {
      const error = await RequestError.fromResponse(response);
      if (error.code === 'unauthorized' || error.code === 'role_too_low') {
        this.#onRefused(error.code);
      }
      throw error;
    }
    try {
      const copied = response.headers.get(COPY_HEADER);
      const copiedAt = copied === null ? null : Date.parse(copied);
      return { answer: (await response.json()) as Answer<Name>, copiedAt };
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
      timeoutMs = TIMEOUT_MS,
    }: CallOptions<Name>,
  ): Promise<Response> {
    const params = { id: session ?? item, name: task, input, at };
    const { method, target } = endpointLine(name, params, query);
    const headers = new Headers();
    if (this.#token !== null) headers.set('authorization', `Bearer ${this.#token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(this.#base + target, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        cache: 'no-store',
        credentials: 'omit',
      });
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown;
      throw RequestError.unreachable();
    }
  }
}
