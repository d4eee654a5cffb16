/** The REST application: every endpoint of the contract behind one order of checks, and the page. */
import { type Context, Hono } from 'hono';
import { REMOTE_INPUT_OFF } from '../../shared/rules/wire.ts';
import { API, type ApiName } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { HookCapabilities } from '../agents/hooks/hook-capability.ts';
import type { KeptAnswers } from '../idempotency/kept-answers.ts';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import type { Access } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';
import type { RequestHead } from '../transport/transport.ts';
import {
  callEndpoint,
  type Caller,
  type Handler,
  type Handlers,
  type Recalls,
} from './endpoint-handler.ts';
import { errorResponse } from './error-response.ts';
import { HookBodies } from './hook-bodies.ts';
import { NO_ROUTE, PAGE_ROUTE, type RequestCounts, type Route } from './request-counts.ts';

/** How a request of another host is judged. */
export interface Remote {
  /** Whom it counts as unless its token is known here. */
  viewer: Identity;
  /** Whether people may type into terminals here from there. */
  mayType: boolean;
}

interface AppOptions {
  handlers: Handlers;
  access: Access;
  capabilities: HookCapabilities;
  answers: KeptAnswers;
  recalls: Recalls;
  logger: Log;
  requests: RequestCounts;
  page: (request: Request) => Response;
}

interface Bindings {
  /** The handler that answers sets `route`. */
  Bindings: { head: RequestHead; route: Route; remote: Remote | null };
}

/** Answers requests that have passed the gate. */
export function createApp(
  options: AppOptions,
): (request: Request, head: RequestHead, remote?: Remote | null) => Promise<Response> {
  const { handlers, logger, requests, page, answers, recalls } = options;
  const hookBodies = new HookBodies();
  const app = new Hono<Bindings>();
  for (const [name, endpoint] of Object.entries<Endpoint>(API)) {
    const handler = handlers[name as ApiName] as Handler<ApiName>;
    app.on(endpoint.method, pathsOf(endpoint), async (context) => {
      context.env.route = endpoint;
      const identify = () => callerOf(context, endpoint, options);
      const refuse = (error: unknown) => errorResponse(error, logger, context.req.path);
      const around = { identify, hookBodies, answers, recalls, refuse };
      return callEndpoint(name as ApiName, handler, context, around);
    });
  }
  const refuseUnknown = (context: Context<Bindings>) => {
    // Without a token, no one learns which paths exist.
    const { run } = identify(context, options);
    if (run !== null)
      throw new AppError('role_too_low', 'a hook capability is only valid for the hook endpoints');
    throw unknownRoute(context.req.method, context.req.path);
  };
  app.all('/api/*', refuseUnknown);
  // Carried to that host before; here it is a spelling that is not.
  for (const path of ['api', 'ws', 'healthz', 'health', 'metrics']) {
    app.all(`/hosts/:name/${path}`, refuseUnknown);
    app.all(`/hosts/:name/${path}/*`, refuseUnknown);
  }
  for (const path of ['/metrics', '/health']) app.all(path, refuseUnknown);
  app.get('*', (context) => {
    context.env.route = PAGE_ROUTE;
    return page(context.req.raw);
  });
  app.notFound((context) => {
    const { method, path } = context.req;
    return errorResponse(unknownRoute(method, path), logger, path);
  });
  app.onError((error, context) => errorResponse(error, logger, context.req.path));
  return async (request, head, remote = null) => {
    const call = { head, route: NO_ROUTE, remote };
    const response = await app.fetch(request, call);
    requests.count(call.route, response.status);
    return response;
  };
}

function callerOf(
  context: Context<Bindings>,
  endpoint: Endpoint,
  options: Pick<AppOptions, 'access' | 'capabilities'>,
): Caller {
  requireReach(context.env.remote, endpoint);
  if (endpoint.role === null) return { identity: null, run: null, source: sourceOf(context) };
  return identify(context, options);
}

/** Throws for a secret that identifies neither a run nor a person. */
function identify(
  context: Context<Bindings>,
  { access, capabilities }: Pick<AppOptions, 'access' | 'capabilities'>,
): Caller {
  const source = sourceOf(context);
  const authorization = context.req.header('authorization') ?? null;
  const { remote } = context.env;
  // The hooks of an agent call their own daemon, never through another one.
  if (remote !== null) {
    return { identity: access.recognize(authorization) ?? remote.viewer, run: null, source };
  }
  const run = capabilities.verify(/^Bearer (\S{1,256})$/i.exec(authorization ?? '')?.[1] ?? '');
  return {
    identity: run === null ? access.authenticate(authorization, source) : null,
    run,
    source,
  };
}

/** What a request of another host may not do, no matter who sends it. */
function requireReach(remote: Remote | null, endpoint: Endpoint): void {
  if (remote === null) return;
  if (endpoint.local === true) {
    const message = 'this is only answered on the page of the host itself; open it there';
    throw new AppError('role_too_low', message);
  }
  if (endpoint.input === true && !remote.mayType) {
    throw new AppError('remote_input_off', REMOTE_INPUT_OFF);
  }
}

function sourceOf(context: Context<Bindings>): string {
  return context.env.head.remoteAddress;
}

function unknownRoute(method: string, path: string): AppError {
  const others = Object.values<Endpoint>(API).filter((endpoint) => {
    const patterns = pathsOf(endpoint).map((each) => each.replaceAll(/:\w+/g, '[^/]+'));
    return new RegExp(`^(?:${patterns.join('|')})$`).test(path);
  });
  if (others.length === 0)
    return new AppError('not_found', 'no endpoint at this path; see /api/openapi.json');
  const allowed = others.map((endpoint) => endpoint.method).join(', ');
  return new AppError('method_not_allowed', `method ${method} is not allowed; use ${allowed}`);
}

function pathsOf({ path, aliases = [] }: Endpoint): string[] {
  return [path, ...aliases];
}
