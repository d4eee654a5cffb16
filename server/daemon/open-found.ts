/** Sessions that Loopwatch did not start, connected to the inbox and the ledger. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import { folderOf } from '../../shared/words/sessions/found-text.ts';
import type { Attention } from '../attention/attention.ts';
import type { AskFound } from '../attention/hook-receiver.ts';
import { FoundNeeds } from '../attention/found-needs.ts';
import { FoundSessions } from '../found/found-sessions.ts';
import { sessionOf } from '../found/session-of.ts';
import type { IgnoredDirectories } from '../found/ignored-directories.ts';
import type { ListedSession } from '../found/listed-session.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import { systemProcesses } from '../lib/processes/processes.ts';
import type { Scope } from '../lib/scope.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { UsageWatch } from '../usage/usage-watch.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  clock: Clock;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
  attention: Attention;
  ledger: UsageLedger;
  ignored: IgnoredDirectories;
}

/** `found` is null when they are not shown: by the settings, or without a home directory. */
export async function openFound(
  config: Readonly<Config>,
  { log, logger }: Pick<Store, 'log' | 'logger'>,
  { clock, environment, attention, ledger, ignored }: Surroundings,
  scope: Scope,
): Promise<{ found: FoundSessions | null; askFound: AskFound }> {
  const isOn = config.found === 'on' && existsSync(environment['HOME'] ?? homedir());
  if (!isOn) {
    attention.keepFound(new Set());
    return { found: null, askFound: async () => Promise.resolve(null) };
  }
  const usage = new UsageWatch({
    ledger,
    clock,
    logger,
    workOf(id) {
      const session = found.get(id);
      if (session === null) return null;
      const { project } = session.facts();
      const work = { subject: subjectOf(id), project, person: '' };
      return { work, sinceMs: session.startedAtMs };
    },
  });
  const needs = new FoundNeeds({
    attention,
    clock,
    situationOf(id) {
      const session = found.get(id);
      if (session === null) return null;
      const folder = folderOf(session.facts().project);
      return { agent: session.state, folder, hasWorkLeft: session.hasWorkLeft };
    },
  });
  scope.own(() => needs.dispose());
  const seen = ({ id, client, identity, conversation }: ListedSession) => {
    // What others use is in files that the ledger does not read.
    if (client === 'claude') usage.seen(id, { process: identity, conversation, statusLine: null });
  };
  let isStarted = false;
  const found: FoundSessions = new FoundSessions({
    log,
    clock,
    logger,
    environment,
    processes: systemProcesses,
    pollMs: config.signalPollMs,
    isIgnored: ignored.isIgnored,
    listener: {
      seen,
      news(session) {
        attention.observeFound(session.id, session.state);
        needs.observe(session.id);
        seen(session);
        if (session.client === 'claude') usage.changed(session.id);
      },
      ended({ found: id, project, agent }, how) {
        if (how === 'ignored') usage.dropped(id);
        else usage.ended(id);
        needs.ended(id);
        // What ended while no daemon ran may have ended with the machine.
        const isCrash = isStarted && how === 'killed' && isAtWork(agent);
        if (isCrash) needs.crashed(id, folderOf(project));
      },
    },
  });
  scope.own(() => found.dispose());
  ignored.onChange(() => {
    found.applyIgnored().catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot look for sessions again');
    });
  });
  await found.start();
  isStarted = true;
  needs.keep(new Set(found.list().map(({ id }) => id)));
  // What an earlier daemon published is no news, but its timers ended with it.
  for (const { id } of found.list()) needs.observe(id);
  return {
    found,
    async askFound(from, request, closed) {
      const session = await sessionOf(found, from);
      if (session === null) return null;
      const { id, state: agent } = session;
      const folder = folderOf(session.facts().project);
      return attention.askFound(
        id,
        { request, agent, folder, settled: () => needs.observe(id) },
        closed,
      );
    },
  };
}

/** One that was idle loses nothing with its process. */
function isAtWork({ state }: AgentState): boolean {
  return !['ready', 'interrupted', 'errored', 'limited', 'exited'].includes(state);
}

function subjectOf(id: string): Subject {
  return { kind: 'found', id };
}
