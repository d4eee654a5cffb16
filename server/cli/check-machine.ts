/** What a loop needs, looked for on this machine. */
import type { PreflightCheck } from '../../shared/model.ts';
import { Agents } from '../agents/agents.ts';
import { readConfig } from '../lib/config.ts';
import { ProgramVersions } from '../lib/program-versions.ts';
import { preflight } from '../preflight/preflight.ts';
import { cgroupOf, serviceCheck } from '../preflight/service-check.ts';
import { terminalPreflight } from '../terminals/open-terminal-host.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import { findDaemon } from './client.ts';

/** Looks with the environment that a terminal of the daemon would have. Needs no daemon. */
export async function checkMachine(): Promise<PreflightCheck[]> {
  const config = readConfig();
  // As a terminal of the daemon would see it.
  const environment = terminalEnvironment(process.env, config.passEnvironment);
  const daemon = findDaemon(config);
  const { agentProgram, autoCommand, home, roots } = config;
  const agents = new Agents({ program: agentProgram, template: autoCommand, environment });
  return preflight({
    home,
    program: agentProgram,
    template: autoCommand,
    agents,
    environment,
    projects: [process.cwd(), ...roots],
    versions: new ProgramVersions(environment),
    terminal: await terminalPreflight(config, environment),
    // Of the daemon, not of the shell this runs in.
    service: () => (daemon === null ? null : serviceCheck(cgroupOf(daemon.pid), environment)),
  });
}
