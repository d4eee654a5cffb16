/** What follows events over the socket: the things they changed, as lists of the API have them. */
import { expect, it } from 'vitest';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { Views } from '../../../shared/schema/events/protocol.ts';
import type { RunSummary } from '../../../shared/schema/runs/run.ts';
import type { SessionUsage } from '../../../shared/schema/usage/usage.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import type { EncodedEvent } from '../../../server/events/event-log.ts';
import { EventChannels } from '../../../server/ws/event-channels.ts';
import { EventViews, type ViewSources } from '../../../server/ws/event-views.ts';
import { Subscription } from '../../../server/ws/subscription.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { exampleItem } from '../../support/house/example-item.ts';
import { exampleLoop } from '../../support/auto/example-loop.ts';
import { RecordingPeer, RecordingTopics } from '../../support/transport/recording-peer.ts';
import { exampleTask } from '../../support/tasks/example-task.ts';
import { until } from '../../support/house/until.ts';

const SIGNAL: EventDraft = {
  type: 'auto.limits_changed',
  session: 'web',
  data: { max_iterations: 20, timeout_minutes: 30 },
};
const AGENT: EventDraft = {
  type: 'session.agent_changed',
  session: 'web',
  data: { agent: null },
};
const status = (task: string): EventDraft => ({
  type: 'task.status',
  data: { task, status: 'RUNNING', before: 'PENDING', reason: null, until: null, error: null },
});
const SAVED: EventDraft = {
  type: 'run.checkpoint',
  data: { run: 'r1', phase: 'plan', events: 0 },
};

const SOURCES: ViewSources = {
  loop: (session) => (session === 'gone' ? null : exampleLoop({ session_name: session })),
  task: (name) => (name === 'gone' ? null : exampleTask(name)),
  queue: () => [{ task_name: 'next', queue_position: 1, wait: null }],
  run: (id) => ({ id }) as RunSummary,
  inbox: (subject, role) => [exampleItem({ subject, title: `for a ${role}` })],
  usage: (session) => ({ session }) as SessionUsage,
};

/** The views behind these events. */
function after(...drafts: EventDraft[]): Views | null {
  using home = new EventHome();
  const { log } = home.open();
  const events: EncodedEvent[] = [];
  log.joinWrites((written) => events.push(...written));
  log.write((append) => drafts.forEach((draft) => append(draft)));
  const frame = new EventViews(SOURCES, 'viewer').after(events);
  return frame === null ? null : (JSON.parse(frame) as Views);
}

it('EV26 each thing that events changed follows them once, as it is then', () => {
  const views = after(SIGNAL, status('fix'), SIGNAL, status('fix'));
  expect(views).toMatchObject({ type: 'views', seq: 4, runs: [], inbox: [] });
  expect(views?.loops.map(({ session_name }) => session_name)).toEqual(['web']);
  expect(views?.tasks.map(({ task_name }) => task_name)).toEqual(['fix']);
  expect(views?.queue).toEqual([{ task_name: 'next', queue_position: 1, wait: null }]);
  expect(views?.usages).toEqual([{ session: 'web' }]);
});

it('EV26 the inbox of a subject follows, as the role of the subscriber may see it', () => {
  const subject = { kind: 'session', id: 'web' };
  expect(after(AGENT)?.inbox).toMatchObject([{ subject, items: [{ title: 'for a viewer' }] }]);
});

it('EV26 nothing follows what has no view or is gone, and a run follows each of its events', () => {
  expect(after({ type: 'daemon.stopping', data: {} })).toBe(null);
  expect(after(SAVED)?.runs).toEqual([{ id: 'r1' }]);
  expect(after({ ...SIGNAL, session: 'gone' })?.loops).toEqual([]);
});

it('EV26 only those who ask get views, in replays as well', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const topics = new RecordingTopics();
  const publish = (topic: string, frames: readonly string[]) => topics.publish(topic, frames);
  const channels = new EventChannels(log, publish, { views: SOURCES });
  const subscribe = (viewsFor: 'viewer' | null, after: number | null) => {
    const peer = new RecordingPeer(topics);
    const cursor = { after, epoch: log.epoch };
    const request = { id: 1, cursor, filter: { types: ['*'], sessions: null }, viewsFor };
    return { peer, open: new Subscription(peer, channels, home.clock, request) };
  };
  log.write((append) => append(SIGNAL));
  const all = [subscribe('viewer', 0), subscribe(null, 0), subscribe('viewer', null)];
  await until('all are live', () => all.every(({ open }) => open.state === 'live'));
  log.write((append) => append(SIGNAL));
  const typesOf = (peer: RecordingPeer) =>
    peer.writes.flat().map((frame) => (JSON.parse(frame) as { type: string }).type);
  await until('all have it', () => all.map(({ peer }) => typesOf(peer).length).join() === '4,2,2');
  expect(all.map(({ peer }) => typesOf(peer))).toEqual([
    ['event', 'views', 'event', 'views'],
    ['event', 'event'],
    ['event', 'views'],
  ]);
});

it('EV26 views that cannot be read end the connections that asked for them, and no other', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const topics = new RecordingTopics();
  const publish = (topic: string, frames: readonly string[]) => topics.publish(topic, frames);
  const loop = () => {
    throw new Error('the disk is gone');
  };
  const channels = new EventChannels(log, publish, { views: { ...SOURCES, loop } });
  const subscribe = (viewsFor: 'viewer' | null) => {
    const peer = new RecordingPeer(topics);
    const cursor = { after: null, epoch: null };
    const request = { id: 1, cursor, filter: { types: ['*'], sessions: null }, viewsFor };
    return { peer, open: new Subscription(peer, channels, home.clock, request) };
  };
  const [asked, other] = [subscribe('viewer'), subscribe(null)];
  await until('both are live', () => asked.open.state === 'live' && other.open.state === 'live');
  log.write((append) => append(SIGNAL));
  await until('one is closed', () => asked.peer.closes.length === 1);
  expect(asked.peer.closes).toEqual([{ code: CloseCode.restart, reason: 'restart' }]);
  expect([other.peer.seqs, other.peer.closes, asked.peer.writes]).toEqual([[1], [], []]);
});
