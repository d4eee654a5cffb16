/**
 * Below `/hosts/NAME`: the API and WebSocket of that host on this node. Who asks must be known here;
 * what that person may do is decided by the host.
 */
import { API } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { MAX_FRAME_BYTES, TICKET_PREFIX } from '../../shared/rules/wire.ts';
import { errorResponse } from '../api/error-response.ts';
import { readBytes } from '../api/request-body.ts';
import type { Carrier } from '../fleet/carrier.ts';
import { type HostPath, isApiTarget } from '../fleet/host-path.ts';
import type { FleetHosts, KnownHost } from '../fleet/hosts.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Access } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';
import { headerValues, type RequestHead, type Upgrade } from '../transport/transport.ts';
import { askHost } from './ask-host.ts';
import { copiedAnswer } from './copied-answer.ts';
import { requestHeaders, socketHeaders } from './forwarded-headers.ts';
import { PassedTickets } from './passed-tickets.ts';
import { RelayedSocket } from './relay-socket.ts';

/** WebSockets whose ticket no host has checked yet. */
const MAX_OPENING = 16;

export interface GatewayOptions {
  access: Pick<Access, 'authenticate'>;
  clock: Clock;
  logger: Log;
  /** Null: this host is alone. */
  fleet: { carrier: Carrier; hosts: FleetHosts; name: string } | null;
  /** This host itself. */
  own: {
    answer: (request: Request, head: RequestHead) => Promise<Response>;
    upgrade: (head: RequestHead) => Upgrade;
  };
}

interface Asking {
  request: Request;
  head: RequestHead;
  target: string;
  identity: Identity;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #tickets: PassedTickets;
  #opening = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#tickets = new PassedTickets(options.clock);
  }

  async fetch(request: Request, head: RequestHead, path: HostPath): Promise<Response> {
    const { logger } = this.#options;
    try {
      return await this.#answer(request, head, path);
    } catch (error) {
      return errorResponse(error, logger, path.target);
    }
  }

  upgrade(head: RequestHead, { name, target }: HostPath): Upgrade {
    const { access, clock, logger, fleet, own } = this.#options;
    try {
      const asked = { ...head, target };
      if (target !== '/ws') throw new AppError('not_found', `WebSockets are at /hosts/${name}/ws`);
      if (fleet !== null && name === fleet.name) return own.upgrade(asked);
      // The host issued the ticket, and only the host can check it.
      const ticket = ticketOf(head);
      const identity =
        ticket === null
          ? this.#authenticate(access, head)
          : (this.#tickets.take(ticket) ?? access.authenticate(null, head.remoteAddress));
      const { carrier, host } = this.#reachable(name);
      if (this.#opening >= MAX_OPENING) {
        throw new AppError('too_many_attempts', 'too many WebSockets are being opened; wait');
      }
      const opening = {
        kind: 'socket' as const,
        method: 'GET',
        target,
        headers: leavingHere(socketHeaders(head.headers), ticket === null ? identity : null),
        bodyBytes: 0,
      };
      const open = async () => carrier.request(host.facts.id, opening);
      const decided = () => (this.#opening -= 1);
      const options = { clock, identity, open, decided };
      return {
        accept: true,
        open: (peer) => {
          this.#opening += 1;
          return new RelayedSocket(peer, options);
        },
      };
    } catch (error) {
      return { accept: false, response: errorResponse(error, logger) };
    }
  }

  async #answer(request: Request, head: RequestHead, { name, target }: HostPath) {
    const { access, fleet, own } = this.#options;
    const identity = this.#authenticate(access, head);
    if (!isApiTarget(target)) {
      throw new AppError('not_found', 'only the API of a host is answered here: /hosts/NAME/api/…');
    }
    if (fleet !== null && name === fleet.name) {
      return own.answer(new Request(`http://host${target}`, request), { ...head, target });
    }
    const { carrier, hosts } = this.#fleet(name);
    const host = hosts.byName(name);
    if (host === null) throw unknownHost(name);
    const { id } = host.facts;
    if (!host.isReachable || !carrier.isConnected) {
      const isGet = request.method === 'GET' && carrier.isConnected;
      const copy = isGet ? await copiedAnswer(carrier, { ...host, id }, target) : null;
      if (copy !== null) return copy;
      throw unreachable(host);
    }
    const asked = { request, head, target, identity };
    const answer = await this.#ask(carrier, { id, name }, asked);
    const isTicket = request.method === 'POST' && target === API.createTicket.path;
    if (!isTicket || answer.status !== 201) return answer;
    const text = await answer.text();
    this.#tickets.keep(text, identity);
    return new Response(text, answer);
  }

  async #ask(
    carrier: Carrier,
    host: { id: string; name: string },
    { request, head, target, identity }: Asking,
  ): Promise<Response> {
    const { clock } = this.#options;
    const { pathname, searchParams } = new URL(target, 'http://host');
    const body = await readBytes(request, maxBytesOf(request.method, pathname));
    const waitMs = Number(searchParams.get('wait') ?? '0') * 1000;
    return askHost(carrier, clock, host, {
      head: {
        kind: 'request',
        method: request.method,
        target,
        headers: leavingHere(requestHeaders(head.headers), identity),
      },
      body,
      identity,
      signal: request.signal,
      waitMs: Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), 60_000) : 0,
    });
  }

  #authenticate(access: GatewayOptions['access'], head: RequestHead): Identity {
    return access.authenticate(headerValues(head, 'authorization')[0] ?? null, head.remoteAddress);
  }

  #reachable(name: string): { carrier: Carrier; host: KnownHost } {
    const { carrier, hosts } = this.#fleet(name);
    const host = hosts.byName(name);
    if (host === null) throw unknownHost(name);
    if (!host.isReachable || !carrier.isConnected) throw unreachable(host);
    return { carrier, host };
  }

  #fleet(name: string) {
    const { fleet } = this.#options;
    if (fleet === null) throw unknownHost(name);
    return fleet;
  }
}

