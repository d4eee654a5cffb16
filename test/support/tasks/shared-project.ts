/** One project on several hosts: a remote, and a clone at another path on each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../../shared/schema/tasks/task.ts';
import { type Answer, ApiClient } from '../daemon/api-client.ts';
import { type FleetHost, OWNER_TOKEN } from '../fleet/fleet-world.ts';
import { git, gitRepository } from '../git/git-repository.ts';
import type { MemoryFleet } from '../fleet/memory-carrier.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

export class SharedProject implements Disposable {
  readonly #root = mkdtempSync(join(TEST_ROOT, 'p'));
  readonly #origin = join(this.#root, 'origin.git');

  constructor() {
    const first = gitRepository(join(this.#root, 'first'));
    git(this.#root, 'clone', '--quiet', '--bare', first, this.#origin);
  }

  /** The directory of a clone below the root of that world. */
  clone(world: World, path: string): string {
    const directory = world.taskDir(path);
    git(this.#root, 'clone', '--quiet', this.#origin, directory);
    return directory;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Asks a host to create a task somewhere in the fleet, as a person whom all hosts know. */
export async function place(
  url: string,
  task_name: string,
  more: object,
  token = OWNER_TOKEN,
): Promise<Answer> {
  const body = { task_name, description: 'Greet by name.', ...more };
  return new ApiClient(url, token).send('POST', '/api/v1/tasks', body);
}

/** The tasks with that name on each host. */
export async function tasksNamed(
  hosts: readonly Pick<FleetHost, 'api'>[],
  name: string,
): Promise<Task[][]> {
  return Promise.all(
    hosts.map(async ({ api }) => {
      const { body } = await api.get(`/api/v1/tasks?name_filter=${name}&limit=1000`);
      return (body as unknown as Task[]).filter(({ task_name }) => task_name === name);
    }),
  );
}

/** Until the others heard which repositories that host has. */
export async function saysRepositories(
  carried: MemoryFleet,
  { id }: Pick<FleetHost, 'id'>,
): Promise<void> {
  await until('the host says which repositories it has', () => {
    const facts = carried.presence.get(id)?.facts;
    return facts !== undefined && facts.repositories.length > 0;
  });
}
