/** Alerts from the shell: the output, and the exit code of each subcommand. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { timeIn } from '../../../server/cli/print/time-text.ts';
import type { AlertDelivery, AlertRule } from '../../../shared/schema/alerts/alerts.ts';
import { alertLines, deliveryLines } from '../../../server/cli/print/print-alerts.ts';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { until } from '../../support/house/until.ts';
import { WebhookReceiver, withStatus } from '../../support/alerts/webhook-receiver.ts';
import { World } from '../../support/daemon/world.ts';

it('AL14 EV23 a rule is added, listed, tested, turned off and on, and removed', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open();
  await world.start();
  const alerts = async (...words: string[]) => world.cli('alerts', ...words);
  expect((await alerts()).stdout).toBe('no alerts\n');
  const added = await alerts(
    'add',
    'night',
    '--type',
    'auto.*',
    '--type',
    'attention.raised',
    '--session',
    'web',
    '--subject',
    'task:fix',
    '--reason',
    'quota',
    '--webhook',
    receiver.url,
    '--quiet',
    '22:00-07:00',
    '--zone',
    'Europe/Berlin',
    '--quiet-except',
    'crashed',
  );
  const id = added.stdout.slice(0, 20);
  const lines = [
    `${id}  night`,
    '  auto.*, attention.raised; session web; subject task:fix; reason quota',
    `  to ${receiver.url}`,
    '  quiet 22:00-07:00 Europe/Berlin',
    '  except crashed',
  ];
  const secret = /\(shown only once\): (whsec_\S+)\n$/.exec(added.stdout)?.[1] ?? 'none';
  expect(added.code).toBe(0);
  expect(added.stdout.split('\n').slice(0, 5)).toEqual(lines);
  expect((await alerts('show', 'night')).stdout).toBe(`${lines.join('\n')}\n`);
  expect((await alerts()).stdout).toMatch(
    /^ALERT .*\n\w{20} {2}night {2}yes {2}auto\.\*,attention\.raised {2}/,
  );
  expect((await alerts('list', '--json')).stdout).not.toContain(secret);
  const tested = await alerts('test', id);
  expect([tested.code, tested.stdout]).toEqual([
    0,
    expect.stringMatching(/^sent in \d+ ms \(HTTP 204\); a test is not in the log\n$/),
  ]);
  receiver.answer = withStatus(500);
  const failed = await alerts('test', id);
  expect([failed.code, failed.stderr]).toEqual([1, 'loopwatch: not sent: HTTP 500\n']);
  expect((await alerts('disable', id)).stdout).toBe(`${id}: disabled\n`);
  expect((await alerts('show', id.slice(0, 6))).stdout).toContain(`${id}  night  (disabled)\n`);
  expect((await alerts('enable', id)).stdout).toBe(`${id}: enabled\n`);
  expect((await alerts('remove', id)).stdout).toBe(`${id}: removed\n`);
  expect((await alerts('--json')).stdout).toBe('[]\n');
});

it('AL14 a command is given after --, and its program is found from the current directory', async () => {
  await using world = new World();
  await world.start();
  const added = await world.cli(
    'alerts',
    'add',
    'shell',
    '--type',
    '*',
    '--json',
    '--command',
    '--',
    './notify.sh',
    '--type',
    'x',
    '$HOME',
  );
  const rule = JSON.parse(added.stdout) as AlertRule & { secret: null };
  expect(rule).toMatchObject({
    target: { kind: 'command', argv: [resolve(world.root, 'notify.sh'), '--type', 'x', '$HOME'] },
    secret: null,
  });
});

it('AL14, AL31 the log shows dead deliveries and the command that retries them', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { rule, dead } = await makeDeadDelivery(api, world.taskDir('web'));
  const alerts = async (...words: string[]) => world.cli('alerts', ...words);
  const log = (await alerts('log', '--state', 'dead', '--rule', rule)).stdout.split('\n');
  expect(log[0]).toMatch(new RegExp(`^${dead}  \\S+  dead  session.created #\\d+ of alerting$`));
  expect(log.slice(1)).toEqual([
    `  alert ${rule}, 1 attempt: HTTP 410`,
    `  loopwatch alert retry ${dead}`,
    '',
  ]);
  const disabled = await alerts('retry', dead);
  expect([disabled.code, disabled.stderr]).toEqual([
    1,
    expect.stringContaining('(alert_disabled)'),
  ]);
  await alerts('enable', rule);
  const retried = await alerts('retry', dead);
  expect([retried.code, retried.stdout]).toEqual([0, `${dead}: waiting\n`]);
  const [delivery] = JSON.parse((await alerts('log', '--json')).stdout) as AlertDelivery[];
  expect(delivery).toMatchObject({ id: dead, rule });
  expect((await alerts('log', '--state', 'sent')).stdout).toBe('no deliveries\n');
});

it('AL14, CL1 each refusal has its exit code', async () => {
  await using world = new World();
  const ends = async (...words: string[]) => (await world.cli('alerts', ...words)).code;
  const web = ['--webhook', 'http://127.0.0.1:9'];
  expect(await ends()).toBe(3);
  await world.start();
  expect({
    noType: await ends('add', 'a', ...web),
    noTarget: await ends('add', 'a', '--type', '*'),
    both: await ends('add', 'a', '--type', '*', ...web, '--command', '--', 'true'),
    noWords: await ends('add', 'a', '--type', '*', '--command'),
    loneWords: await ends('add', 'a', '--type', '*', ...web, '--', 'true'),
    quiet: await ends('add', 'a', '--type', '*', ...web, '--quiet', 'night'),
    zone: await ends('add', 'a', '--type', '*', ...web, '--zone', 'UTC'),
    reason: await ends('add', 'a', '--type', '*', ...web, '--reason', 'mood'),
    word: await ends('nonsense'),
    type: await ends('add', 'a', '--type', 'auto.nonsense', ...web),
    state: await ends('log', '--state', 'lost'),
    unknown: await ends('remove', '0'.repeat(20)),
    unknownTest: await ends('test', 'nobody'),
    unknownRetry: await ends('retry', 'nobody'),
  }).toEqual({
    noType: 2,
    noTarget: 2,
    both: 2,
    noWords: 2,
    loneWords: 2,
    quiet: 2,
    zone: 2,
    reason: 2,
    word: 2,
    type: 2,
    state: 2,
    unknown: 4,
    unknownTest: 4,
    unknownRetry: 4,
  });
});

it('AL14 nothing of a rule or an answer reaches the terminal raw', () => {
  const evil = 'a\u001b]0;b\u0007\nc';
  const at = '2026-01-01T00:00:00.000Z';
  const rule: AlertRule = {
    id: 'r',
    name: evil,
    enabled: true,
    types: ['*'],
    sessions: null,
    reasons: null,
    tasks: null,
    subjects: null,
    quiet_hours: null,
    digest_minutes: null,
    target: { kind: 'command', argv: [evil] },
    steps: [],
    created_at: at,
    waiting: 2,
    sent: 0,
    dead: 0,
    last_attempt: null,
  };
  const delivery: AlertDelivery = {
    id: 'd',
    rule: 'r',
    seq: 1,
    type: 'auto.failed',
    session: 'web',
    state: 'waiting',
    task: null,
    events: 1,
    step: 0,
    attempts: 2,
    status: 3,
    error: evil,
    output: evil,
    created_at: at,
    changed_at: at,
    next_try_at: '2026-01-01T00:05:00.000Z',
  };
  const now = Date.parse(at);
  const time = timeIn({ utc: true });
  const text = [...alertLines(rule), ...deliveryLines(delivery, now, time)];
  expect(text.filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
  expect(deliveryLines(delivery, now, time).at(-1)).toBe('  retry in 5:00');
  expect(deliveryLines({ ...delivery, next_try_at: null }, now, time).at(-1)).toBe(
    '  alert is disabled',
  );
});

it('AL67 a service is added with its fields and a secret from a file, previewed and tested', async () => {
  await using world = new World();
  await using receiver = await WebhookReceiver.open(withStatus(200));
  await world.start();
  const server = `http://127.0.0.1:${receiver.port}`;
  const alert = async (...words: string[]) => world.cli('alert', ...words);
  const secret = join(world.root, 'ntfy-token');
  writeFileSync(secret, 'tk_secret\n');
  const add = ['add', 'phone', '--type', 'session.created', '--to', 'ntfy'];
  const added = await alert(
    ...add,
    '--set',
    'topic=night',
    '--set',
    `server=${server}`,
    '--secret-file',
    secret,
  );
  expect(added.stdout).toContain(`\n  ntfy night at ${server}\n`);
  expect(added.stdout).not.toContain('tk_secret');
  const preview = await alert('preview', 'phone');
  expect(preview.stdout).toContain(`POST ${server}  (a test, as no event matches yet)\n`);
  expect((await alert('test', 'phone')).code).toBe(0);
  expect(receiver.got[0]?.headers.authorization).toBe('Bearer tk_secret');
  const wrong = [
    [...add],
    [...add, '--set', 'colour=red'],
    ['add', 'x', '--type', '*', '--to', 'fax'],
    ['add', 'x', '--type', '*', '--set', 'topic=a', '--command', '--', 'true'],
    [...add, '--webhook', server],
  ];
  const codes = await Promise.all(wrong.map(async (words) => (await alert(...words)).code));
  expect(codes).toEqual(wrong.map(() => 2));
});

it('AL74 a step is added as JSON, and its incident is acknowledged once from the shell', async () => {
  await using world = new World();
  const { api } = await world.start();
  const alert = async (...words: string[]) => world.cli('alert', ...words);
  const step = '{"after_minutes": 30, "target": {"kind": "command", "argv": ["true"]}}';
  const add = ['add', 'pager', '--type', 'session.created', '--step'];
  const added = await alert(...add, step, '--command', '--', 'true');
  expect(added.stdout).toContain('\n  after 30 min: runs true\n');
  expect((await alert(...add, '{"after_minutes": 0}', '--command', '--', 'true')).code).toBe(2);
  expect((await alert('incidents')).stdout).toBe('nothing to acknowledge\n');
  await api.openSession('web', world.taskDir('web'));
  const listed = await until('an incident', async () => {
    const { stdout } = await alert('incidents');
    return stdout.includes('Session web') ? stdout : undefined;
  });
  expect(listed).toContain('  alert pager; step 1 of 1 (command) at ');
  const id = listed.slice(0, 20);
  expect((await alert('ack', id.slice(0, 8))).stdout).toBe(`${id}: acknowledged by admin\n`);
  const again = await alert('ack', id);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^loopwatch: already acknowledged by admin at /),
  ]);
  expect((await alert('ack', 'ghost')).code).toBe(4);
  expect((await alert('incidents', '--all')).stdout).toContain('acknowledged by admin at ');
});
