/** What Prometheus is told, against what the API tells at the same moment. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AlertRule } from '../../shared/alerts.ts';
import { type DaemonStatus, type Loop, LoopStatus, type Session } from '../../shared/model.ts';
import { ApiClient } from '../support/api-client.ts';
import { EventHome, fill } from '../support/event-home.ts';
import { giveUpAlert } from '../support/give-up-alert.ts';
import { holdInput } from '../support/hold-input.ts';
import { join as joinAs } from '../support/invite-person.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { askPerson, BASH_REQUEST } from '../support/need-person.ts';
import { openSseConsumer } from '../support/open-sse-consumer.ts';
import { sendRaw } from '../support/raw-http.ts';
import { refusal } from '../support/refusal.ts';
import { scrape } from '../support/scrape.ts';
import { openShell } from '../support/terminal-view.ts';
import { until } from '../support/until.ts';
import { startWaitingLoop } from '../support/waiting-loop.ts';
import { World } from '../support/world.ts';
import { WsClient } from '../support/ws-client.ts';

const PTY = { LOOPWATCH_TERMINAL: 'pty' };
const STAY = { steps: [{ do: 'silence', ms: 600_000 }] };

function count(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(words.map((word) => [word, words.filter((w) => w === word).length]));
}

function noLoops(): Record<string, number> {
  return Object.fromEntries(LoopStatus.options.map((status) => [status, 0]));
}

/** Each counter's sample that is lower in the later of two scrapes. */
function fallen(before: Awaited<ReturnType<typeof scrape>>, after: typeof before): string[] {
  return [...before.families].flatMap(([name, { type, samples }]) =>
    type === 'gauge'
      ? []
      : [...samples]
          .filter(
            ([labels, value]) => !((after.families.get(name)?.samples.get(labels) ?? -1) >= value),
          )
          .map(([labels]) => `${name}{${labels}}`),
  );
}

it('ME1 only whoever may look on is told the figures, by GET alone', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const { api: viewer } = await joinAs(api, 'Mia', 'viewer');
  const nobody = new ApiClient(api.url, '');
  const wrong = new ApiClient(api.url, 'x'.repeat(43));
  const head = await fetch(`${api.url}/metrics`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  expect({
    viewer: (await viewer.get('/metrics')).status,
    nobody: refusal(await nobody.get('/metrics')),
    wrong: refusal(await wrong.get('/metrics')),
    inTheUrl: refusal(await nobody.get(`/metrics?token=${api.token}`)),
    unknownKey: refusal(await viewer.get('/metrics?all=1')),
    head: [head.status, await head.text()],
    post: refusal(await viewer.send('POST', '/metrics')),
    postByNobody: refusal(await nobody.send('POST', '/metrics')),
    postByWrong: refusal(await wrong.send('DELETE', '/metrics')),
  }).toEqual({
    viewer: 200,
    nobody: '401 unauthorized',
    wrong: '401 unauthorized',
    inTheUrl: '401 unauthorized',
    unknownKey: '400 invalid_query',
    head: [200, ''],
    post: '405 method_not_allowed',
    postByNobody: '401 unauthorized',
    postByWrong: '401 unauthorized',
  });
});

it.each(['/metrics', '/%6detrics', '//metrics', '/./metrics', '/x/../metrics'])(
  'ME1, GA3 no page reaches the figures at %s',
  async (target) => {
    await using world = new World(PTY);
    const { api } = await world.start();
    const { host } = new URL(api.url);
    const told = [];
    for (const foreign of [
      ['Origin', 'http://evil.example'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'none'],
    ] as const) {
      const token = ['Authorization', `Bearer ${api.token}`] as const;
      const headers = [['Host', host] as const, token, foreign, ['Connection', 'close'] as const];
      told.push((await sendRaw(api.url, { target, headers })).body);
    }
    expect(told.filter((body) => body.includes('loopwatch_'))).toEqual([]);
  },
);

