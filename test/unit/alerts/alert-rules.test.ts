/** Which events a rule selects, when a failed delivery is retried, how a webhook is signed. */
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { AlertTarget } from '../../../shared/schema/alerts/alert-targets.ts';
import { CreateAlert, QuietHours } from '../../../shared/schema/alerts/alerts.ts';
import { type EventDraft, subjectOf } from '../../../shared/schema/events/events.ts';
import { subjectRef } from '../../../shared/schema/events/subject.ts';
import { deliveryBody, deliveryId } from '../../../server/alerts/deliveries/delivery-body.ts';
import { parseRetryAfter, retryDelay } from '../../../server/alerts/deliveries/retry-delay.ts';
import { ruleMatcher } from '../../../server/alerts/rules/rule-matcher.ts';
import { newWebhookSecret, signWebhook } from '../../../server/alerts/sending/sign-webhook.ts';

const ALL = { types: ['*'], sessions: null, tasks: null, subjects: null, reasons: null };

function event(type: string, data: object = {}, session: string | null = null) {
  const record = { seq: 7, at: '2026-01-01T00:00:00.000Z', type, session: session ?? undefined };
  const subject = subjectRef(subjectOf({ ...record, data } as EventDraft));
  return { seq: 7, type, subject, session, json: JSON.stringify({ ...record, data }) };
}

function matches(
  rule: Partial<Parameters<typeof ruleMatcher>[0]>,
  ...one: Parameters<typeof event>
) {
  return ruleMatcher({ ...ALL, ...rule })(event(...one)) !== null;
}

it('AL1, EV23 a rule selects by type, session, subject and reason; each one left out means all', () => {
  const failed = ['auto.failed', { reason: 'quota' }, 'web'] as const;
  expect({
    all: matches({}, ...failed),
    exact: matches({ types: ['auto.failed'] }, ...failed),
    prefix: matches({ types: ['session.*', 'auto.*'] }, ...failed),
    otherType: matches({ types: ['auto.ended'] }, ...failed),
    session: matches({ sessions: ['db', 'web'] }, ...failed),
    otherSession: matches({ sessions: ['db'] }, ...failed),
    subject: matches({ subjects: ['task:web', 'loop:web'] }, ...failed),
    otherSubject: matches({ subjects: ['session:web', 'loop:we'] }, ...failed),
    noSession: matches({ sessions: ['web'] }, 'daemon.stopping'),
    reason: matches({ reasons: ['crashed', 'quota'] }, ...failed),
    otherReason: matches({ reasons: ['crashed'] }, ...failed),
    noReason: matches({ reasons: ['quota'] }, 'daemon.stopping', {}),
    nullReason: matches({ reasons: ['quota'] }, 'session.input', { reason: null }, 'web'),
  }).toEqual({
    all: true,
    exact: true,
    prefix: true,
    otherType: false,
    session: true,
    otherSession: false,
    subject: true,
    otherSubject: false,
    noSession: false,
    reason: true,
    otherReason: false,
    noReason: false,
    nullReason: false,
  });
});

it('AL1 a rule that names tasks and sessions gets the events of both, and nothing else', () => {
  const status = ['task.status', { task: 'fix-login', reason: 'tests_failed' }] as const;
  const loop = ['auto.failed', { reason: 'quota' }, 'web'] as const;
  expect({
    all: matches({}, ...status),
    task: matches({ tasks: ['other', 'fix-login'] }, ...status),
    otherTask: matches({ tasks: ['other'] }, ...status),
    noTask: matches({ tasks: ['web'] }, ...loop),
    sessionsAlone: matches({ sessions: ['web'] }, ...status),
    eitherTask: matches({ sessions: ['web'], tasks: ['fix-login'] }, ...status),
    eitherSession: matches({ sessions: ['web'], tasks: ['fix-login'] }, ...loop),
    neither: matches({ sessions: ['db'], tasks: ['other'] }, ...loop),
    reason: matches({ tasks: ['fix-login'], reasons: ['tests_failed'] }, ...status),
    otherReason: matches({ tasks: ['fix-login'], reasons: ['quota'] }, ...status),
  }).toEqual({
    all: true,
    task: true,
    otherTask: false,
    noTask: false,
    sessionsAlone: false,
    eitherTask: true,
    eitherSession: true,
    neither: false,
    reason: true,
    otherReason: false,
  });
});

it('AL29 no pattern with a star selects alerts; a name does, but not alerts about alerts', () => {
  const about = (type: string) => ['alert.failed', { type }] as const;
  expect({
    star: matches({}, ...about('auto.failed')),
    prefix: matches({ types: ['alert.*'] }, ...about('auto.failed')),
    name: matches({ types: ['alert.failed'] }, ...about('auto.failed')),
    otherName: matches({ types: ['alert.sent', '*'] }, ...about('auto.failed')),
    aboutAlert: matches({ types: ['alert.failed'] }, ...about('alert.sent')),
  }).toEqual({ star: false, prefix: false, name: true, otherName: false, aboutAlert: false });
});

