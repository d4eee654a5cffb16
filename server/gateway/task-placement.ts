/**
 * Creates a task on the host of the fleet that suits it best, or on a named one: once, also when
 * answers are lost. The decision is stored before the chosen host is asked, and a request that is
 * repeated goes to the same host, which knows the task by its id.
 */
import { randomUUID } from 'node:crypto';
import { ANY_HOST } from '../../shared/rules/any-host.ts';
import { ErrorBody, errorTraits } from '../../shared/schema/errors.ts';
import type { HostFacts } from '../../shared/schema/fleet.ts';
import type { Placed, Placement } from '../../shared/schema/tasks/placement.ts';
import { type CreateTask, Task } from '../../shared/schema/tasks/task.ts';
import { judgedHostText } from '../../shared/words/work/placement-text.ts';
import type { Carrier } from '../fleet/carrier.ts';
import type { FleetHosts } from '../fleet/hosts.ts';
import { placeTask } from '../fleet/place-task.ts';
import { PlacementCandidates } from '../fleet/placement-candidates.ts';
import type { PlacementRecord, PlacementStore } from '../fleet/placement-store.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { contentHash } from '../lib/files/content-hash.ts';
import { Serial } from '../lib/serial.ts';
import { within } from '../lib/within.ts';
import type { Identity } from '../people/identity.ts';
import { askHost } from './ask-host.ts';

/** For the rest of an answer that has begun. */
const BODY_MS = 30_000;
const SHOWN_HOSTS = 64;

export interface PlacementOptions {
  clock: Clock;
  store: PlacementStore;
  /** Null: this host is alone. */
  fleet: {
    id: string;
    name: string;
    carrier: Carrier;
    hosts: FleetHosts;
    self: () => HostFacts;
  } | null;
  /** Of this host. */
  tasks: {
    create: (request: CreateTask, author: string, placed: Placed) => Promise<Task>;
    repositoriesOf: (request: CreateTask) => Promise<{ path: string; key: string | null }[]>;
  };
}

/** Who asks. */
export interface PlacementCaller {
  identity: Identity;
  authorization: string | null;
  signal: AbortSignal;
}

type Fleet = NonNullable<PlacementOptions['fleet']>;
type Content = Omit<CreateTask, 'id' | 'placement' | 'handover'>;

