/**
 * The processes of other clients: /proc is listed once for all of them. A process that is none is
 * remembered; one that runs another program since then has another name.
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { ListedProcess, Processes } from '../../lib/processes.ts';
import { processStartMs } from '../../lib/process-start.ts';
import { within } from '../../lib/within.ts';
import { isOfUser } from '../origin.ts';
import type { ClientProcess, OtherClient, Program } from './other-client.ts';

/** Reading a process that hangs in the kernel may block. */
const READ_MS = 5_000;
/** After an update, of the executable that still runs. */
const DELETED = / \(deleted\)$/;

interface ReaderOptions {
  processes: Pick<Processes, 'list' | 'commandLine'>;
  clock: Clock;
}

export class ClientProcesses {
  readonly #clients: readonly OtherClient[];
  readonly #options: ReaderOptions;
  #others = new Set<string>();

  constructor(clients: readonly OtherClient[], options: ReaderOptions) {
    this.#clients = clients;
    this.#options = options;
  }

  /** Those that live now, by client. Rejects when the system cannot say. */
  async list(): Promise<Map<OtherClient, ClientProcess[]>> {
    const found = new Map<OtherClient, ClientProcess[]>(this.#clients.map((each) => [each, []]));
    const others = new Set<string>();
    for (const each of await this.#options.processes.list()) {
      const key = `${each.pid} ${each.startedAt} ${each.name}`;
      const answer = this.#others.has(key) ? 'other' : await this.#recognize(each);
      if (answer === 'other') others.add(key);
      else if (answer !== 'unreadable') found.get(answer.client)?.push(answer.process);
    }
    this.#others = others;
    return found;
  }

  async #recognize(
    each: ListedProcess,
  ): Promise<{ client: OtherClient; process: ClientProcess } | 'other' | 'unreadable'> {
    const exe = linkOf(each.pid, 'exe')?.replace(DELETED, '') ?? '';
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
