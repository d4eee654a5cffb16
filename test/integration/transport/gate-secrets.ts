/** Secrets that expire, run out or are guessed. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { attemptUpgrade, own, ticketOf } from '../../support/transport/attempt-upgrade.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

export function testGateSecrets(engine: TransportName): void {
  it('GA16 a ticket is valid for 30 seconds', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const clock = new ManualClock();
    const { api } = await world.start(clock);
    const [inTime, late] = [await ticketOf(api), await ticketOf(api)];
    clock.advance(30_000);
    const first = await attemptUpgrade(api, { protocols: `loopwatch.v1, ticket.${inTime}` });
    clock.advance(1);
    const second = await attemptUpgrade(api, { protocols: `loopwatch.v1, ticket.${late}` });
    expect([first, second]).toEqual(['101', '401 unauthorized']);
  });

  it('GA6 a login code works once, within ten minutes', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const clock = new ManualClock();
    const { api } = await world.start(clock);
    const codeOf = async () => {
      const { body } = await api.send('POST', '/api/login-codes');
      return (body['link'] as string).split('#k=')[1];
    };
    const login = async (code: string | undefined) =>
      api.send('POST', '/api/login', { code }, { authorization: '' });
    const [once, late] = [await codeOf(), await codeOf()];
    const first = await login(once);
    const again = refusal(await login(once));
    clock.advance(10 * 60_000 + 1);
    expect({ first, again, late: refusal(await login(late)) }).toEqual({
      first: { status: 200, body: { token: api.token, name: 'admin', role: 'admin' } },
      again: '401 invalid_login_code',
      late: '401 invalid_login_code',
    });
  });

  it('GA7 wrong tokens are 429 after sixty a minute; the right one always works', async () => {
    await using world = new World({ LOOPWATCH_TRANSPORT: engine });
    const clock = new ManualClock();
    const { api } = await world.start(clock);
    const guess = async (bearer: string) =>
      refusal(
        await api.send('GET', '/api/status', undefined, { authorization: `Bearer ${bearer}` }),
      );
    const refusals = [];
    for (let index = 0; index < 70; index += 1) refusals.push(await guess(`wrong-${index}`));
    const right = [
      (await api.get('/api/status')).status,
      await attemptUpgrade(api, { headers: own(api) }),
    ];
    const upgrade = await attemptUpgrade(api, { headers: [['Authorization', 'Bearer wrong']] });
    clock.advance(60_000);
    expect({ refusals, right, upgrade, later: await guess('wrong') }).toEqual({
      refusals: [
        ...Array.from({ length: 60 }, () => '401 unauthorized'),
        ...Array.from({ length: 10 }, () => '429 too_many_attempts'),
      ],
      right: [200, '101'],
      upgrade: '429 too_many_attempts',
      later: '401 unauthorized',
    });
  });
}
