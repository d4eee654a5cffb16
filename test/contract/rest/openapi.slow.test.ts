/** The two published documents match the daemon: nothing missing, nothing invented. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { API } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { ErrorCode, errorTraits } from '../../../shared/schema/errors.ts';
import { EVENT_TYPES } from '../../../shared/schema/events/events.ts';
import { ClientFrame, ServerFrame } from '../../../shared/schema/events/protocol.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import { takesKey } from '../../../shared/rules/idempotency.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

interface Operation {
  operationId: string;
  security: unknown[];
  'x-role'?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content: Content }>;
}

type Content = Record<string, { schema: object }>;

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface AsyncApi {
  asyncapi: string;
  channels: {
    ws: { address: string; messages: Record<string, { payload: object }>; 'x-close-codes': object };
  };
  operations: Record<string, { messages: { $ref: string }[] }>;
  components: { schemas: Record<string, object> };
}

async function documents(world: World) {
  const { api } = await world.start();
  const openapi = (await api.get('/api/openapi.json')).body as unknown as OpenApi;
  const asyncapi = (await api.get('/api/asyncapi.json')).body as unknown as AsyncApi;
  return { api, openapi, asyncapi };
}

function operations({ paths }: OpenApi): (Operation & { route: string })[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
    })),
  );
}

/** Every operation of the contract by its id; an older path counts as its own operation. */
function operationsOfTable(): { id: string; name: string; path: string; endpoint: Endpoint }[] {
  return Object.entries<Endpoint>(API).flatMap(([name, endpoint]) =>
    [endpoint.path, ...(endpoint.aliases ?? [])].map((path, index) => ({
      id: index === 0 ? name : `${name}_${index}`,
      name,
      path,
      endpoint,
    })),
  );
}

/** The body that its route takes. */
function bodyOf(operationId: string): object | undefined {
  const name = operationsOfTable().find(({ id }) => id === operationId)?.name;
  return exampleCalls().find((call) => call.name === name)?.body;
}

/** What an endpoint can answer, by status, derived from the contract only. */
function expectedAnswers(name: string, endpoint: Endpoint): Record<string, string[]> {
  const codes = new Set<string>([
    'unknown_host',
    'foreign_origin',
    ...(endpoint.role === null ? [] : ['unauthorized', 'too_many_attempts', 'role_too_low']),
    ...(endpoint.method === 'GET'
      ? []
      : [
          'unsupported_media_type',
          'payload_too_large',
          'invalid_body',
          'storage_full',
          'storage_busy',
          'storage_failed',
          'invalid_idempotency_key',
        ]),
    ...(takesKey(name, endpoint.method)
      ? ['in_progress', 'answer_not_kept', 'idempotency_key_reused']
      : []),
    'invalid_query',
    ...endpoint.errors,
  ]);
  const answers: Partial<Record<string, string[]>> = {};
  for (const status of Object.keys(endpoint.responses)) answers[status] = [];
  for (const code of codes) {
    (answers[errorTraits(ErrorCode.parse(code)).status] ??= []).push(code);
  }
  return Object.fromEntries(
    Object.entries(answers).map(([status, list]) => [status, list?.sort() ?? []]),
  );
}

it('LP65 the OpenAPI document names the permissions that a start and a restart take', async () => {
  await using world = new World();
  const { openapi } = await documents(world);
  const named = (id: string) =>
    JSON.stringify(operations(openapi).find(({ operationId }) => operationId === id)?.requestBody);
  const choices = '"permissions":{"type":"string","enum":["ask","edit","everything"]}';
  expect(named('startAuto')).toContain(choices);
  expect(named('restartAuto')).toContain(choices);
  expect(named('changeLimits')).not.toContain('permissions');
});

