/** Every route of the contract with callers that may not use it. */
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { API } from '../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { mayAct, type Role } from '../../../shared/schema/people/role.ts';
import { type ExampleCall, exampleCalls } from '../../support/house/example-calls.ts';
import { join } from '../../support/daemon/invite-person.ts';
import type { Attack, Table, Target } from '../attack.ts';
import { ask, type Door, openDoor } from '../door.ts';

type Caller = 'no token' | 'viewer' | 'operator' | 'a hook of a run' | 'an admin';

export interface Callers extends Door {
  tokens: Readonly<Record<Caller, string | null>>;
}

export async function openCallers(target: Target): Promise<Callers> {
  const door = await openDoor(target);
  const tokenOf = async (name: string, role: Role) =>
    (await join(target.api, name, role)).api.token;
  const tokens = {
    'no token': null,
    viewer: await tokenOf('Vera', 'viewer'),
    operator: await tokenOf('Olaf', 'operator'),
    'a hook of a run': openHookCapabilities(target.world.home).issue({
      session: 'web',
      runId: 'r1',
    }),
    'an admin': target.api.token,
  };
  return { ...door, tokens };
}

/** Sends a well-formed call as that caller: `let in`, or the status of the refusal. */
async function callAs(scene: Callers, caller: Caller, call: ExampleCall): Promise<string> {
  const token = scene.tokens[caller];
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { status } = await ask(scene, {
    method: call.method,
    target: call.path,
    stranger: true,
    body,
    headers: [
      ...(token === null ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ['Content-Length', String(Buffer.byteLength(body ?? ''))],
    ],
  });
  if (status === 401 || status === 403) return String(status);
  // Without a token, attempts beyond 60 a minute get a different refusal.
  return status === 429 && token === null ? '401' : 'let in';
}

const isClosedTo = ({ role }: Endpoint, caller: Caller): boolean => {
  if (role === null || caller === 'an admin') return false;
  if (caller === 'no token') return true;
  if (caller === 'a hook of a run') return role === 'operator' || role === 'admin';
  return role === 'run' || !mayAct(caller, role);
};

const RULE: Readonly<Record<Caller, string>> = {
  'no token': 'GA4',
  viewer: 'PE10',
  operator: 'PE10',
  'a hook of a run': 'HK24',
  'an admin': 'HK24',
};

function rowsOf(caller: Caller): Attack<Callers>[] {
  return exampleCalls()
    .filter(({ name }) => isClosedTo(API[name], caller))
    .map((call) => ({
      rule: RULE[caller],
      name: `${caller} is kept out of ${API[call.name].method} ${API[call.name].path}`,
      attack: async (scene) => callAs(scene, caller, call),
      holds: caller === 'no token' ? '401' : '403',
    }));
}

export const ROLE_TABLES: readonly Table<Callers>[] = (
  ['no token', 'viewer', 'operator', 'a hook of a run'] as const
).map((caller) => ({
  title: `routes closed to ${caller}`,
  twin: async (scene) => {
    const call = exampleCalls().find(({ name }) => name === 'createTicket');
    return call === undefined ? 'no such call' : callAs(scene, 'an admin', call);
  },
  passes: 'let in',
  rows: rowsOf(caller),
}));
