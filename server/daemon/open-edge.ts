/** What can be reached from outside: REST, WebSocket and the page behind one gate. */
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { CloseCode } from '../../shared/rules/wire.ts';
import { createApp } from '../api/app.ts';
import { errorResponse } from '../api/error-response.ts';
import { EventReaders } from '../api/event-readers.ts';
import { gate, gatePolicy } from '../api/gate.ts';
import { RequestCounts } from '../api/request-counts.ts';
import { alertRoutes } from '../api/routes/people/alert-routes.ts';
import { attentionRoutes } from '../api/routes/people/attention-routes.ts';
import { autoRoutes } from '../api/routes/work/auto-routes.ts';
import { clientHooksRoutes } from '../api/routes/sessions/client-hooks-routes.ts';
import { daemonRoutes } from '../api/routes/daemon-routes.ts';
import { fleetRoutes } from '../api/routes/fleet-routes.ts';
import { foundRoutes } from '../api/routes/sessions/found-routes.ts';
import { eventRoutes } from '../api/routes/event-routes.ts';
import { hookRoutes } from '../api/routes/sessions/hook-routes.ts';
import { moduleRoutes } from '../api/routes/work/module-routes.ts';
import { peopleRoutes } from '../api/routes/people/people-routes.ts';
import { projectRoutes } from '../api/routes/work/project-routes.ts';
import { projectSetupRoutes } from '../api/routes/work/project-setup-routes.ts';
import { promptRoutes } from '../api/routes/work/prompt-routes.ts';
import { reportRoutes } from '../api/routes/report-routes.ts';
import { respawnRoutes } from '../api/routes/work/respawn-routes.ts';
import { screenRoutes } from '../api/routes/sessions/screen-routes.ts';
import { clientVersionRoutes } from '../api/routes/sessions/client-version-routes.ts';
import { sessionRoutes } from '../api/routes/sessions/session-routes.ts';
import { runRoutes } from '../api/routes/work/run-routes.ts';
import { taskRecalls } from '../api/routes/work/task-recalls.ts';
import { taskRoutes } from '../api/routes/work/task-routes.ts';
import { taskConversationRoutes } from '../api/routes/work/task-conversation-routes.ts';
import { pushRoutes } from '../api/routes/people/push-routes.ts';
import { questionRoutes } from '../api/routes/people/question-routes.ts';
import { reserveRoutes } from '../api/routes/reserve-routes.ts';
import { usageRoutes } from '../api/routes/usage-routes.ts';
import { staticFiles } from '../api/static-files.ts';
import { createHookReceiver } from '../attention/hook-receiver.ts';
import { LoopHistoryReader } from '../auto/loop-history.ts';
import { PlacementStore } from '../fleet/placement-store.ts';
import { ChannelPeers } from '../gateway/channel-peer.ts';
import { TaskPlacement } from '../gateway/task-placement.ts';
import { KeptAnswers } from '../idempotency/kept-answers.ts';
import { KeyStore } from '../idempotency/key-store.ts';
import { announceDaemon } from '../lib/files/daemon-file.ts';
import type { Config } from '../lib/config/config.ts';
import { packageRoot, packageVersion } from '../lib/package-root.ts';
import type { Scope } from '../lib/scope.ts';
import { within } from '../lib/within.ts';
import type { LagClock } from '../metrics/lag-clock.ts';
import { Access, keepAdminToken } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';
import { Recordings } from '../sessions/showing/recordings.ts';
import { ScreenFeed } from '../sessions/showing/screen-feed.ts';
import type { Transport } from '../transport/transport.ts';
import { OpenConnections } from '../ws/connection.ts';
import { EventChannels } from '../ws/event-channels.ts';
import { ScreenChannels } from '../ws/screen-channels.ts';
import { openClientHooks } from './open-client-hooks.ts';
import { openMetrics } from './open-metrics.ts';
import { openClientTest } from './open-client-test.ts';
import type { Fleet } from './open-fleet.ts';
import { openGateway } from './open-gateway.ts';
import { openNight } from './open-night.ts';
import { openReports } from './open-reports.ts';
import type { Services } from './open-services.ts';
import { openStatus } from './open-status.ts';
import type { Store } from './open-store.ts';
import { openViews } from './open-views.ts';

/** For requests whose client has left, and of which some work is left to do. */
const LAST_REQUESTS_MS = 2_000;

