/** Counts the agents at work in directories, from the process table only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { commandLine } from '../../../server/lib/processes/process-identity.ts';

const SAMPLE_EVERY_MS = 100;
/** An agent's process name from start to end; shells and tmux are not agents. */
const AGENT_NAMES = new Set(['claude', 'node', 'MainThread', 'sleep']);

export function agentsIn(directory: string): number[] {
  return agents()
    .filter(({ cwd }) => cwd === directory)
    .map(({ pid }) => pid);
}

/** In the directory or below it. */
export function agentsBelow(directory: string): number[] {
  return agents()
    .filter(({ cwd }) => `${cwd}/`.startsWith(`${directory}/`))
    .map(({ pid }) => pid);
}

/** Checks repeatedly for two agents in one directory, until it is disposed. */
export class AgentCensus {
  readonly doubles: string[] = [];
  readonly #root: string;
  readonly #timer: NodeJS.Timeout;
  #before = new Set<number>();

  constructor(root: string) {
    this.#root = root;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const here = agents().filter(({ cwd }) => cwd.startsWith(this.#root));
    // One that is just ending while the next one starts must be seen twice.
    const lasting = here.filter(({ pid }) => this.#before.has(pid));
    this.#before = new Set(here.map(({ pid }) => pid));
    const first = new Map<string, number>();
    for (const { pid, cwd } of lasting) {
      const other = first.get(cwd);
      if (other !== undefined) this.doubles.push(`${other} and ${pid} in ${cwd}`);
      first.set(cwd, pid);
    }
  }
}

/** A process at one moment, as the process table shows it. */
export interface SeenProcess {
  name: string;
  isZombie: boolean;
  commandLine: string;
  parentCommandLine: string;
  /** The file it runs; '' when it runs none any more. */
  program: string;
}

/**
 * While a process ends, or becomes another program, its memory is gone and with it its command
 * line, but not yet its name: what it runs decides then. That is nothing for one that ends. A child
 * is a copy of its parent, in its own directory, until it becomes another program: such a copy that
 * ends or becomes git is no second agent, however long a slow machine takes to free its memory.
 */
export function isAgent(seen: SeenProcess): boolean {
  const { name, isZombie, commandLine: own, parentCommandLine, program } = seen;
  if (isZombie) return false;
  if (own === '') return AGENT_NAMES.has(basename(program));
  return AGENT_NAMES.has(name) && own !== parentCommandLine;
}

function agents(): { pid: number; cwd: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // First: what becomes another program afterwards has that one's name.
        const own = commandLine(Number(name));
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const called = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        const [state, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // Most processes of a machine are no agents: the rest is not read of them.
        if (own !== '' && !AGENT_NAMES.has(called)) return [];
        const seen = {
          name: called,
          isZombie: state === 'Z',
          commandLine: own,
          parentCommandLine: commandLine(Number(parent)),
          program: own === '' ? readlinkSync(`/proc/${name}/exe`) : '',
        };
        return isAgent(seen) ? [{ pid: Number(name), cwd: readlinkSync(`/proc/${name}/cwd`) }] : [];
      } catch {
        return [];
      }
    });
}
