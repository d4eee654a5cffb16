/**
 * Finds the processes of other clients among all. What runs in a process is remembered: once it runs
 * another program, it has another name or another executable.
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { ListedProcess, Processes } from '../../lib/processes/processes.ts';
import { processStartMs } from '../../lib/processes/process-start.ts';
import { within } from '../../lib/within.ts';
import { isOfUser } from '../origin.ts';
import type { ClientProcess, OtherClient, Program } from './other-client.ts';

/** Reading a process that hangs in the kernel may block. */
const READ_MS = 5_000;
/** After an update, of the executable that still runs. */
const DELETED = / \(deleted\)$/;

interface ReaderOptions {
  processes: Pick<Processes, 'commandLine'>;
  clock: Clock;
}

interface Recognized {
  client: OtherClient;
  process: ClientProcess;
}

export class ClientProcesses {
  readonly #clients: readonly OtherClient[];
  readonly #options: ReaderOptions;
  #known = new Map<string, Recognized | 'other'>();

  constructor(clients: readonly OtherClient[], options: ReaderOptions) {
    this.#clients = clients;
    this.#options = options;
  }

  /** Of all living `processes`, by client. */
  async of(processes: readonly ListedProcess[]): Promise<Map<OtherClient, ClientProcess[]>> {
    const found = new Map<OtherClient, ClientProcess[]>(this.#clients.map((each) => [each, []]));
    const known = new Map<string, Recognized | 'other'>();
    for (const each of processes) {
      const key = `${each.pid} ${each.startedAt} ${each.name}`;
      const before = this.#known.get(key);
      const answer = before === 'other' ? before : await this.#recognize(each, before);
      if (answer === 'unreadable') continue;
      known.set(key, answer);
      if (answer !== 'other') found.get(answer.client)?.push(answer.process);
    }
    this.#known = known;
    return found;
  }

  async #recognize(
    each: ListedProcess,
    before: Recognized | undefined,
  ): Promise<Recognized | 'other' | 'unreadable'> {
    const exe = linkOf(each.pid, 'exe')?.replace(DELETED, '') ?? '';
    if (before !== undefined && before.process.program.exe === exe) {
      return { client: before.client, process: { ...before.process, ...each } };
    }
    const possible = this.#clients.filter((client) => client.mayBe(basename(exe)));
    if (possible.length === 0 || !isOfUser(each.pid)) return 'other';
    const program = await this.#program(each.pid, exe);
    const startMs = processStartMs(each);
    if (program === null || startMs === null) return 'unreadable';
    const client = possible.find((one) => one.isIts(program));
    if (client === undefined) return 'other';
    return { client, process: { ...each, program, startMs } };
  }

  async #program(pid: number, exe: string): Promise<Program | null> {
    const { processes, clock } = this.#options;
    const line = (await within(clock, READ_MS, processes.commandLine(pid)))?.answer ?? '';
    const cwd = linkOf(pid, 'cwd');
    if (line === '' || cwd === null) return null;
    return { exe, argv: line.split('\0').slice(1, -2), cwd };
  }
}

function linkOf(pid: number, name: 'exe' | 'cwd'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return null;
  }
}
