/** Alerts while the wall clock is set. */
import { expect, it } from 'vitest';
import { AlertHome, loopFailed } from '../../support/alerts/alert-home.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

it('FA14 AL6 a delivery is retried after its pause when the clock is set back', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(503));
  home.rule({ kind: 'webhook', url: receiver.url }, { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.jumpWall(-3 * HOUR_MS);
  home.clock.advance(5 * SECOND_MS);
  await home.attempted(2);
  home.clock.jumpWall(-3 * HOUR_MS);
  home.clock.advance(5 * MINUTE_MS);
  await home.attempted(3);
  expect(home.alertEvents().map(({ type }) => type)).toEqual(Array(3).fill('alert.failed'));
});

it('FA14 AL6 a pause that begins after the clock was set back is not cut short', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(503));
  home.rule({ kind: 'webhook', url: receiver.url }, { types: ['auto.failed'] });
  home.clock.jumpWall(-3 * HOUR_MS);
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.advance(4 * SECOND_MS);
  expect(home.deliveries()[0]).toMatchObject({ attempts: 1, state: 'waiting' });
  home.clock.advance(SECOND_MS);
  await home.attempted(2);
});

it('FA14 AL6 a delivery is retried after its pause when the clock was set back while no daemon ran', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open(withStatus(503));
  home.rule({ kind: 'webhook', url: receiver.url }, { types: ['auto.failed'] });
  home.emit(loopFailed('web'));
  await home.attempted(1);
  home.clock.jumpWall(-3 * HOUR_MS);
  await home.restart();
  home.clock.advance(5 * SECOND_MS - 1);
  // A later start must not count the same change again.
  await home.restart();
  expect(home.deliveries()[0]).toMatchObject({ attempts: 1, state: 'waiting' });
  home.clock.advance(1);
  await home.attempted(2);
});

it('AL8, AL28 quiet hours follow the wall clock when it is set, in both directions', async () => {
  await using home = new AlertHome();
  await using receiver = await WebhookReceiver.open();
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'UTC' };
  home.clock.jumpWall(12 * HOUR_MS);
  const target = { kind: 'webhook' as const, url: receiver.url };
  home.rule(target, { types: ['auto.failed'], quiet_hours });
  home.clock.jumpWall(12 * HOUR_MS);
  home.emit(loopFailed('web'));
  await new Promise(setImmediate);
  home.clock.advance(MINUTE_MS);
  expect([receiver.got.length, home.deliveries()[0]?.state]).toEqual([0, 'waiting']);
  home.clock.jumpWall(-9 * HOUR_MS);
  home.clock.advance(MINUTE_MS);
  await home.attempted(1);
  expect(home.deliveries()[0]?.state).toBe('sent');
});
