/**
 * Turns one row of the contract and its handler into a route: role, content type, size, schemas, in
 * the order the contract fixes (401, 403, 415, 400, then what the handler finds).
 */
import type { Context } from 'hono';
import { z } from 'zod';
import { API, type ApiName } from '../../shared/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { MAX_FRAME_BYTES } from '../../shared/protocol.ts';
import { mayAct } from '../../shared/role.ts';
import type { HookRun } from '../agents/hooks/hook-capability.ts';
import { AppError } from '../lib/app-error.ts';
import { unauthorized } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';

type Parsed<Name extends ApiName, Part extends 'params' | 'query' | 'body'> =
  (typeof API)[Name] extends Record<Part, z.ZodType>
    ? z.output<(typeof API)[Name][Part]>
    : undefined;

type Answer<Name extends ApiName> = {
  [Status in keyof (typeof API)[Name]['responses'] & number]: {
    status: Status;
    body: (typeof API)[Name]['responses'][Status] extends z.ZodType<infer Body> ? Body : never;
  };
}[keyof (typeof API)[Name]['responses'] & number];

export interface Call<Name extends ApiName> {
  params: Parsed<Name, 'params'>;
  query: Parsed<Name, 'query'>;
  body: Parsed<Name, 'body'>;
  request: Request;
  /** Who calls; null on what is open to everybody and for hooks. */
  identity: Identity | null;
  /** Whose hook it is, on the one route for hooks. */
  run: HookRun | null;
  /** Address of the caller. */
  source: string;
}

export type Handler<Name extends ApiName> = (
  call: Call<Name>,
) => Answer<Name> | Response | Promise<Answer<Name> | Response>;

export type Handlers<Name extends ApiName = ApiName> = { [Each in Name]: Handler<Each> };

export interface Caller {
  identity: Identity | null;
  /** Set for the hooks of a run, which have no role. */
  run: HookRun | null;
  source: string;
}

/**
 * Takes an endpoint, its handler and how to find out who calls; gives the response, or throws an
 * AppError. Asks a second time once the body is there: it may have taken so long that somebody was
 * removed meanwhile.
 */
export async function callEndpoint<Name extends ApiName>(
  name: Name,
  handler: Handler<Name>,
  context: Context,
  identify: () => Caller,
): Promise<Response> {
  const endpoint: Endpoint = API[name];
  requireRole(endpoint, identify());
  const request = context.req.raw;
  const body = await parseBody(endpoint, request);
  const query = parse(endpoint.query ?? Nothing, queryOf(request), 'invalid_query');
  const params = parseParams(endpoint, context.req.param());
  const caller = identify();
  requireRole(endpoint, caller);
  const answer = await handler({ params, query, body, request, ...caller } as Call<Name>);
  if (answer instanceof Response) return answer;
  return Response.json(answer.body, { status: answer.status });
}

/** A token is no capability and a capability no token: neither opens what the other does. */
function requireRole(endpoint: Endpoint, { identity, run }: Caller): void {
  if (endpoint.role === null) return;
  if (endpoint.role === 'run') {
    if (run === null) throw new AppError('role_too_low', 'this is for the hooks of an agent alone');
  } else if (identity === null || !mayAct(identity.role, endpoint.role)) {
    throw new AppError('role_too_low', `this needs the role ${endpoint.role}`);
  }
}

const Nothing = z.strictObject({});

async function parseBody(endpoint: Endpoint, request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const length = request.headers.get('content-length');
  const hasBody = (length !== null && length !== '0') || request.headers.has('transfer-encoding');
  if (hasBody && !/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 'send the body as application/json');
  }
  const text = hasBody ? await readText(request, endpoint.maxBytes ?? MAX_FRAME_BYTES) : '';
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new AppError('invalid_body', 'the body is not JSON');
  }
  if (endpoint.body !== undefined) return parse(endpoint.body, value, 'invalid_body');
  if (value === undefined || Nothing.safeParse(value).success) return undefined;
  throw new AppError('invalid_body', 'this request takes no body');
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > maxBytes) {
      throw new AppError('payload_too_large', `a body has at most ${maxBytes} bytes`);
    }
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AppError('invalid_body', 'the body is not UTF-8');
  }
}

function queryOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  for (const name of searchParams.keys()) {
    if (searchParams.getAll(name).length > 1) {
      throw new AppError('invalid_query', `${name} was given more than once`);
    }
  }
  return Object.fromEntries(searchParams);
}

/** A name that nothing can have is a thing that does not exist. */
function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params === undefined) return undefined;
  const parsed = endpoint.params.safeParse(params);
  if (parsed.success) return parsed.data;
  if (endpoint.unknown !== undefined) throw new AppError(endpoint.unknown, 'there is no such id');
  throw new AppError('session_unknown', 'there is no session of that name');
}

function parse(schema: z.ZodType, value: unknown, code: 'invalid_body' | 'invalid_query'): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  const [first] = issues;
  const field = first === undefined || first.field === '' ? '' : `${first.field}: `;
  throw new AppError(code, `${field}${first?.message ?? 'not valid'}`, { issues });
}

/** Takes a call behind a role; gives who it is. The check of the role has made sure of it. */
export function identityOf({ identity }: Pick<Caller, 'identity'>): Identity {
  if (identity === null) throw unauthorized();
  return identity;
}
