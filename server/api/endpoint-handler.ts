/**
 * Turns one row of the contract and its handler into a route: role, content type, size, schemas, in
 * the order the contract fixes (401, 403, 415, 400, then what the handler finds).
 */
import type { Context } from 'hono';
import type { z } from 'zod';
import { API, type ApiName } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { mayAct } from '../../shared/schema/people/role.ts';
import type { HookRun } from '../agents/hooks/hook-capability.ts';
import type { KeptAnswers, Written } from '../idempotency/kept-answers.ts';
import { AppError } from '../lib/app-error.ts';
import { unauthorized } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';
import type { HookBodies } from './hook-bodies.ts';
import { keyedCall } from './keyed-call.ts';
import { parseSchema } from './parse-schema.ts';
import { readQuery } from './read-query.ts';
import { parseBody, readBody } from './request-body.ts';

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
  /** Null for public endpoints and for hooks. */
  identity: Identity | null;
  /** Set on the one route for hooks. */
  run: HookRun | null;
  /** The caller's address. */
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

/** The answer to a request of which only the facts it stored are known; null when they do not say. */
type Recall<Name extends ApiName> = (
  written: readonly Written[],
  call: Pick<Call<Name>, 'body' | 'identity'>,
) => Answer<Name> | null;

export type Recalls = { [Name in ApiName]?: Recall<Name> };

interface Surroundings {
  identify: () => Caller;
  hookBodies: HookBodies;
  answers: KeptAnswers;
  recalls: Recalls;
  refuse: (error: unknown) => Response;
}

/**
 * Throws an AppError. Identifies the caller again once the body has arrived: that may take long
 * enough for the person to be removed meanwhile.
 */
export async function callEndpoint<Name extends ApiName>(
  name: Name,
  handler: Handler<Name>,
  context: Context,
  { identify, hookBodies, answers, recalls, refuse }: Surroundings,
): Promise<Response> {
  const endpoint: Endpoint = API[name];
  const { run, ...first } = identify();
  requireRole(endpoint, { run, ...first });
  const request = context.req.raw;
  let text = '';
  const load = async () => (text = await readBody(endpoint, request));
  const toBody = (loaded: string) => parseBody(endpoint, loaded);
  const body =
    run === null ? toBody(await load()) : await hookBodies.read(run.session, request, load, toBody);
  const query = parseQuery(endpoint, request);
  const params = parseParams(endpoint, context.req.param());
  const caller = identify();
  requireRole(endpoint, caller);
  const call = { params, query, body, request, ...caller } as Call<Name>;
  const { identity } = caller;
  return keyedCall(answers, {
    name,
    endpoint,
    request,
    text,
    identity,
    refuse,
    perform: async () => respond(await handler(call)),
    recall: (written) => {
      const answer = recalls[name]?.(written, call) ?? null;
      return answer === null ? null : respond(answer);
    },
  });
}

function respond(answer: Response | { status: number; body: unknown }): Response {
  if (answer instanceof Response) return answer;
  return Response.json(answer.body, { status: answer.status });
}

/** A token is no capability and a capability no token: neither opens what the other does. */
function requireRole(endpoint: Endpoint, { identity, run }: Caller): void {
  if (endpoint.role === null) return;
  if (endpoint.role === 'run') {
    if (run === null) throw new AppError('role_too_low', 'only agent hooks may call this endpoint');
  } else if (identity === null || !mayAct(identity.role, endpoint.role)) {
    throw new AppError('role_too_low', `this requires the role ${endpoint.role}; ask an admin`);
  }
}

/** A route without parameters refuses any, and reads none of them. */
function parseQuery({ query }: Endpoint, request: Request): unknown {
  const { search } = new URL(request.url);
  if (query !== undefined) return parseSchema(query, readQuery(search), 'invalid_query');
  if (search === '') return {};
  throw new AppError('invalid_query', 'this request does not take query parameters');
}

/** A name that nothing can have is reported as not found. */
function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params === undefined) return undefined;
  const parsed = endpoint.params.safeParse(params);
  if (parsed.success) return parsed.data;
  if (endpoint.unknown !== undefined) throw new AppError(endpoint.unknown, 'nothing with that id');
  throw new AppError(
    'session_unknown',
    'no session with that name; list them with: loopwatch session ls',
  );
}

/** For calls behind a role: the role check guarantees an identity. */
export function identityOf({ identity }: Pick<Caller, 'identity'>): Identity {
  if (identity === null) throw unauthorized();
  return identity;
}
