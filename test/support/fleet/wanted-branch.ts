/**
 * Two hosts of a fleet that each keep a task on the same remote branch wanted. At most one of them
 * may have an agent at work, unless a person has said that the other one is dead.
 */
import { git } from '../git/git-repository.ts';
import { turnsIn } from '../daemon/world-processes.ts';
import { until } from '../house/until.ts';
import { TaskHome } from '../tasks/task-home.ts';
import type { FleetProcess } from './fleet-process.ts';
import { SPELLINGS } from './shared-branch.ts';

const SAMPLE_EVERY_MS = 200;
const TASK = 'shared';
/** What makes it wanted again, by its status: in a conversation that begins with its description. */
const AGAIN: Readonly<Record<string, string>> = {
  PENDING: 'start',
  STOPPED: 'recover',
  COMPLETED: 'clear-and-restart',
  FAILED: 'recover',
  EXHAUSTED: 'recover',
};

export class WantedBranch {
  /** Moments at which both were at work, and none was fenced. */
  readonly doubles: string[] = [];
  /** How often another host than before was found at work. */
  changes = 0;
  readonly #wanting: readonly { host: FleetProcess; tasks: TaskHome }[];
  readonly #timer: NodeJS.Timeout;
  #last: FleetProcess | null = null;
  /** Its claim was released while it was cut off: it works until it hears of that. */
  #fenced: FleetProcess | null = null;

  private constructor(wanting: readonly { host: FleetProcess; tasks: TaskHome }[]) {
    this.#wanting = wanting;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
  }

  static async begin(hosts: readonly FleetProcess[]): Promise<WantedBranch> {
    const wanting = hosts.map((host, n) => {
      const tasks = new TaskHome(host.world, host.asks(host), TASK);
      git(tasks.repository, 'remote', 'add', 'origin', SPELLINGS[n] ?? SPELLINGS[0]);
      return { host, tasks };
    });
    for (const { tasks } of wanting) await tasks.run(TASK, ['hang'], { branch_name: TASK });
    return new WantedBranch(wanting);
  }

  /** Those with an agent at work, by the process table: their daemons may be dead. */
  atWork(): FleetProcess[] {
    return this.#wanting.map(({ host }) => host).filter(({ world }) => turnsIn(world).length > 0);
  }

  /** A person stops the task that works, so that the other host may begin. */
  async handOver(): Promise<void> {
    for (const { host, tasks } of this.#wanting) {
      if (host.api === null || !this.atWork().includes(host)) continue;
      tasks.api = host.api;
      await tasks.post(TASK, 'stop');
    }
  }

  /** What ended is wanted again. All daemons must run. */
  async keepWanted(): Promise<void> {
    for (const { host, tasks } of this.#wanting) {
      tasks.api = host.asks(host);
      const action = AGAIN[(await tasks.get(TASK)).status];
      if (action !== undefined) await tasks.post(TASK, action);
    }
  }

  async untilAtWork(): Promise<void> {
    let seen: unknown;
    await until(
      'one of the two is at work',
      async () => {
        if (this.atWork().length > 0) return true;
        seen = await Promise.all(
          this.#wanting.map(async ({ tasks }) => {
            const { status, reason, wait } = await tasks.get(TASK);
            return [status, reason, wait];
          }),
        );
        return false;
      },
      () => seen,
    );
  }

  /** A person says that a host which is cut off is dead; the other one takes its branch. */
  async release(cut: FleetProcess): Promise<void> {
    const taker = this.#wanting.find(({ host }) => host !== cut)?.host ?? cut;
    const api = taker.asks(taker);
    const { body } = await api.get('/api/fleet/claims');
    const claims = body['claims'] as { key: string; name: string; revision: number }[];
    const claim = claims.find(({ name }) => name === cut.name);
    if (claim === undefined) return;
    this.#fenced = cut;
    const { key, revision } = claim;
    await api.send('POST', '/api/fleet/claims/release', { key, revision });
    await until('the other one works there', () => this.atWork().includes(taker));
  }

  /** A host that was released while it was cut off, and is back, has stopped. */
  async untilFenced(): Promise<void> {
    const { name } = this.#fenced ?? {};
    if (name === undefined) return;
    await until(`${name} has stopped`, () => this.atWork().every((host) => host !== this.#fenced));
    this.#fenced = null;
  }

  #sample(): void {
    const [first, second] = this.atWork();
    if (first === undefined) return;
    // One that ends while the other begins must be seen twice.
    if (second !== undefined && this.#fenced === null && this.atWork().length > 1) {
      this.doubles.push(`${first.name} and ${second.name} at ${new Date().toISOString()}`);
    }
    if (this.#last !== null && this.#last !== first && second === undefined) this.changes += 1;
    this.#last = first;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
