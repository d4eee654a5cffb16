/** The request line of a call. Page, command line and client library send the same. */
import { ENDPOINT_LINES } from './endpoint-lines.ts';

type Values = Readonly<Record<string, string | undefined>>;

export interface EndpointLine {
  method: string;
  /** Path and query, each value encoded. */
  target: string;
}

/** Query values that are undefined are left out; parameters that are missing are empty. */
export function endpointLine(
  name: keyof typeof ENDPOINT_LINES,
  params: Values = {},
  query: Values = {},
): EndpointLine {
  const [method = 'GET', template = ''] = ENDPOINT_LINES[name].split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const search = new URLSearchParams(given).toString();
  return { method, target: search === '' ? path : `${path}?${search}` };
}

/** Whether a parameter of the path is missing or empty: the request would reach another endpoint. */
export function lacksParam(name: keyof typeof ENDPOINT_LINES, params: Values = {}): boolean {
  return [...ENDPOINT_LINES[name].matchAll(/:(\w+)/g)].some(
    ([, key = '']) => (params[key] ?? '') === '',
  );
}