it('WI11 IK1 the OpenAPI document names every route, its role and every status with its codes', async () => {
  await using world = new World();
  const { openapi } = await documents(world);
  const published = operations(openapi).map(({ operationId, route, responses, ...operation }) => ({
    name: operationId,
    route,
    role: operation['x-role'] ?? null,
    open: operation.security.length === 0,
    answers: Object.fromEntries(
      Object.entries(responses).map(([status, { description }]) => [
        status,
        status.startsWith('2') ? [] : description.split(', ').sort(),
      ]),
    ),
  }));
  const expected = operationsOfTable().map(({ id, name, path, endpoint }) => ({
    name: id,
    route: `${endpoint.method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    role: endpoint.role,
    open: endpoint.role === null,
    answers: expectedAnswers(name, endpoint),
  }));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(published.sort(byName)).toEqual(expected.sort(byName));
});

it('WI11 the OpenAPI document names every parameter and body', async () => {
  await using world = new World();
  const { openapi } = await documents(world);
  const published = operations(openapi).map(({ operationId, parameters = [], requestBody }) => [
    operationId,
    parameters.map((parameter) => `${parameter.in} ${parameter.name}`),
    Object.keys(requestBody?.content ?? {}),
  ]);
  const names = (schema: z.ZodType | undefined, place: string) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).map((key) => `${place} ${key}`) : [];
  const expected = operationsOfTable().map(
    ({ id, name, endpoint: { method, params, query, body } }) => [
      id,
      [
        ...names(params, 'path'),
        ...names(query, 'query'),
        ...(takesKey(name, method) ? ['header idempotency-key'] : []),
      ],
      body === undefined ? [] : ['application/json'],
    ],
  );
  expect(published.sort()).toEqual(expected.sort());
});

it('WI11 every schema of both documents is JSON Schema that a reader can build', async () => {
  await using world = new World();
  const { openapi, asyncapi } = await documents(world);
  const parts: [string, object][] = [
    ...Object.entries(openapi.components.schemas),
    ...Object.entries(asyncapi.components.schemas),
    ...Object.entries(asyncapi.channels.ws.messages).map(
      ([name, { payload }]): [string, object] => [name, payload],
    ),
    ...operations(openapi).flatMap(({ operationId, parameters = [], requestBody, responses }) => [
      ...parameters.map(({ name, schema }): [string, object] => [`${operationId} ${name}`, schema]),
      ...[requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {})
          .filter(({ schema }) => !('$ref' in schema))
          .map(({ schema }): [string, object] => [operationId, schema]),
      ),
    ]),
  ];
  const broken = parts.filter(([, schema]) => {
    try {
      z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(([name]) => name)).toEqual([]);
});

it('WI11 the published schemas accept the bodies that the routes accept, and no unknown key', async () => {
  await using world = new World();
  const { openapi } = await documents(world);
  const published = operations(openapi).flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    const body = bodyOf(operationId);
    if (schema === undefined) return [];
    const reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    const extra = reader.safeParse({ ...body, extra: 1 }).success;
    return [[operationId, reader.safeParse(body).success, extra]];
  });
  // A hook's body is what the client sends, with keys that only its version knows.
  expect(published).toEqual(published.map(([name]) => [name, true, name === 'receiveHook']));
});

it('WI1 WI11 every path of the OpenAPI document answers', async () => {
  await using world = new World();
  const { api, openapi } = await documents(world);
  const refusals = [];
  for (const { operationId, route } of operations(openapi)) {
    const [method = '', path = ''] = route.split(' ');
    // Without a token an unknown path is 401 too; an open route answers 200 or its own refusal.
    const answer = await api.send(
      method,
      path.replaceAll(/\{\w+\}/g, 'nobody'),
      bodyOf(operationId),
      {
        // A stream would not end.
        accept: 'application/json',
        ...(path.endsWith('/stream') ? { 'last-event-id': 'wrong' } : {}),
      },
    );
    if (answer.status >= 400) refusals.push(refusal(answer));
  }
  expect(refusals.filter((word) => /not_found|method_not_allowed|internal/.test(word))).toEqual([]);
});

it('WI2 the published error schema holds exactly the closed list of codes', async () => {
  await using world = new World();
  const { openapi } = await documents(world);
  const schema = openapi.components.schemas['Error'] as {
    properties: { error: { properties: { code: { enum: string[] } } } };
  };
  expect(schema.properties.error.properties.code.enum.sort()).toEqual(
    [...ErrorCode.options].sort(),
  );
});

it('WI11 the AsyncAPI document names every frame both ways, every event and close code', async () => {
  await using world = new World();
  const { asyncapi } = await documents(world);
  const { address, messages } = asyncapi.channels.ws;
  const names = (prefix: string, frames: readonly { shape: { type: z.ZodLiteral<string> } }[]) =>
    [...frames.map(({ shape }) => shape.type.value), 'bytes'].map((name) => `${prefix}_${name}`);
  const client = names('client', ClientFrame.options);
  const server = names('server', ServerFrame.options);
  const refs = (group: string[]) => group.map((name) => `#/channels/ws/messages/${name}`).sort();
  const published = (operation: string) =>
    asyncapi.operations[operation]?.messages.map(({ $ref }) => $ref).sort();
  expect({
    address,
    messages: Object.keys(messages).sort(),
    receive: published('receive'),
    send: published('send'),
    closeCodes: asyncapi.channels.ws['x-close-codes'],
    events: Object.keys(asyncapi.components.schemas).sort(),
  }).toEqual({
    address: '/ws',
    messages: [...client, ...server].sort(),
    receive: refs(client),
    send: refs(server),
    closeCodes: CloseCode,
    events: [...EVENT_TYPES].sort(),
  });
});