it('ME2, ME3 an idle daemon tells every figure, each as the API does', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const figures = await scrape(api);
  const status = (await api.get('/api/status')).body as unknown as DaemonStatus;
  const names = [...figures.families.keys()];
  expect(names.filter((name) => !/^loopwatch_[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  expect({
    sessions: figures.by('sessions'),
    loops: figures.by('loops'),
    open: figures.value('attention_open'),
    inputs: figures.by('inputs'),
    settled: figures.by('inputs_settled_total'),
    deliveries: figures.by('alert_deliveries'),
    attempts: figures.by('alert_attempts_total'),
    subscriptions: figures.by('subscriptions'),
    delivered: figures.by('events_delivered_total'),
    appended: figures.value('events_appended_total'),
    stored: figures.value('events_stored'),
  }).toEqual({
    sessions: { opening: 0, open: 0, closing: 0 },
    loops: noLoops(),
    open: 0,
    inputs: { held: 0, delivering: 0 },
    settled: { delivered: 0, failed: 0, unknown: 0 },
    deliveries: { waiting: 0, dead: 0 },
    attempts: { sent: 0, failed: 0, given_up: 0 },
    subscriptions: { live: 0, replaying: 0, paused: 0 },
    delivered: { websocket: 0, sse: 0, poll: 0 },
    appended: status.head,
    stored: status.retention.events,
  });
  const build = { version: status.version, engine: 'ws', terminal: status.terminal };
  const labels = Object.entries({ ...build, node: process.versions.node });
  const written = labels.map(([label, value]) => `${label}="${value}"`).join(',');
  expect(figures.value('build_info', written)).toBe(1);
  const sizes = figures.by('database_bytes');
  expect(sizes['database']).toBe(status.retention.disk_bytes);
  expect(sizes['wal']).toBeGreaterThan(0);
  const startedAt = Date.parse(status.started_at) / 1000;
  expect(Math.abs(figures.value('start_time_seconds') - startedAt)).toBeLessThan(60);
  expect(figures.value('uptime_seconds')).toBeGreaterThan(0);
  const cpu = figures.by('process_cpu_seconds_total');
  expect((cpu['user'] ?? 0) + (cpu['system'] ?? 0)).toBeLessThanOrEqual(status.cpu_seconds);
  expect(figures.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(figures.value('process_heap_bytes', 'state="used"')).toBeGreaterThan(1_000_000);
});

it('ME3 the process and its open files are those of the daemon', async () => {
  await using world = new World(PTY);
  const { api, process: child } = await world.spawn();
  const { pid } = child;
  const before = (await scrape(api)).value('process_open_fds');
  const sockets = await Promise.all([1, 2, 3].map(async () => WsClient.connect(api)));
  const figures = await scrape(api);
  expect(figures.value('process_open_fds') - before).toBe(3);
  expect(figures.value('process_max_fds')).toBeGreaterThan(figures.value('process_open_fds'));
  expect(statSync(`/proc/${pid ?? 0}`).isDirectory()).toBe(true);
  for (const socket of sockets) await socket[Symbol.asyncDispose]();
});

it('ME3 loops, sessions, questions, inputs and alerts are told as the API tells them', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  const before = await scrape(api);
  await giveUpAlert(api, world.taskDir('alerting'));
  await holdInput(world, api);
  await askPerson(world, api, 'asking', BASH_REQUEST);
  for (const [name, scenario] of [
    ['running', STAY],
    ['failing', { steps: [{ do: 'crash', code: 1 }] }],
  ] as const) {
    await openShell(api, name, world.taskDir(name, scenario));
    await api.startLoop(name, world.taskDir(name));
  }
  await until('one runs and one has failed', async () => {
    const status = async (name: string) => (await api.loop(name)).status;
    return (await status('running')) === 'running' && (await status('failing')) === 'failed';
  });
  const { loops } = (await api.get('/api/task-auto')).body as unknown as { loops: Loop[] };
  const { sessions } = (await api.get('/api/sessions')).body as unknown as { sessions: Session[] };
  const { alerts } = (await api.get('/api/alerts')).body as unknown as { alerts: AlertRule[] };
  const { items } = (await api.get('/api/attention')).body as unknown as { items: unknown[] };
  const figures = await scrape(api);
  expect({
    loops: figures.by('loops'),
    sessions: figures.by('sessions'),
    open: figures.value('attention_open'),
    held: figures.value('inputs', 'delivery="held"'),
    deliveries: figures.by('alert_deliveries'),
    givenUp: figures.value('alert_attempts_total', 'outcome="given_up"'),
  }).toEqual({
    loops: { ...noLoops(), ...count(loops.map(({ status }) => status)) },
    sessions: { opening: 0, closing: 0, ...count(sessions.map(({ status }) => status)) },
    open: items.length,
    held: 1,
    deliveries: { waiting: alerts[0]?.waiting, dead: alerts[0]?.dead },
    givenUp: 1,
  });
  expect(figures.by('loops')).toMatchObject({ running: 1, failed: 1 });
  expect(items.length).toBeGreaterThan(0);
  // What was typed to make the mute agent.
  expect(figures.by('inputs_settled_total')).toMatchObject({ delivered: 1 });
  expect(figures.value('terminal_captures_total')).toBeGreaterThan(0);
  expect(fallen(before, figures)).toEqual([]);
});

it('ME4 no counter falls while the daemon runs, and the events appended not over a restart', async () => {
  await using world = new World(PTY);
  const first = await world.start();
  const before = await scrape(first.api);
  await first.api.openSession('web', world.taskDir('web'));
  await first.api.get('/api/events?after=0');
  const after = await scrape(first.api);
  expect(fallen(before, after)).toEqual([]);
  const appended = after.value('events_appended_total');
  expect(appended).toBeGreaterThan(before.value('events_appended_total'));
  expect(after.value('events_delivered_total', 'way="poll"')).toBe(appended);
  await first.daemon.close();
  const second = await world.start();
  const again = await scrape(second.api);
  expect(again.value('events_appended_total')).toBeGreaterThan(appended);
  expect(again.value('events_delivered_total', 'way="poll"')).toBe(0);
});

it('ME5 what is open towards clients is counted while it is open', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const open = async () => {
    const figures = await scrape(api);
    return {
      sockets: figures.value('websocket_connections'),
      subscriptions: figures.by('subscriptions'),
      filters: figures.value('event_channels'),
      screens: figures.value('watched_screens'),
      viewers: figures.value('screen_viewers'),
      attached: figures.value('attached_terminals'),
      streams: figures.value('event_streams'),
      polls: figures.value('long_polls'),
    };
  };
  const nothing = await open();
  const client = await WsClient.connect(api);
  client.send({ type: 'subscribe', id: 1, types: ['auto.*'] });
  await client.next('subscribed');
  client.send({ type: 'watch', session: 'web' });
  await client.next('screen');
  const other = await WsClient.connect(api);
  other.send({ type: 'watch', session: 'web' });
  await other.next('screen');
  client.send({ type: 'attach', session: 'web', cols: 80, rows: 24, control: false });
  await client.next('attached');
  const stream = await openSseConsumer(api, { after: null });
  const left = new AbortController();
  const { signal } = left;
  const headers = { authorization: `Bearer ${api.token}` };
  const { head } = (await api.get('/api/status')).body as unknown as DaemonStatus;
  const { epoch } = (await api.get('/api/status')).body as unknown as DaemonStatus;
  const waits = `${api.url}/api/events?wait=30&types=auto.ended&after=${epoch}:${head}`;
  const poll = fetch(waits, { headers, signal }).catch(() => null);
  const all = {
    sockets: 2,
    subscriptions: { live: 1, replaying: 0, paused: 0 },
    filters: 1,
    screens: 1,
    viewers: 2,
    attached: 1,
    streams: 1,
    polls: 1,
  };
  await until('all is open', async () => JSON.stringify(await open()) === JSON.stringify(all));
  await client[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  left.abort();
  await poll;
  await until('all is gone', async () => JSON.stringify(await open()) === JSON.stringify(nothing));
  expect(nothing).toEqual({
    ...{ sockets: 0, subscriptions: { live: 0, replaying: 0, paused: 0 }, filters: 0 },
    ...{ screens: 0, viewers: 0, attached: 0, streams: 0, polls: 0 },
  });
});

it('ME5 a request for the head of a stream leaves no stream behind', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${api.url}/api/events/stream`, { method: 'HEAD', headers });
  expect(answer.status).toBe(200);
  expect((await scrape(api)).value('event_streams')).toBe(0);
});

it('ME5 events are counted once for each who is told, by the way they went', async () => {
  await using world = new World();
  const { api } = await world.start();
  const append = await startWaitingLoop(world, api);
  const clients = await Promise.all([1, 2].map(async () => WsClient.connect(api)));
  for (const client of clients) {
    client.send({ type: 'subscribe', id: 1, types: ['auto.limits_changed'] });
    await client.next('subscribed');
  }
  const types = 'auto.limits_changed';
  await using stream = await openSseConsumer(api, { after: null, types: [types] });
  await until('the stream is read', async () => (await scrape(api)).value('event_streams') === 1);
  await append(3);
  for (const client of clients) for (let n = 0; n < 3; n += 1) await client.next('event');
  await stream.take(3);
  expect(await api.events(`&types=${types}`)).toHaveLength(3);
  expect((await scrape(api)).by('events_delivered_total')).toMatchObject({ websocket: 6, sse: 3 });
  for (const client of clients) await client[Symbol.asyncDispose]();
});

it('ME5 a subscriber that does not read is told as paused, and as live when it has caught up', async () => {
  await using world = new World(PTY);
  using home = new EventHome(world.home);
  // More than the kernel takes for it.
  fill(home.open({}, new ManualClock(Date.now())).log, 120_000);
  home[Symbol.dispose]();
  const { api } = await world.start();
  await using client = await WsClient.connect(api);
  client.socket.pause();
  client.send({ type: 'subscribe', id: 1, types: ['*'], after: 0 });
  const told = async () => (await scrape(api)).by('subscriptions');
  await until('it is paused', async () => (await told())['paused'] === 1);
  expect(await told()).toEqual({ live: 0, replaying: 0, paused: 1 });
  client.socket.resume();
  await until('it is live', async () => (await told())['live'] === 1);
  expect(await told()).toEqual({ live: 1, replaying: 0, paused: 0 });
  const figures = await scrape(api);
  expect(figures.value('events_delivered_total', 'way="websocket"')).toBe(
    figures.value('events_appended_total'),
  );
});

it('ME2 nothing that anybody can name or write is in the figures', async () => {
  await using world = new World();
  const { api } = await world.start();
  const hostile = '__proto__';
  await openShell(api, hostile, world.taskDir('task "} 1'));
  await api.send('POST', `/api/sessions/${hostile}/input`, { text: 'true #x"} 9', submit: true });
  await joinAs(api, 'Mia "} 9', 'viewer');
  await askPerson(world, api, 'asking_name', BASH_REQUEST);
  for (const path of ['/api/evil"}', '/api/sessions/evil%0Aname', '/evil_page', '/metrics/evil']) {
    await fetch(api.url + path, { headers: { authorization: `Bearer ${api.token}` } });
  }
  await api.send('PROPFIND', '/api/status');
  const { text, families } = await scrape(api);
  const words = [hostile, 'task', 'Mia', 'evil', 'asking', 'stub', 'PROPFIND', api.token];
  expect(words.filter((word) => text.includes(word))).toEqual([]);
  expect(text).not.toContain(join(world.root, ''));
  const routes = families.get('loopwatch_http_requests_total')?.samples ?? new Map();
  expect([...routes.keys()].filter((labels: string) => labels.includes('"other"'))).toEqual([
    'method="other",route="other",status="4xx"',
  ]);
});

it('ME7 requests are counted by route and class of answer', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  await api.get('/api/sessions/a/screen');
  await api.get('/api/sessions/b/screen');
  await api.get('/api/attention?limit=0');
  await api.get('/api/nothing');
  await new ApiClient(api.url, '').get('/api/status');
  await fetch(`${api.url}/`);
  await scrape(api);
  const samples = (await scrape(api)).families.get('loopwatch_http_requests_total')?.samples;
  expect(Object.fromEntries(samples ?? [])).toEqual({
    'method="GET",route="/api/sessions/:id/screen",status="4xx"': 2,
    'method="GET",route="/api/attention",status="4xx"': 1,
    'method="other",route="other",status="4xx"': 1,
    'method="GET",route="/api/status",status="4xx"': 1,
    'method="GET",route="page",status="2xx"': 1,
    'method="GET",route="/metrics",status="2xx"': 1,
  });
});

it('ME6 a turn of the event loop that took long shows as lag and as work', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const late = (figures: Awaited<ReturnType<typeof scrape>>) =>
    figures.value('event_loop_lag_seconds', '_count') -
    figures.value('event_loop_lag_seconds', 'le="0.25"');
  const before = await scrape(api);
  // The look at the terminals falls due every 100 ms.
  const until600 = performance.now() + 600;
  while (performance.now() < until600);
  await until('it shows', async () => late(await scrape(api)) > late(before));
  const after = await scrape(api);
  const sum = (figures: typeof before) => figures.value('event_loop_lag_seconds', '_sum');
  expect(sum(after) - sum(before)).toBeGreaterThan(0.25);
  const active = 'state="active"';
  const worked = (figures: typeof before) => figures.value('event_loop_seconds_total', active);
  expect(worked(after) - worked(before)).toBeGreaterThan(0.5);
});
