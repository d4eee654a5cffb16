/** Counts the agents at work in directories, from the process table only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
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

function agents(): { pid: number; cwd: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const called = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        if (!AGENT_NAMES.has(called) || stat.includes(') Z ')) return [];
        // A child is a copy of its parent, in its own directory, until it becomes another program.
        const [, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const own = commandLine(Number(name));
        if (own !== '' && own === commandLine(Number(parent))) return [];
        return [{ pid: Number(name), cwd: readlinkSync(`/proc/${name}/cwd`) }];
      } catch {
        return [];
      }
    });
}
