/**
 * How often each route of the contract answered, by class of status. Everything else counts as one.
 */
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';

export type Route = { method: Endpoint['method'] | 'other'; path: string };

/**
 * The dashboard's files, and everything else: names no route can have, so no client can make up
 * more.
 */
export const PAGE_ROUTE: Route = { method: 'GET', path: 'page' };
export const NO_ROUTE: Route = { method: 'other', path: 'other' };

interface RequestCount {
  method: string;
  route: string;
  /** As `2xx`. */
  status: string;
  count: number;
}

export class RequestCounts {
  readonly #counts = new Map<string, RequestCount>();

  count({ method, path: route }: Route, statusCode: number): void {
    const status = `${Math.floor(statusCode / 100)}xx`;
    const key = `${method} ${route} ${status}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { method, route, status, count: 1 });
    else known.count += 1;
  }

  list(): readonly Readonly<RequestCount>[] {
    return [...this.#counts.values()];
  }
}
