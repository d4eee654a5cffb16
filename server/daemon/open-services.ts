/**
 * Sessions, agents, loops, the inbox and alerts: built bottom up; interrupted work is recovered.
 */
import { join } from 'node:path';
import { Agents } from '../agents/agents.ts';
import { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { openHookCapabilities } from '../agents/hooks/hook-capability.ts';
import { QuotaGate } from '../supervision/quota-gate.ts';
import { LaunchFiles } from '../agents/launch/launch-files.ts';
import { Attention } from '../attention/attention.ts';
import { AttentionStore } from '../attention/attention-store.ts';
import { AutoLoops } from '../auto/auto-loops.ts';
import { AutoStore } from '../auto/stores/auto-store.ts';
import { isStartable } from '../auto/directory/task-directory.ts';
import { Demo } from '../demo/demo.ts';
import { Directories } from '../projects/directories.ts';
import { loopSettings } from '../auto/loop-settings.ts';
import { type RestoreMark } from '../db/meta-store.ts';
import type { Config } from '../lib/config/config.ts';
import { IgnoredDirectories } from '../found/ignored-directories.ts';
import { systemProcesses } from '../lib/processes/processes.ts';
import { ProgramVersions } from '../lib/processes/program-versions.ts';
import { PathReach } from '../lib/files/path-reach.ts';
import type { Scope } from '../lib/scope.ts';
import { People } from '../people/people.ts';
import { PersonStore } from '../people/person-store.ts';
import { Interrupts } from '../sessions/interrupts.ts';
import { Respawns } from '../respawn/respawns.ts';
import { RespawnStore } from '../respawn/respawn-store.ts';
import { RunStore } from '../runs/stores/run-store.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import { Git } from '../worktrees/git/git.ts';
import { ProjectCheckouts } from '../worktrees/project-checkouts.ts';
import type { Given } from './daemon-overrides.ts';
import type { Store } from './open-store.ts';
import { openAlerts } from './open-alerts.ts';
import { openHeadless } from './open-headless.ts';
import { openHeadlessWork } from './open-headless-work.ts';
import { openBudgets } from './open-budgets.ts';
import { openPlan } from './open-plan.ts';
import { openContinuing } from './open-continuing.ts';
import { openFound } from './open-found.ts';
import { openModules } from './open-modules.ts';
import { openQuestions } from './open-questions.ts';
import { openSessions } from './open-sessions.ts';
import { openUsage } from './open-usage.ts';
import type { TaskCosts } from '../usage/open-work.ts';
import { taskCosts } from '../tasks/task-costs.ts';

export type Services = Awaited<ReturnType<typeof openServices>>;

export async function openServices(
  config: Readonly<Config>,
  store: Store,
  { clock, environment, random, demoPace, claims }: Given,
  scope: Scope,
) {
  const { logger, database, log, restored } = store;
  const capabilities = openHookCapabilities(config.home);
  const people = new People({ log, clock, logger, store: new PersonStore(database) });

  const shellEnvironment = terminalEnvironment(environment, config.passEnvironment);
  const opened = await openSessions(config, store, { clock, environment: shellEnvironment }, scope);
  const { terminals, sessions, screenHistory, monitor, displays, attachments, outbox } = opened;
  const agents = new Agents({
    program: config.agentProgram,
    template: config.autoCommand,
    environment: shellEnvironment,
  });
  const versions = new ProgramVersions(shellEnvironment);
  const launchFiles = new LaunchFiles({
    home: config.home,
    program: config.agentProgram,
    loop: config.loop,
    versions,
    capabilities,
    clock,
    environment: shellEnvironment,
  });
  scope.own(() => launchFiles.dispose());
  const stored = new RunStore(database);
  const items = new AttentionStore(database, (id) => stored.titleOf(id));
  const attention = new Attention({
    log,
    clock,
    logger,
    store: items,
    probe: async (session) => monitor.probe(session),
    probeFound: async (id) => Promise.resolve(found?.get(id)?.state ?? null),
  });
  const quota = new QuotaGate(clock);
  const { sharedPlan, windows, reserve, budgets } = openBudgets(store, clock, scope);
  const shared = { log, clock, logger, sessions, monitor, attention, outbox, quota, budgets };
  const git = new Git({ environment: shellEnvironment, fronts: join(config.home, 'git') });
  const checkouts = new ProjectCheckouts({ git, clock, scratch: join(config.home, 'loop-checks') });
  const reach = new PathReach(clock);
  const loops = new AutoLoops({
    ...shared,
    readUsage: (session) => usage.readNow(session),
    attachments,
    agents,
    launchFiles,
    transcripts: new TranscriptFiles(shellEnvironment),
    check: { checkouts, environment: shellEnvironment, timeoutMs: config.taskTestTimeoutMs },
    settings: loopSettings(config, demoPace),
    store: new AutoStore(database),
    processes: systemProcesses,
    readDirectory: async (path) => reach.identity(path),
    roots: config.roots,
  });
  monitor.onChange((session, agent) => {
    if (agent === null) {
      outbox.closeSession(session);
      attention.close({ kind: 'session', id: session });
      attachments.forget(session);
    } else {
      attention.observe(session, agent);
      void outbox.pump(session);
    }
    loops.agentChanged(session);
  });
  attention.recover();
  const directories = new Directories({
    roots: config.roots,
    inUse: () => ({ sessions: sessions.list(), loops: loops.list() }),
    isStartable,
  });
  const demo = new Demo({ loops, sessions, home: config.home, pace: demoPace });
  await sessions.recover();
  const watched = { sessions, loops, monitor, windows, clock, environment: shellEnvironment };
  const usage = openUsage(store, watched, scope);
  scope.own(() => sessions.dispose());
  if (restored !== null) await opened.adopt();
  await checkouts.recover().catch((err: unknown) => {
    logger.warn({ err }, 'cannot remove old checkouts');
  });
  await loops.recover((run) => mayHaveEnded(restored, run));
  scope.own(() => loops.dispose());
  await sessions.watch();
  scope.own(() => monitor.dispose());
  scope.own(() => outbox.dispose());
  outbox.recover(restored !== null);
  const surroundings = { clock, environment: shellEnvironment };
  const headless = await openHeadless(config, store, surroundings, scope);
  const respawns = new Respawns({
    ...shared,
    displays,
    attachments,
    git,
    models: headless.models,
    usage: usage.ledger,
    store: new RespawnStore(database),
  });
  scope.own(() => respawns.dispose());
  monitor.onChange((session) => respawns.agentChanged(session));
  respawns.recover(restored !== null);
  const shares = { attention, quota, budgets, restored, git, usage: usage.ledger };
  const work = { ...surroundings, ...headless, ...shares, claims };
  const { tasks, phased, dispatcher } = await openHeadlessWork(config, store, work, scope);
  const costs = (): TaskCosts => ({
    ...taskCosts(tasks.scheduler.records()),
    hasUnsized:
      loops.states().some(({ status }) => !['stopped', 'failed'].includes(status)) ||
      phased.board.statuses().some((status) => !['stopped', 'failed', 'done'].includes(status)) ||
      respawns.states().some((state) => state !== 'stopped'),
  });
  const asked = { attention, sessions, clock, tasks, phased };
  const questions = openQuestions(store, asked, scope);
  const { home, foundIgnore: configured } = config;
  const ignored = new IgnoredDirectories({ home, configured, log, clock });
  const seen = { ...surroundings, ignored, attention, ledger: usage.ledger };
  const { found, askFound } = await openFound(config, store, seen, scope);
  const continued = { found, ignored, sessions, monitor, agents, launchFiles, versions, clock };
  const continuing = openContinuing(
    config,
    store,
    { ...continued, environment: shellEnvironment },
    scope,
  );
  const modules = openModules(config, store, { ...surroundings, loops }, scope);
  const outlook = { clock, random, environment: shellEnvironment, items, attention };
  const { alerts, push } = openAlerts(config, store, outlook, scope);
  return {
    capabilities,
    shellEnvironment,
    terminals,
    sessions,
    agents,
    monitor,
    activities: opened.activities,
    steps: opened.steps,
    clientVersions: opened.clientVersions,
    displays,
    interrupts: new Interrupts({ log, sessions, monitor, clock }),
    screenHistory,
    attachments,
    outbox,
    versions,
    attention,
    loops,
    respawns,
    launchFiles,
    demo,
    directories,
    alerts,
    push,
    found,
    askFound,
    ignored,
    ...continuing,
    modules,
    people,
    tasks,
    phased,
    dispatcher,
    usage: { ...usage, now: () => usage.now(costs()) },
    budgets,
    plan: openPlan({
      windows,
      budgets,
      database: store.database,
      shared: sharedPlan,
      environment: shellEnvironment,
      clock,
    }),
    windows,
    questions,
    reserve,
  };
}

/**
 * A loop of a restored database that the database before it did not have, or could not be asked
 * about.
 */
function mayHaveEnded(mark: RestoreMark | null, run: string): boolean {
  if (mark === null) return false;
  return mark.ended_runs?.includes(run) ?? true;
}