export async function openEdge(
  config: Readonly<Config>,
  store: Store & { transport: Transport },
  services: Services,
  { clock, fleet }: { clock: LagClock; fleet: Fleet | null },
  scope: Scope,
) {
  const { logger, log, transport } = store;
  const { capabilities, sessions, monitor, interrupts, screenHistory, displays } = services;
  const { attachments, outbox, attention, alerts, loops, respawns } = services;
  const { demo, directories, people, tasks } = services;
  const { phased, usage, askFound } = services;
  const version = packageVersion();
  const receiver = createHookReceiver({
    attention,
    onHook: (session, event) => {
      monitor.handleHook(session, event);
      respawns.heard(session, event);
    },
    asked: (session) => respawns.asked(session),
    answered: (session) => respawns.answered(session),
    hasSession: (session) => sessions.has(session),
    askFound,
  });
  const token = config.token ?? keepAdminToken(config.home);
  const access = new Access({ token, people, clock });
  const stopping = new AbortController();
  // One listener per open request.
  setMaxListeners(0, stopping.signal);
  let url = '';
  // Behind a proxy, people do not use the address the daemon listens on.
  const [publicHost] = config.behindProxy ? config.allowedHosts : [];
  const publicUrl = () => (publicHost === undefined ? url : `https://${publicHost}`);
  const loginLink = (code: string) => `${publicUrl()}/#k=${code}`;
  const { checks, status } = await openStatus(config, store, services, { clock, version }, scope);
  const night = openNight(config, store, services, { clock, checks }, scope);
  const { reports, histories } = openReports(store, services, clock);
  scope.own(() => histories.dispose());
  const testClient = await openClientTest(config, store, services, clock, scope);
  const recordings = new Recordings({
    directory: join(config.home, 'recordings'),
    hasSession: (name) => sessions.has(name),
    displays,
    clock,
  });
  scope.own(() => recordings.dispose());
  const feed = new ScreenFeed({
    tap: async (name, listener) => sessions.tap(name, listener),
    capture: async (name) => sessions.screen(name),
    clock,
  });
  const peers = new ChannelPeers();
  const publish = (topic: string, frames: readonly string[]) => {
    server.publish(topic, frames);
    peers.publish(topic, frames);
  };
  const channels = new EventChannels(log, publish, { views: openViews(config, services) });
  const screens = new ScreenChannels(feed, publish);
  const connections = new OpenConnections();
  const readers = new EventReaders();
  const requests = new RequestCounts();
  const metrics = openMetrics(config, store, services, clock, {
    channels,
    connections,
    screens,
    attachments,
    readers,
    requests,
  });
  const placement = new TaskPlacement({
    clock,
    store: new PlacementStore(store.database),
    fleet,
    tasks: tasks.creation,
  });
  const app = createApp({
    handlers: {
      ...daemonRoutes({ version, status, metrics }),
      ...fleetRoutes(fleet),
      ...peopleRoutes({ access, people, loginLink }),
      ...sessionRoutes({ sessions, monitor, outbox, interrupts }),
      ...clientVersionRoutes({ versions: services.clientVersions, sessions, monitor, testClient }),
      ...screenRoutes({ sessions, screenHistory, recordings, activities: services.activities }),
      ...respawnRoutes(respawns),
      ...autoRoutes({ loops, demo, history: new LoopHistoryReader(log, clock) }),
      ...taskRoutes({ ...tasks, placement }),
      ...runRoutes(phased),
      ...taskConversationRoutes({ ...tasks, log, clock, readers, stopped: stopping.signal }),
      ...moduleRoutes(services),
      ...promptRoutes(tasks),
      ...projectRoutes({
        directories,
        sessions: tasks.projects,
        branches: async (path, type) => tasks.worktrees.branches(path, type),
        tasksOf: (sessionId) => tasks.scheduler.ofProject(sessionId),
      }),
      ...projectSetupRoutes(tasks),
      ...attentionRoutes({ attention, details: config.foundDetails }),
      ...alertRoutes({ alerts }),
      ...pushRoutes({ ...services.push, attention, page: publicUrl, stopped: stopping.signal }),
      ...clientHooksRoutes(openClientHooks(config, services)),
      ...foundRoutes({ ...services, clock, usage: usage.reports, details: config.foundDetails }),
      ...questionRoutes(services),
      ...reserveRoutes(services),
      ...usageRoutes({ usage: usage.reports, now: usage.now, budgets: services.budgets, clock }),
      ...reportRoutes({ reports, histories, night }),
      ...eventRoutes({ log, clock, readers, stopped: stopping.signal }),
      ...hookRoutes({ receiver, stopped: stopping.signal }),
    },
    access,
    capabilities,
    answers: new KeptAnswers({ store: new KeyStore(store.database), log, clock, logger }),
    recalls: taskRecalls(tasks),
    logger,
    requests,
    page: staticFiles(join(packageRoot(), 'dist/web')),
  });
  const connection = {
    channels,
    connections,
    clock,
    screens,
    attachments,
    version,
    seen: (identity: Identity) => access.seen(identity),
    hasSession: (name: string) => sessions.has(name),
  };
  let policy = gatePolicy(config.port, config.allowedHosts, config.behindProxy);
  const underWay = new Set<Promise<Response>>();
  // What a request still reads or writes must not outlast the home that it works in.
  scope.own(async () => {
    await within(clock, LAST_REQUESTS_MS, Promise.allSettled(underWay));
  });
  const answered = async (answer: Promise<Response>) => {
    underWay.add(answer);
    return answer.finally(() => underWay.delete(answer));
  };
  const gateway = openGateway(
    config,
    { logger, log, clock, fleet },
    { access, connection, peers, app: async (...call) => answered(app(...call)) },
  );
  const server = await transport.listen(config, {
    gate(head) {
      const refusal = gate(head, policy);
      return refusal === null ? null : errorResponse(refusal, logger, head.target);
    },
    fetch: async (request, head) => gateway.fetch(request, head),
    upgrade: (head) => gateway.upgrade(head),
  });
  scope.own(() => server.close(CloseCode.restart, 'restart'));
  scope.own(() => gateway.close());
  scope.own(() => {
    // First the inbox, or the askers would seem to have left. Then, in the same tick, the requests:
    // each hook gets the answer to ask the next daemon.
    try {
      attention.dispose();
    } finally {
      stopping.abort();
    }
  });
  // With port 0 the real port is known only now; no request can have arrived before.
  policy = gatePolicy(server.port, config.allowedHosts, config.behindProxy);
  url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`;
  scope.own(announceDaemon(config.home, url));
  gateway.serve();
  // Only now the links in messages are known.
  alerts.start(publicUrl());
  return { url, token, loginLink: () => loginLink(access.createHomeCode().secret) };
}
