/** The OpenAPI document, generated from the table that the routes are mounted from. */
import type { z } from 'zod';
import { API } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { ErrorBody, type ErrorCode, errorTraits } from '../../shared/schema/errors.ts';
import { KEY_HEADER, REPLAYED_HEADER, takesKey } from '../../shared/rules/idempotency.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Codes that any endpoint behind the gate can answer with. */
const GATE_ERRORS: readonly ErrorCode[] = ['unknown_host', 'foreign_origin'];
const TOKEN_ERRORS: readonly ErrorCode[] = ['unauthorized', 'too_many_attempts', 'role_too_low'];
/** Writing endpoints may find the store out of order. */
const STORAGE_ERRORS: readonly ErrorCode[] = ['storage_full', 'storage_busy', 'storage_failed'];
const BODY_ERRORS: readonly ErrorCode[] = [
  'unsupported_media_type',
  'payload_too_large',
  'invalid_body',
  'invalid_idempotency_key',
];

const KEY_ERRORS: readonly ErrorCode[] = [
  'in_progress',
  'answer_not_kept',
  'idempotency_key_reused',
];
const KEY_PARAMETER = {
  name: KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'The same request with the same key within 24 hours is done once and gets the same answer, with ' +
    `the header ${REPLAYED_HEADER}.`,
  schema: { type: 'string', minLength: 1, maxLength: 80 },
};

/** OpenAPI 3.1. */
export function openApiDocument(version: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(API)) {
    for (const [index, path] of [endpoint.path, ...(endpoint.aliases ?? [])].entries()) {
      const methods = (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
      // Each operation has its own id, also under an older path.
      const id = index === 0 ? name : `${name}_${index}`;
      methods[endpoint.method.toLowerCase()] = operation(id, name, endpoint);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Loopwatch', version },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        capability: {
          type: 'http',
          scheme: 'bearer',
          description: 'Hook capability of one agent run',
        },
      },
      schemas: { Error: jsonSchema(ErrorBody) },
    },
    paths,
  };
}

function operation(id: string, name: string, endpoint: Endpoint): JsonSchema {
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...(takesKey(name, endpoint.method) ? [KEY_PARAMETER] : []),
  ];
  return {
    operationId: id,
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...(endpoint.role === null ? {} : { 'x-role': endpoint.role }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : { requestBody: requestBody(endpoint.body) }),
    responses: { ...successes(endpoint), ...failures(name, endpoint) },
  };
}

function requestBody(body: z.ZodType): JsonSchema {
  return { required: !body.safeParse(undefined).success, content: json(jsonSchema(body)) };
}

function securityOf({ role }: Endpoint): JsonSchema[] {
  if (role === null) return [];
  return [role === 'run' ? { capability: [] } : { token: [] }];
}

function successes(endpoint: Endpoint): JsonSchema {
  const type = endpoint.mediaType ?? 'application/json';
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => [
      status,
      { description: endpoint.summary, content: { [type]: { schema: jsonSchema(schema) } } },
    ]),
  );
}

function failures(name: string, endpoint: Endpoint): JsonSchema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(name, endpoint)) {
    const { status } = errorTraits(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = json({ $ref: '#/components/schemas/Error' });
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.join(', '), content }]),
  );
}

/** Every code it can answer with, including those of the common checks. */
function errorCodesOf(name: string, endpoint: Endpoint): ErrorCode[] {
  return [
    ...new Set([
      ...GATE_ERRORS,
      ...(endpoint.role === null ? [] : TOKEN_ERRORS),
      ...(endpoint.method === 'GET' ? [] : [...BODY_ERRORS, ...STORAGE_ERRORS]),
      ...(takesKey(name, endpoint.method) ? KEY_ERRORS : []),
      'invalid_query' as const,
      ...endpoint.errors,
    ]),
  ];
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
