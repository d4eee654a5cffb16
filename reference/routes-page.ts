import { API } from '../shared/endpoints/api.ts';
import type { Endpoint } from '../shared/endpoints/endpoint.ts';
import { code, table } from './table.ts';

export function routesPage(): string[] {
  const endpoints: Endpoint[] = Object.values(API);
  const rows = endpoints.flatMap(({ method, path, aliases = [], role, summary }) =>
    [path, ...aliases].map((each) => [
      method,
      code(each),
      role === 'run' ? 'hook' : (role ?? 'anyone'),
      summary,
    ]),
  );
  return [
    '# Routes',
    '',
    'The role is the lowest one that may call the route. `hook` routes take the capability of a supervised agent only. Bodies, answers and error codes of each route are in the OpenAPI document of a running daemon: `/api/openapi.json`. [How to use the API](api.md).',
    '',
    ...table(['method', 'path', 'role', 'summary'], rows),
  ];
}
