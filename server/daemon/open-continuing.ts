/** Found sessions that are continued here, and those the client keeps in the background. */
import type { Agents } from '../agents/agents.ts';
import type { LaunchFiles } from '../agents/launch/launch-files.ts';
import { Continuations } from '../continuing/continuations.ts';
import { BackgroundClient } from '../found/background-client.ts';
import { EndedBackgrounds } from '../found/ended-background.ts';
import type { FoundSessions } from '../found/found-sessions.ts';
import type { IgnoredDirectories } from '../found/ignored-directories.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { ProgramVersions } from '../lib/processes/program-versions.ts';
import type { Scope } from '../lib/scope.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AgentMonitor } from '../sessions/watching/agent-monitor.ts';
import type { Store } from './open-store.ts';

interface Surroundings {
  found: FoundSessions | null;
  ignored: IgnoredDirectories;
  sessions: Sessions;
  monitor: AgentMonitor;
  agents: Agents;
  launchFiles: LaunchFiles;
  versions: ProgramVersions;
  clock: Clock;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

export function openContinuing(
  { agentProgram: program, startTimeoutMs, roots }: Readonly<Config>,
  { log }: Pick<Store, 'log'>,
  { ignored, versions, ...surroundings }: Surroundings,
  scope: Scope,
): { background: BackgroundClient; ended: EndedBackgrounds; continuations: Continuations } {
  const { clock, environment } = surroundings;
  const { isIgnored } = ignored;
  const background = new BackgroundClient({ program, versions, environment });
  const ended = new EndedBackgrounds({ client: background, clock, isIgnored, environment });
  const shared = { ...surroundings, log, startTimeoutMs, roots, isIgnored };
  const continuations = new Continuations({ ...shared, background, ended });
  scope.own(() => continuations.dispose());
  return { background, ended, continuations };
}