export class TaskPlacement {
  readonly #options: PlacementOptions;
  readonly #serial = new Serial();
  readonly #candidates: PlacementCandidates;

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#candidates = new PlacementCandidates(options.clock);
  }

  /**
   * Throws `no_host_fits`, `task_id_taken`, `host_unknown`, `outcome_unknown` when it may have been
   * created, with the id to repeat it with, and what the chosen host refuses.
   */
  async create(
    { id = randomUUID(), placement, handover: _, ...content }: CreateTask,
    asked: Placement,
    caller: PlacementCaller,
  ): Promise<Task> {
    const { fleet } = this.#options;
    if (fleet === null) {
      const next = 'leave out the host, or make a fleet with: loopwatch fleet init';
      throw new AppError('no_host_fits', `this host is in no fleet; ${next}`);
    }
    const hash = contentHash({ placement, content });
    return this.#serial.run(id, async () => {
      const known = this.#options.store.get(id);
      if (known === null) return this.#decide(fleet, { id, hash, asked, content }, caller);
      if (known.hash === hash) return this.#send(fleet, known, content, caller);
      const next = 'send another id for another task';
      throw new AppError('task_id_taken', `that id belongs to a different request; ${next}`);
    });
  }

  async #decide(
    fleet: Fleet,
    { id, hash, asked, content }: { id: string; hash: string; asked: Placement; content: Content },
    caller: PlacementCaller,
  ): Promise<Task> {
    const { store, clock, tasks } = this.#options;
    const { name, hosts, carrier, self } = fleet;
    const isKnown = [ANY_HOST, name].includes(asked.host) || hosts.byName(asked.host) !== null;
    if (!isKnown) {
      const message = 'no host of that name; list them with: GET /api/hosts';
      throw new AppError('host_unknown', message, { host: asked.host });
    }
    const repositories = await tasks.repositoriesOf(content);
    const silent = new Set<string>();
    for (;;) {
      const decision = placeTask(
        {
          ...asked,
          repositories: repositories.map(({ key }) => key),
          hasDependencies: content.depends_on.length > 0,
          isOfHome: caller.identity.id === null,
        },
        this.#candidates.list(self(), hosts, { isConnected: carrier.isConnected, silent }),
      );
      const [best] = decision.hosts;
      if (decision.host === null || best === undefined) throw noneFits(decision.hosts);
      const record: PlacementRecord = {
        id,
        hash,
        host: decision.host,
        handover: {
          placed: {
            asked,
            by: name,
            at: toIso(clock.now()),
            host: best.name,
            hosts: decision.hosts.slice(0, SHOWN_HOSTS),
          },
          repositories: repositories.flatMap(({ path, key }) =>
            key === null ? [] : [{ path, key }],
          ),
        },
      };
      store.save(record);
      try {
        return await this.#send(fleet, record, content, caller);
      } catch (error) {
        if (mayBeDone(error)) throw error;
        store.remove(id);
        if (!(error instanceof AppError) || error.code !== 'host_unreachable') throw error;
        if (asked.host !== ANY_HOST) throw unanswered(best.name);
        silent.add(decision.host);
      }
    }
  }

  async #send(
    fleet: Fleet,
    { id, host, handover }: PlacementRecord,
    content: Content,
    caller: PlacementCaller,
  ): Promise<Task> {
    const { clock, tasks } = this.#options;
    const { identity, authorization, signal } = caller;
    if (host === fleet.id) {
      return tasks.create({ ...content, id }, identity.name, handover.placed);
    }
    // The first is that of its root.
    const root_folder = handover.repositories[0]?.path ?? null;
    const sent = { ...content, id, handover, root_folder, project_path: null };
    const to = { id: host, name: handover.placed.host };
    try {
      const answer = await askHost(fleet.carrier, clock, to, {
        head: {
          kind: 'request',
          method: 'POST',
          target: '/api/v1/tasks',
          headers: [
            ['content-type', 'application/json'],
            ...(authorization === null || identity.id === null
              ? []
              : [['authorization', authorization] as const]),
          ],
        },
        body: Buffer.from(JSON.stringify(sent)),
        identity,
        signal,
        waitMs: 0,
      });
      const task = await readTask(clock, answer, to.name);
      if (content.auto_start) this.#candidates.sent(host);
      return task;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'outcome_unknown') throw error;
      const message = `host ${to.name} did not answer in time: the task may have been created. Repeat the request with the id ${id}: it is created once`;
      throw new AppError('outcome_unknown', message, { host: to.name, id });
    }
  }
}

/** Throws what the host refused, and `outcome_unknown` for an answer that cannot be read. */
async function readTask(clock: Clock, answer: Response, host: string): Promise<Task> {
  const read = await within<unknown>(clock, BODY_MS, answer.json());
  // A newer host may answer with values that this version does not know: it passes them on.
  const isTask = Task.pick({ task_name: true }).safeParse(read?.answer).success;
  if (answer.status === 200 && isTask) return read?.answer as Task;
  const refusal = ErrorBody.safeParse(read?.answer).data?.error;
  if (refusal === undefined) throw new AppError('outcome_unknown', 'the answer cannot be read');
  const details = { ...refusal.details, host };
  throw new AppError(refusal.code, `host ${host}: ${refusal.message}`, details);
}

/** A host that cannot be reached was not asked; what is refused was not done. */
function mayBeDone(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  return error.code !== 'host_unreachable' && errorTraits(error.code).status >= 500;
}

function unanswered(host: string): AppError {
  const message = `host ${host} does not answer, and nothing was created; check its daemon and its network`;
  return new AppError('host_unreachable', message, { host });
}

function noneFits(hosts: Placed['hosts']): AppError {
  const each = hosts.map((host) => `${host.name}: ${judgedHostText(host)}`).join('; ');
  return new AppError('no_host_fits', `no host fits. ${each}`, { hosts });
}
