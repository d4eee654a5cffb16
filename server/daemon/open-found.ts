/** Sessions that Loopwatch did not start, connected to the inbox and the ledger. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Subject } from '../../shared/schema/subject.ts';
import { folderOf } from '../../shared/words/found-text.ts';
import { foundNeed } from '../attention/attention-for.ts';
import type { Attention } from '../attention/attention.ts';
import type { FoundSession } from '../found/found-session.ts';
import { FoundSessions } from '../found/found-sessions.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { systemProcesses } from '../lib/processes.ts';
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
}

/** Null when they are not shown: by the settings, or without a home directory. */
export async function openFound(
  config: Readonly<Config>,
  { log, logger }: Pick<Store, 'log' | 'logger'>,
  { clock, environment, attention, ledger }: Surroundings,
  scope: Scope,
): Promise<FoundSessions | null> {
  const isOn = config.found === 'on' && existsSync(environment['HOME'] ?? homedir());
  if (!isOn) {
    attention.keepFound(new Set());
    return null;
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
  const seen = ({ id, identity, conversation }: FoundSession) =>
    usage.seen(id, { process: identity, conversation, statusLine: null });
  const found: FoundSessions = new FoundSessions({
    log,
    clock,
    logger,
    environment,
    processes: systemProcesses,
    pollMs: config.signalPollMs,
    listener: {
      seen,
      news(session) {
        const folder = folderOf(session.facts().project);
        attention.require(subjectOf(session.id), foundNeed(session.state, folder));
        seen(session);
        usage.changed(session.id);
      },
      ended(id) {
        usage.ended(id);
        attention.close(subjectOf(id));
      },
    },
  });
  scope.own(() => found.dispose());
  await found.start();
  attention.keepFound(new Set(found.list().map(({ id }) => id)));
  return found;
}

function subjectOf(id: string): Subject {
  return { kind: 'found', id };
}
