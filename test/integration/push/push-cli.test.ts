/** Alerts by Web Push from the shell. */
import { expect, it } from 'vitest';
import { PushService } from '../../support/alerts/push-service.ts';
import { World } from '../../support/daemon/world.ts';

it('WP16 AL67 an alert by Web Push is added, previewed and tested in the shell', async () => {
  await using service = await PushService.open();
  await using world = new World({ LOOPWATCH_PUSH_SERVICES: service.host });
  const { api } = await world.start();
  const add = ['alert', 'add', 'browsers', '--type', 'session.created', '--to', 'push'];
  const added = await world.cli(...add, '--set', 'to=admin');
  const id = added.stdout.slice(0, 20);
  expect([added.code, added.stdout.split('\n')[2]]).toEqual([0, '  Web Push to admins']);
  expect((await world.cli(...add)).stdout).toContain('Web Push to operators and admins');
  const preview = await world.cli('alert', 'preview', id);
  expect(preview.stdout).toContain('Web Push to admins  (a test, as no event matches yet)');
  const none = await world.cli('alert', 'test', id);
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringContaining('no browser of admins is subscribed'),
  ]);
  const browser = service.browser('laptop');
  await api.send('POST', '/api/push/subscriptions', browser.subscription('Firefox on Linux'));
  const sent = await world.cli('alert', 'test', id);
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining('(HTTP 201)')]);
  expect(service.got.map((got) => browser.read(got))).toMatchObject([
    { title: 'Test of “browsers”', path: '/alerts', tag: 'alert.test', answers: [] },
  ]);
  const refused = await world.cli(...add, '--secret-file', '-');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('push has no secret'),
  ]);
  const wrong = await world.cli(...add, '--set', 'who=Mia');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('push has to')]);
});