function ticketOf(head: RequestHead): string | null {
  const protocols = headerValues(head, 'sec-websocket-protocol').flatMap((each) => each.split(','));
  const found = protocols.map((each) => each.trim()).find((each) => each.startsWith(TICKET_PREFIX));
  return found?.slice(TICKET_PREFIX.length) ?? null;
}

const LARGE = Object.values<Endpoint>(API).flatMap(
  ({ method, role, path, aliases = [], maxBytes = 0 }) =>
    maxBytes <= MAX_FRAME_BYTES || role === 'run'
      ? []
      : [path, ...aliases].map((each) => ({
          method,
          pattern: new RegExp(`^${each.replaceAll(/:\w+/g, '[^/]+')}$`),
          maxBytes,
        })),
);

/**
 * Without the token of this home: it means nothing to another host, which must not learn it. Null: a
 * ticket of the host that is asked stands for the person.
 */
function leavingHere(headers: [string, string][], identity: Identity | null): [string, string][] {
  const isPerson = identity !== null && identity.id !== null;
  return isPerson ? headers : headers.filter(([name]) => name !== 'authorization');
}

/** Of the endpoint as the host has it; the host checks again. */
function maxBytesOf(method: string, pathname: string): number {
  const large = LARGE.find((each) => each.method === method && each.pattern.test(pathname));
  return large?.maxBytes ?? MAX_FRAME_BYTES;
}

function unknownHost(name: string): AppError {
  const message = 'no host of that name; list them with: GET /api/hosts';
  return new AppError('host_unknown', message, { host: name.slice(0, 64) });
}

function unreachable({ facts: { name }, heardAt }: KnownHost): AppError {
  const message = `host ${name} cannot be reached since ${heardAt}; check its daemon and its network`;
  return new AppError('host_unreachable', message, { host: name, since: heardAt });
}
