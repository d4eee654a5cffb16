/** A daemon that checks in with a service elsewhere, until an alert reaches no one. */
import { expect, it } from 'vitest';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { until } from '../../support/house/until.ts';
import { WebhookReceiver } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

it('AL77 AL78 a daemon checks in while it can store and its alerts reach someone', async () => {
  await using receiver = await WebhookReceiver.open();
  await using world = new World({
    LOOPWATCH_CHECK_IN_URL: receiver.url,
    LOOPWATCH_CHECK_IN_MS: '100',
  });
  const { api } = await world.start();
  const check = async () => {
    const { preflight } = (await api.get('/api/status')).body as {
      preflight: { name: string; ok: boolean; detail: string }[];
    };
    return preflight.find(({ name }) => name === 'check_in');
  };
  await until('it called twice', () => receiver.got.length > 1);
  expect(await check()).toMatchObject({ ok: true });
  await makeDeadDelivery(api, world.taskDir('web'));
  await until('it says why not', async () => (await check())?.ok === false);
  expect(await check()).toMatchObject({
    detail: expect.stringContaining('not called: Alert “gone” reached no one') as unknown,
  });
  const { items } = (await api.get('/api/attention')).body as {
    items: { id: string; reason: string }[];
  };
  const item = items.find(({ reason }) => reason === 'alert_undelivered');
  await api.send('POST', `/api/attention/${item?.id}/dismiss`);
  await until('it calls again', async () => (await check())?.ok === true);
});

it('AL77 an address that cannot be called ends the start with 78', async () => {
  await using world = new World({ LOOPWATCH_CHECK_IN_URL: 'ftp://example.com' });
  const { code, stderr } = await world.cli('start');
  expect(code).toBe(78);
  expect(stderr).toContain('LOOPWATCH_CHECK_IN_URL');
});
