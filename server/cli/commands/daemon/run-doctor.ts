/**
 * `loopwatch doctor`: what a loop would miss on this machine. Needs no daemon; a running one is asked,
 * because its settings count, not those of this shell.
 */
import type { DaemonStatus, PreflightCheck } from '../../../../shared/schema/model.ts';
import { Agents } from '../../../agents/agents.ts';
import { messageOf } from '../../../lib/app-error.ts';
import { readConfig } from '../../../lib/config/config.ts';
import { ProgramVersions } from '../../../lib/processes/program-versions.ts';
import { withLoop } from '../../../preflight/loop-check.ts';
import { preflight } from '../../../preflight/preflight.ts';
import { cgroupOf, serviceCheck } from '../../../preflight/service-check.ts';
import { terminalPreflight } from '../../../terminals/open-terminal-host.ts';
import { terminalEnvironment } from '../../../terminals/terminal-environment.ts';
import { findDaemon, request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { notice, print } from '../../print/print.ts';

/** Says what is there and what is missing; throws a CliError when something is. */
export async function runDoctor({ json = false }: { json?: boolean }): Promise<void> {
  const daemon = await statusOfDaemon();
  const checks = daemon?.preflight ?? (await checkMachine());
  const source = daemon === null ? [] : [`checked by the running daemon (pid ${daemon.pid})`];
  print(json ? JSON.stringify({ checks }) : [...source, ...checks.map(lineOf)]);
  const missing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  if (missing.length > 0) {
    throw new CliError(ExitCode.failed, `not ready: ${missing.join(', ')}`);
  }
}

/** Null when no daemon runs, or it does not answer. */
async function statusOfDaemon(): Promise<DaemonStatus | null> {
  if (findDaemon() === null) return null;
  try {
    return await request('status', {});
  } catch (error) {
    notice(`${messageOf(error)}; checked with the settings of this shell`);
    return null;
  }
}

async function checkMachine(): Promise<PreflightCheck[]> {
  const settings = readConfig();
  // As a terminal of the daemon would see it.
  const environment = terminalEnvironment(process.env, settings.passEnvironment);
  const versions = new ProgramVersions(environment);
  const config = await withLoop(settings, versions, environment);
  const daemon = findDaemon(config);
  const { agentProgram, autoCommand, home, loop, roots } = config;
  const agents = new Agents({ program: agentProgram, template: autoCommand, environment });
  return preflight({
    home,
    program: agentProgram,
    loop,
    isLoopChosen: config.isLoopChosen,
    template: autoCommand,
    agents,
    environment,
    projects: [process.cwd(), ...roots],
    versions,
    // Which versions people trust, only a daemon knows.
    isTrusted: () => config.clientTrust === 'any',
    terminal: await terminalPreflight(config, environment),
    // Of the daemon, not of the shell this runs in.
    service: () => (daemon === null ? null : serviceCheck(cgroupOf(daemon.pid), environment)),
  });
}

function lineOf({ name, ok, detail, fix }: PreflightCheck): string {
  const line = `${ok ? 'ok     ' : 'missing'} ${name.padEnd(8)} ${detail}`;
  return fix === null ? line : `${line}\n${' '.repeat(17)}${fix}`;
}
