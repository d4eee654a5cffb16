/**
 * Everything a loop may lack on this machine, each with its fix: for the daemon's status and for
 * `loopwatch doctor`, which needs no daemon.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LoopName, startTemplate } from '../../shared/rules/loops/known-loops.ts';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { Agents } from '../agents/agents.ts';
import type { Clock } from '../lib/clock.ts';
import type { ProgramVersions } from '../lib/processes/program-versions.ts';
import { parseClientVersion } from '../agents/client-version.ts';
import { clientCheck, loginCheck } from './agent-checks.ts';
import { loopCheck } from './loop-check.ts';
import { diskCheck, gitCheck, inotifyCheck } from './machine-checks.ts';

/** A check that passed is not repeated for this long; a failed one always is. */
const KEEP_MS = 60_000;

type Check = () => PreflightCheck | null | Promise<PreflightCheck | null>;

export interface PreflightOptions {
  home: string;
  /** Directories whose own commands count: the roots, and where `doctor` was called. */
  projects: readonly string[];
  program: string;
  loop: LoopName;
  isLoopChosen: boolean;
  /** What a start types, from the settings. */
  template: string;
  agents: Agents;
  versions: ProgramVersions;
  /** Whether a version of the client, such as `2.1.400`, may be typed into. */
  isTrusted: (version: string) => boolean;
  terminal: PreflightCheck;
  /** The service manager that runs the daemon, if one does. */
  service: Check;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
}

/** Every check that applies here, in the order of dependence. */
export async function preflight(options: PreflightOptions): Promise<PreflightCheck[]> {
  const checks = await Promise.all(checksOf(options).map(async (check) => check()));
  return checks.filter((check) => check !== null);
}

/** The same for many callers: a passed check is kept for a minute. */
export class CachedChecks {
  readonly #checks: readonly Check[];

  /** `own` are of the daemon alone, and never kept. */
  constructor(options: PreflightOptions, clock: Clock, ...own: Check[]) {
    const [agent, ...others] = checksOf(options);
    this.#checks = [
      ...(agent === undefined ? [] : [agent]),
      ...others.map((check) => kept(check, clock)),
      ...own,
    ];
  }

  /** Whether the agent is installed is checked every time. */
  async checks(): Promise<PreflightCheck[]> {
    const checks = await Promise.all(this.#checks.map(async (check) => check()));
    return checks.filter((check) => check !== null);
  }
}

/** The agent first: without it, version, commands and login cannot be checked. */
function checksOf(options: PreflightOptions): Check[] {
  const { agents, versions, isTrusted, environment, projects, program, home, loop, template } =
    options;
  const isChosen = options.isLoopChosen;
  // Not every program is a client with versions and a login.
  const isOwn = template !== startTemplate(loop);
  const withAgent = (check: Check) => () => (agents.preflight().ok ? check() : null);
  return [
    () => agents.preflight(),
    withAgent(async () => clientCheck(await versions.of(program), isOwn, isTrusted)),
    withAgent(async () => {
      const version = parseClientVersion((await versions.of(program)) ?? '');
      return loopCheck({ loop, isChosen, template, version, environment, projects });
    }),
    withAgent(async () => {
      const version = parseClientVersion((await versions.of(program)) ?? '');
      return isOwn && version === null ? null : loginCheck(environment);
    }),
    () => options.terminal,
    async () => gitCheck(versions),
    () => diskCheck(existing(home)),
    inotifyCheck,
    options.service,
  ];
}

function kept(check: Check, clock: Clock): Check {
  let fine: { check: PreflightCheck; atMs: number } | null = null;
  return async () => {
    if (fine !== null && clock.monotonic() - fine.atMs < KEEP_MS) return fine.check;
    const found = await check();
    fine = found?.ok === true ? { check: found, atMs: clock.monotonic() } : null;
    return found;
  };
}

/** The home itself, or its nearest existing parent. */
function existing(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory
    ? directory
    : existing(dirname(directory));
}