it('AL6 the pauses are those of Standard Webhooks, up to a tenth longer; then the delivery is dead', () => {
  const seconds = (chance: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8]
      .map((attempts) => retryDelay({ attempts, ageMs: 0, askedMs: null }, chance))
      .map(toSeconds);
  const [hour, given] = [3600, null];
  const plain = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour];
  expect(seconds(0)).toEqual([...plain, given, given]);
  expect(seconds(1)).toEqual([...plain.map((pause) => (pause * 11) / 10), given, given]);
});

it('AL24 a receiver may request a longer pause, up to 12 hours, and no shorter one', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const asked = (value: string | undefined) =>
    retryDelay({ attempts: 2, ageMs: 0, askedMs: parseRetryAfter(value, now) }, 0);
  const headers = [
    undefined,
    '600',
    '1',
    'Thu, 01 Jan 2026 00:20:00 GMT',
    '999999999',
    'soon',
    '-1',
  ];
  expect(headers.map(asked).map(toSeconds)).toEqual([300, 600, 300, 1200, 12 * 3600, 300, 300]);
  expect(retryDelay({ attempts: 7, ageMs: 0, askedMs: 1_000 }, 0)).toBeNull();
});

it('AL6 nothing is planned for more than 24 hours after its event', () => {
  const hour = 3_600_000;
  const at = (attempts: number, ageMs: number, askedMs: number | null = null) =>
    toSeconds(retryDelay({ attempts, ageMs, askedMs }, 0));
  expect([
    at(6, 14 * hour),
    at(6, 14 * hour + 1),
    at(1, 24 * hour),
    at(2, 13 * hour, 12 * hour),
  ]).toEqual([36_000, null, null, null]);
});

it('AL5 the signature is that of Standard Webhooks', () => {
  // The published example of the standard.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  expect(signWebhook(secret, message, 1_614_265_330_000)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  const own = newWebhookSecret();
  expect(AlertTarget.safeParse({ kind: 'webhook', url: 'http://a.b', secret: own }).success).toBe(
    true,
  );
  const headers = signWebhook(own, message, Date.now());
  expect(new Webhook(own).verify(message.body, headers)).toEqual({ test: 2_432_232_314 });
  const other = new Webhook(newWebhookSecret());
  expect(() => other.verify(message.body, headers)).toThrow('No matching signature');
});

it('AL3 an id consists of epoch, seq and rule; the body is the event as on the wire with its epoch', () => {
  const ids = [
    deliveryId('e', 1, 'r'),
    deliveryId('e', 1, 'r'),
    deliveryId('f', 1, 'r'),
    deliveryId('e', 2, 'r'),
    deliveryId('e', 1, 's'),
  ];
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 3, 4]);
  expect(ids[0]).toMatch(/^[0-9a-f]{20}$/);
  const failed = event('auto.failed', { reason: 'quota' }, 'web');
  const match = ruleMatcher(ALL)(failed);
  expect(JSON.parse(deliveryBody(match ?? expect.fail(), 'life'))).toEqual({
    type: 'auto.failed',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { ...(JSON.parse(failed.json) as object), epoch: 'life' },
  });
});

it('AL17, AL23 a target is an http URL without a user, or a program that can be found', () => {
  const targets = [
    { kind: 'webhook', url: 'http://127.0.0.1:9/x' },
    { kind: 'webhook', url: 'https://hooks.example/a?b' },
    { kind: 'webhook', url: 'file:///etc/passwd' },
    { kind: 'webhook', url: 'http://user:word@a.b/' },
    { kind: 'webhook', url: 'a.b' },
    { kind: 'webhook', url: 'http://a.b', secret: 'whsec_c2hvcnQ=' },
    { kind: 'webhook', url: 'http://a.b', secret: 'x'.repeat(40) },
    { kind: 'command', argv: ['/bin/true', '; rm -rf'] },
    { kind: 'command', argv: ['notify-send'] },
    { kind: 'command', argv: ['./here'] },
    { kind: 'command', argv: ['a', 'b\0c'] },
    { kind: 'command', argv: [''] },
    { kind: 'command', argv: [] },
  ];
  const accepted = targets.map((target) => AlertTarget.safeParse(target).success);
  const [yes, no] = [true, false];
  expect(accepted).toEqual([yes, yes, no, no, no, no, no, yes, yes, no, no, no, no]);
});

it('AL17 types, quiet hours and zones must exist', () => {
  const rule = { name: 'a', types: ['*'], target: { kind: 'command', argv: ['true'] } };
  const quiet = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
  expect({
    plain: CreateAlert.safeParse(rule).success,
    type: CreateAlert.safeParse({ ...rule, types: ['auto.nothing'] }).success,
    none: CreateAlert.safeParse({ ...rule, types: [] }).success,
    quiet: QuietHours.safeParse(quiet).success,
    zone: QuietHours.safeParse({ ...quiet, time_zone: 'Mars/Olympus' }).success,
    time: QuietHours.safeParse({ ...quiet, to: '24:00' }).success,
    nothing: QuietHours.safeParse({ ...quiet, to: '22:00' }).success,
  }).toEqual({
    plain: true,
    type: false,
    none: false,
    quiet: true,
    zone: false,
    time: false,
    nothing: false,
  });
});

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
