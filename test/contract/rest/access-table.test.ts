/** Every route and every frame with every kind of caller: the roles of the contract are enforced. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API, type ApiName } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import {
  type ClientFrame,
  CONTROL_ROLE,
  FRAME_ROLE,
} from '../../../shared/schema/events/protocol.ts';
import { mayAct, Role } from '../../../shared/schema/people/role.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { exampleCalls } from '../../support/house/example-calls.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const STRANGERS = ['no token', 'wrong token', 'removed'] as const;
const CALLERS = [...STRANGERS, ...Role.options] as const;
type Caller = (typeof CALLERS)[number];

let world: World;
let admin: ApiClient;
const tokens = new Map<Caller, string>([
  ['no token', ''],
  ['wrong token', 'x'.repeat(43)],
]);

beforeAll(async () => {
  world = new World({ LOOPWATCH_TERMINAL: 'pty' });
  ({ api: admin } = await world.start());
  await admin.openSession('web', world.taskDir('web'));
  for (const role of Role.options) {
    const { api } = await join(admin, `the ${role} here`, role);
    tokens.set(role, api.token);
  }
  const removed = await join(admin, 'Gone', 'admin');
  await admin.send('DELETE', `/api/people/${removed.id}`);
  tokens.set('removed', removed.api.token);
});

afterAll(async () => world[Symbol.asyncDispose]());

/** What the contract says about a call with an unreadable body. */
function expected({ role, method }: Endpoint, caller: Caller): string {
  const isStranger = STRANGERS.some((stranger) => stranger === caller);
  if (role !== null) {
    if (isStranger) return '401 unauthorized';
    if (role === 'run' || !mayAct(caller as Role, role)) return '403 role_too_low';
  }
  return method === 'GET' ? 'let in' : '415 unsupported_media_type';
}

/** The body has a wrong type, so that an accepted call changes nothing. */
async function call(name: ApiName, token: string): Promise<string> {
  const { method, path } = exampleCalls().find((example) => example.name === name) ?? {};
  const left = new AbortController();
  const response = await fetch(`${admin.url}${path ?? ''}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'text/plain' }),
    },
    body: method === 'GET' ? undefined : 'not JSON',
    signal: left.signal,
  });
  const { status } = response;
  if (![401, 403, 415, 429].includes(status)) {
    left.abort();
    return 'let in';
  }
  return refusal({ status, body: await response.json() });
}

it.each(CALLERS)(
  'PE10 %s is admitted exactly where the contract says so, on every route',
  async (caller) => {
    const names = Object.keys(API) as ApiName[];
    const outcomes: Record<string, string> = {};
    for (const name of names) outcomes[name] = await call(name, tokens.get(caller) ?? '');
    // Wrong secrets beyond 60 a minute get a different refusal.
    for (const name of names)
      outcomes[name] = outcomes[name]?.replace('429 too_many_attempts', '401 unauthorized') ?? '';
    expect(outcomes).toEqual(
      Object.fromEntries(names.map((name) => [name, expected(API[name], caller)])),
    );
  },
);

const FRAMES: Record<ClientFrame['type'], object> = {
  subscribe: { id: 1, types: ['*'] },
  ack: { seq: 0 },
  watch: { session: 'web' },
  unwatch: { session: 'web' },
  attach: { session: 'web', cols: 80, rows: 24, control: false },
  resize: { cols: 80, rows: 24 },
  detach: {},
  ping: {},
};

it.each(Role.options)(
  'PE10 a %s is served exactly where the contract says so, in every frame',
  async (role) => {
    const client = await WsClient.connect(new ApiClient(admin.url, tokens.get(role) ?? ''));
    await using open = client;
    let marks = 1_000;
    const refusedAsTooLow = async (send: () => void): Promise<boolean> => {
      const errors: string[] = [];
      const heard = (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { type: string; code?: string };
        if (frame.type === 'error') errors.push(frame.code ?? '');
      };
      const listener = (data: unknown, isBinary: boolean) => {
        if (!isBinary) heard(data as Buffer);
      };
      open.socket.on('message', listener);
      send();
      // Every refusal comes before this answer.
      const mark = (marks += 1);
      open.send({ type: 'subscribe', id: mark, types: ['daemon.started'] });
      while ((await open.next('subscribed')).id !== mark);
      open.socket.off('message', listener);
      return errors.includes('role_too_low');
    };
    const outcomes: Record<string, boolean> = {};
    for (const [type, rest] of Object.entries(FRAMES)) {
      outcomes[type] = await refusedAsTooLow(() => open.send({ type, ...rest }));
    }
    const control = { type: 'attach', session: 'web', cols: 80, rows: 24 };
    outcomes['attach with control'] = await refusedAsTooLow(() => open.send(control));
    outcomes['attach that takes'] = await refusedAsTooLow(() =>
      open.send({ ...control, take: true }),
    );
    outcomes['keys'] = await refusedAsTooLow(() => open.socket.send(Buffer.from('x')));
    const needed = {
      ...FRAME_ROLE,
      'attach with control': CONTROL_ROLE,
      'attach that takes': CONTROL_ROLE,
      keys: CONTROL_ROLE,
    };
    const table = Object.entries(needed).map(([what, least]) => [what, !mayAct(role, least)]);
    expect(outcomes).toEqual(Object.fromEntries(table));
  },
);
