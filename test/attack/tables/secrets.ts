/** Secrets in the wrong place, of the wrong kind, or used again. */
import { codeOf, invite, join } from '../../support/daemon/invite-person.ts';
import { attemptUpgrade, ticketOf } from '../../support/transport/attempt-upgrade.ts';
import type { RawHeaders } from '../../support/transport/raw-http.ts';
import type { Attack, Table } from '../attack.ts';
import { type Door, handshake, statusOf } from '../door.ts';
import { bearer, letIn, opens, swapCase } from './token-places.ts';

async function exchange(door: Door, code: string, target = '/api/login'): Promise<number> {
  const body = JSON.stringify({ code });
  const headers: RawHeaders = [
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
  return statusOf(door, { method: 'POST', target, stranger: true, headers, body });
}

const linkOf = async ({ api }: Door) => {
  const { body } = await api.send('POST', '/api/login-codes');
  return codeOf(String(body['link']));
};

const upgrade = async (door: Door, ticket: string) =>
  letIn(
    await statusOf(door, {
      target: '/ws',
      stranger: true,
      headers: handshake({ 'Sec-WebSocket-Protocol': `loopwatch.v1, ticket.${ticket}` }),
    }),
  );

/** Each uses a secret once too often, or as a different kind of secret. */
const USES: [string, string, (door: Door) => Promise<string>][] = [
  [
    'GA16',
    'a ticket that was used',
    async (door) => {
      const ticket = await ticketOf(door.api);
      await attemptUpgrade(door.api, { protocols: `loopwatch.v1, ticket.${ticket}` });
      return upgrade(door, ticket);
    },
  ],
  [
    'GA16',
    'a ticket as a token',
    async (door) => letIn(await opens(door, bearer(await ticketOf(door.api)))),
  ],
  [
    'GA16',
    'a ticket as a login code',
    async (door) => letIn(await exchange(door, await ticketOf(door.api))),
  ],
  [
    'GA16',
    'a ticket in the other case',
    async (door) => upgrade(door, swapCase(await ticketOf(door.api))),
  ],
  [
    'GA16',
    'a ticket with a character more',
    async (door) => upgrade(door, `${await ticketOf(door.api)}A`),
  ],
  ['GA16', 'the token as a ticket', async (door) => upgrade(door, door.api.token)],
  ['GA6', 'a login code as a ticket', async (door) => upgrade(door, await linkOf(door))],
  [
    'GA6',
    'a login code as a token',
    async (door) => letIn(await opens(door, bearer(await linkOf(door)))),
  ],
  [
    'GA6',
    'a login code that was used',
    async (door) => {
      const code = await linkOf(door);
      await exchange(door, code);
      return letIn(await exchange(door, code));
    },
  ],
  [
    'GA6',
    'a login code in the other case',
    async (door) => letIn(await exchange(door, swapCase(await linkOf(door)))),
  ],
  [
    'GA6',
    'a login code with a blank behind it',
    async (door) => letIn(await exchange(door, `${await linkOf(door)} `)),
  ],
  [
    'GA6',
    'a login code in the address',
    async (door) => letIn(await exchange(door, 'x', `/api/login?code=${await linkOf(door)}`)),
  ],
  ['GA6', 'the token as a login code', async (door) => letIn(await exchange(door, door.api.token))],
  [
    'PE4',
    'the link of an invitation that was used',
    async (door) => {
      const { code } = await invite(door.api, `used ${Math.random()}`, 'viewer');
      await exchange(door, code);
      return letIn(await exchange(door, code));
    },
  ],
  [
    'PE4',
    'the link of an invitation as a token',
    async (door) => {
      const { code } = await invite(door.api, `early ${Math.random()}`, 'admin');
      return letIn(await opens(door, bearer(code)));
    },
  ],
  [
    'PE5',
    'a link that a new one replaced',
    async (door) => {
      const { person, code } = await invite(door.api, `twice ${Math.random()}`, 'admin');
      await door.api.send('POST', `/api/people/${person.id}/link`);
      return letIn(await exchange(door, code));
    },
  ],
  [
    'PE5',
    'the token of before a new link was used',
    async (door) => {
      const { id, api } = await join(door.api, `again ${Math.random()}`, 'admin');
      const { body } = await door.api.send('POST', `/api/people/${id}/link`);
      await exchange(door, codeOf(String(body['link'])));
      return letIn(await opens(door, bearer(api.token)));
    },
  ],
  [
    'PE6',
    'the token of somebody who was removed',
    async (door) => {
      const { api } = await removed(door);
      return letIn(await opens(door, bearer(api.token)));
    },
  ],
  [
    'PE6',
    'a ticket of somebody who was removed',
    async (door) => upgrade(door, (await removed(door)).ticket),
  ],
  [
    'PE6',
    'a login code of somebody who was removed',
    async (door) => letIn(await exchange(door, (await removed(door)).code)),
  ],
  [
    'PE6',
    'the link of an invitation that was taken back',
    async (door) => {
      const { person, code } = await invite(door.api, `back ${Math.random()}`, 'admin');
      await door.api.send('DELETE', `/api/people/${person.id}`);
      return letIn(await exchange(door, code));
    },
  ],
  [
    'PE7',
    'a ticket of before another role',
    async (door) => {
      const { id, api } = await join(door.api, `less ${Math.random()}`, 'admin');
      const ticket = await ticketOf(api);
      await door.api.send('PATCH', `/api/people/${id}`, { role: 'viewer' });
      return upgrade(door, ticket);
    },
  ],
];

async function removed(door: Door) {
  const { id, api } = await join(door.api, `gone ${Math.random()}`, 'admin');
  const ticket = await ticketOf(api);
  const code = await linkOf(Object.assign(Object.create(door) as Door, { api }));
  await door.api.send('DELETE', `/api/people/${id}`);
  return { api, ticket, code };
}

export const USE_TABLE: Table<Door> = {
  title: 'secrets used again',
  twin: async (door) => upgrade(door, await ticketOf(door.api)),
  passes: 'in',
  rows: USES.map(([rule, name, attack]): Attack<Door> => ({
    rule,
    name: `${name} opens nothing`,
    attack,
    holds: 'out',
  })),
};
