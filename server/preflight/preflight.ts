/**
 * Everything a loop may miss on this machine, each with its fix: for the daemon's status and for
 * `loopwatch doctor`, which needs no daemon.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PreflightCheck } from '../../shared/model.ts';
import type { Agents } from '../agents/agents.ts';
import type { Clock } from '../lib/clock.ts';
import type { ProgramVersions } from '../lib/program-versions.ts';
import { clientCheck, commandCheck, LOOP_COMMAND, loginCheck } from './agent-checks.ts';
import { diskCheck, gitCheck, inotifyCheck } from './machine-checks.ts';

/** What was fine a minute ago is not looked at again for everybody who asks; what was not, is. */
const KEEP_MS = 60_000;

export interface PreflightOptions {
  home: string;
  /** Directories whose own commands count: the roots, and where `doctor` was called. */
  projects: readonly string[];
  program: string;
  /** What a start types, as the settings have it. */
  template: string;
  agents: Agents;
  versions: ProgramVersions;
  terminal: PreflightCheck;
  /** The terminals' own. */
  environment: NodeJS.ProcessEnv;
}

/** Gives every check that can be judged here, in the order in which they are needed. */
export async function preflight(options: PreflightOptions): Promise<PreflightCheck[]> {
  const { agents, versions, environment, projects, program, home, template } = options;
  const agent = agents.preflight();
  // Without an agent there is nothing to say of its version, its commands and its login.
  const ofAgent = agent.ok
    ? [
        clientCheck(await versions.of(program)),
        // Another command than ours is the user's own to know.
        template.includes(LOOP_COMMAND) ? commandCheck(environment, projects) : null,
        loginCheck(environment),
      ]
    : [];
  const ofMachine = [await gitCheck(versions), diskCheck(existing(home)), inotifyCheck()];
  return [agent, ...ofAgent, options.terminal, ...ofMachine].filter((check) => check !== null);
}

/** The same for many who ask: what was fine is kept for a minute. */
export class PreflightBoard {
  readonly #options: PreflightOptions;
  readonly #clock: Clock;
  #kept: { checks: PreflightCheck[]; atMs: number } | null = null;

  constructor(options: PreflightOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Gives the checks; whether the agent is there is always looked at. */
  async checks(): Promise<PreflightCheck[]> {
    const kept = this.#kept;
    const fresh = kept !== null && this.#clock.monotonic() - kept.atMs < KEEP_MS;
    const allOk = kept?.checks.every(({ ok }) => ok) === true;
    if (fresh && allOk && this.#options.agents.preflight().ok) return kept.checks;
    const checks = await preflight(this.#options);
    this.#kept = { checks, atMs: this.#clock.monotonic() };
    return checks;
  }
}

/** The home itself, or what is there of the way to it. */
function existing(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory
    ? directory
    : existing(dirname(directory));
}
