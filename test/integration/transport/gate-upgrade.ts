/** The gate on upgrade: who gets a WebSocket, and that a refusal reveals nothing and uses nothing up. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import {
  type UpgradeAttempt,
  attemptUpgrade,
  own,
  ticketOf,
} from '../../support/transport/attempt-upgrade.ts';
import type { Gaps } from '../../support/transport/on-engine.ts';
import type { RawHeaders } from '../../support/transport/raw-http.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const REFUSED: [string, (host: string) => UpgradeAttempt, string][] = [
  ['a foreign Host', () => ({ hosts: ['evil.example'] }), '421 unknown_host'],
  ['two Hosts', (host) => ({ hosts: [host, 'evil.example'] }), '421 unknown_host'],
  ['no Host', () => ({ hosts: [] }), '421 unknown_host'],
  ...(
    [
      ['a foreign Origin', 'http://evil.example'],
      ['the Origin null', 'null'],
      ['another local port', 'http://127.0.0.1:3000'],
    ] as const
  ).map(([what, origin]): [string, () => UpgradeAttempt, string] => [
    what,
    () => ({ headers: [['Origin', origin]] }),
    '403 foreign_origin',
  ]),
  [
    'a look-alike Origin',
    (host) => ({ headers: [['Origin', `http://${host}.evil.com`]] }),
    '403 foreign_origin',
  ],
  [
    'two Origins',
    (host) => ({
      headers: [
        ['Origin', `http://${host}`],
        ['Origin', 'http://evil.example'],
      ],
    }),
    '403 foreign_origin',
  ],
  ...['same-site', 'cross-site', 'none'].map((site): [string, () => UpgradeAttempt, string] => [
    `Sec-Fetch-Site ${site}`,
    () => ({ headers: [['Sec-Fetch-Site', site]] }),
    '403 foreign_origin',
  ]),
];

export function testGateUpgrade(engine: TransportName, { noHost }: Gaps): void {
  const refused = REFUSED.filter(([what]) => noHost === null || what !== 'no Host');
  it.each(refused)(
    'GA1, GA16 an upgrade with %s is refused before any frame and uses up no ticket',
    async (_, knocking, word) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine });
      const { api } = await world.start();
      const refused = knocking(new URL(api.url).host);
      const protocols = `loopwatch.v1, ticket.${await ticketOf(api)}`;
      const withToken = { ...refused, headers: [...(refused.headers ?? []), ...own(api)] };
      expect({
        token: await attemptUpgrade(api, withToken),
        ticket: await attemptUpgrade(api, { ...refused, protocols }),
        afterwards: await attemptUpgrade(api, { protocols }),
      }).toEqual({ token: word, ticket: word, afterwards: '101' });
    },
  );

  it.each([
    ['another path', { target: '/other' }, 'loopwatch.v1, '],
    ['an unknown subprotocol', {}, 'loopwatch.v2, '],
    ['no subprotocol of ours', {}, ''],
  ])('GA16 an upgrade to %s is refused and uses up no ticket', async (_, knocking, offered) => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const ticket = `ticket.${await ticketOf(api)}`;
    const refused = await attemptUpgrade(api, { ...knocking, protocols: `${offered}${ticket}` });
    const afterwards = await attemptUpgrade(api, { protocols: `loopwatch.v1, ${ticket}` });
    expect([refused.slice(0, 1), afterwards]).toEqual(['4', '101']);
  });

  it('GA4 an upgrade without a token, or with a wrong one, is 401', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const wrong = 'x'.repeat(43);
    expect({
      nothing: await attemptUpgrade(api, {}),
      token: await attemptUpgrade(api, { headers: [['Authorization', `Bearer ${wrong}`]] }),
      ticket: await attemptUpgrade(api, { protocols: `loopwatch.v1, ticket.${wrong}` }),
      tokenAsTicket: await attemptUpgrade(api, { protocols: `loopwatch.v1, ticket.${api.token}` }),
      tokenAsProtocol: await attemptUpgrade(api, { protocols: `loopwatch.v1, auth.${api.token}` }),
      emptyTicket: await attemptUpgrade(api, { protocols: 'loopwatch.v1, ticket.' }),
    }).toEqual({
      nothing: '401 unauthorized',
      token: '401 unauthorized',
      ticket: '401 unauthorized',
      tokenAsTicket: '401 unauthorized',
      tokenAsProtocol: '401 unauthorized',
      emptyTicket: '401 unauthorized',
    });
  });

  it('GA15 a token or a ticket in the URL opens nothing', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const ticket = await ticketOf(api);
    const refusals = [];
    for (const query of [`token=${api.token}`, `ticket=${ticket}`, `access_token=${api.token}`]) {
      refusals.push(await attemptUpgrade(api, { target: `/ws?${query}` }));
    }
    expect(refusals).toEqual(refusals.map(() => '401 unauthorized'));
    expect(await attemptUpgrade(api, { protocols: `loopwatch.v1, ticket.${ticket}` })).toBe('101');
  });

  it('GA5 no header of a proxy opens an upgrade', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const host = new URL(api.url).host;
    const claims: RawHeaders = [
      ['X-Forwarded-Host', host],
      ['X-Forwarded-For', '127.0.0.1'],
      ['X-Relay', '1'],
      ['X-Scopes', 'admin'],
      ...own(api),
    ];
    expect({
      host: await attemptUpgrade(api, { hosts: ['evil.example'], headers: claims }),
      origin: await attemptUpgrade(api, { headers: [...claims, ['Origin', 'null']] }),
      token: await attemptUpgrade(api, { headers: claims.slice(0, -1) }),
    }).toEqual({
      host: '421 unknown_host',
      origin: '403 foreign_origin',
      token: '401 unauthorized',
    });
  });

  it('GA16 a ticket opens one WebSocket, and only one of many that try at once', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const protocols = `loopwatch.v1, ticket.${await ticketOf(api)}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => attemptUpgrade(api, { protocols })),
    );
    expect(answers.sort()).toEqual(['101', ...Array.from({ length: 9 }, () => '401 unauthorized')]);
  });

  it('TR22 the subprotocol is ours or none', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const headers = own(api);
    expect({
      none: await attemptUpgrade(api, { headers, protocols: null }),
      ours: await attemptUpgrade(api, { headers, protocols: 'other, loopwatch.v1' }),
      other: await attemptUpgrade(api, { headers, protocols: 'loopwatch.v2' }),
      prefix: await attemptUpgrade(api, { headers, protocols: 'loopwatch.v1x' }),
    }).toEqual({
      none: '101',
      ours: '101',
      other: '400 invalid_query',
      prefix: '400 invalid_query',
    });
  });

  it('TR22 compression is offered and not negotiated, and no ticket is repeated', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const { api } = await world.start();
    const protocols = ['loopwatch.v1', `ticket.${await ticketOf(api)}`];
    await using client = new WsClient(api.url, { protocols });
    await client.next('welcome');
    const { extensions, protocol } = client.socket;
    expect({ extensions, protocol }).toEqual({ extensions: '', protocol: 'loopwatch.v1' });
  });
}
