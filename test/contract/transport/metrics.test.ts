/** What Prometheus gets, against what the API reports at the same moment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AlertRule } from '../../../shared/schema/alerts/alerts.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import {
  type DaemonStatus,
  type Loop,
  LoopStatus,
  type Session,
} from '../../../shared/schema/model.ts';
import { makeDeadDelivery } from '../../support/alerts/dead-delivery.ts';
import { holdInput } from '../../support/terminals/hold-input.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { scrape } from '../../support/browser/scrape.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const PTY = { LOOPWATCH_TERMINAL: 'pty' };
const STAY = { steps: [{ do: 'silence', ms: 600_000 }] };

function count(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(words.map((word) => [word, words.filter((w) => w === word).length]));
}

function noLoops(): Record<string, number> {
  return Object.fromEntries(LoopStatus.options.map((status) => [status, 0]));
}

/** Counter samples that are lower in the later of two scrapes. */
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

it('ME2, ME3 an idle daemon reports every metric, each as the API does', async () => {
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
    settled: { delivered: 0, typed: 0, failed: 0, unknown: 0 },
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

it('ME3 the open files are those that the process has', async () => {
  await using world = new World(PTY);
  const { api, process: child } = await world.spawn();
  const files = () => readdirSync(`/proc/${child.pid ?? 0}/fd`).length;
  let seen = { reported: 0, open: 0 };
  const isReported = async () => {
    const metrics = await scrape(api);
    seen = { reported: metrics.value('process_open_fds'), open: files() };
    return seen.reported === seen.open;
  };
  const sockets = await Promise.all(Array.from({ length: 20 }, async () => WsClient.connect(api)));
  await until('they are reported', isReported, () => seen);
  const all = seen.open;
  const figures = await scrape(api);
  expect(figures.value('process_max_fds')).toBeGreaterThan(figures.value('process_open_fds'));
  for (const socket of sockets) await socket[Symbol.asyncDispose]();
  // What the daemon opens or closes for itself meanwhile is less than half of that.
  const areFewer = async () => (await isReported()) && seen.open <= all - 10;
  await until('far fewer are reported', areFewer, () => seen);
});

it('ME3 loops, sessions, questions, inputs and alerts are reported as the API reports them', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  const before = await scrape(api);
  await makeDeadDelivery(api, world.taskDir('alerting'));
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
  // The input that made the agent mute.
  expect(figures.by('inputs_settled_total')).toMatchObject({ typed: 1 });
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

it('ME6 a long tick of the event loop shows as lag and as work', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const late = (figures: Awaited<ReturnType<typeof scrape>>) =>
    figures.value('event_loop_lag_seconds', '_count') -
    figures.value('event_loop_lag_seconds', 'le="0.25"');
  const before = await scrape(api);
  // Terminals are probed every 100 ms.
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

/** Expressions as Prometheus gets them. */
function expressionsIn(file: string): string {
  const text = readFileSync(join(packageRoot(), 'examples', file), 'utf8');
  if (!file.endsWith('.json')) return text;
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
}

it.each(['loopwatch.rules.yml', 'grafana-dashboard.json'])(
  'ME8 %s needs only metrics that exist',
  async (file) => {
    await using world = new World(PTY);
    const { api } = await world.start();
    const { families } = await scrape(api);
    const asked = [...expressionsIn(file).matchAll(/\b(loopwatch_[a-z_]+)(?:\{([^}]*)\})?/g)];
    expect(asked.length).toBeGreaterThan(7);
    const missing = asked.filter(([, name = '', labels]) => {
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
      return labels === undefined ? family === undefined : family?.samples.has(labels) !== true;
    });
    expect(missing.map(([text]) => text)).toEqual([]);
  },
);

it('ME8 the dashboard groups only by labels that exist', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const { families } = await scrape(api);
  const grouped = [
    ...expressionsIn('grafana-dashboard.json').matchAll(/by \((\w+)\)[^\n]*?(loopwatch_[a-z_]+)/g),
  ];
  expect(grouped.length).toBeGreaterThan(5);
  const wrong = grouped.filter(([, label = '', name = '']) => {
    const family = families.get(name) ?? families.get(name.replace(/_bucket$/, ''));
    return ![...(family?.samples.keys() ?? [])].some((labels) => labels.includes(`${label}="`));
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});
