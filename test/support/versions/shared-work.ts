/** Tasks of two hosts in clones of one remote: each branch is worked on by one of them at a time. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { until } from '../house/until.ts';
import type { VersionFleet } from './version-fleet.ts';
import type { VersionHost } from './version-host.ts';

/** Plays until it is stopped. */
const ENDLESS = ['hang'];

export class SharedWork {
  readonly #fleet: VersionFleet;

  constructor(fleet: VersionFleet) {
    this.#fleet = fleet;
  }

  /** On each host a task works on a branch, and one of the other host waits for it. */
  async begin(): Promise<void> {
    for (const { asks, shown } of this.#fleet.sides) {
      const branch_name = branchOf(shown);
      await shown.tasks.run('works', ENDLESS, { branch_name });
      await shown.tasks.until('works', 'RUNNING');
      await asks.tasks.run('waits', ENDLESS, { branch_name });
    }
    await this.expectWaiting();
  }

  async expectWaiting(): Promise<void> {
    for (const { asks, shown } of this.#fleet.sides) {
      expect((await shown.tasks.get('works')).status).toBe('RUNNING');
      let seen: unknown;
      await until(
        `the task of ${asks.name} waits for ${shown.name}`,
        async () => {
          const { status, wait } = await asks.tasks.get('waits');
          seen = [status, wait];
          return wait?.reason === 'claimed' && wait.next.includes(`Host ${shown.name} works there`);
        },
        () => seen,
      );
    }
  }

  /** Once the first task is stopped, the one that waited for it works. */
  async takeTurns(): Promise<void> {
    for (const { asks, shown } of this.#fleet.sides) {
      await shown.tasks.post('works', 'stop');
      await asks.tasks.until('waits', 'RUNNING');
    }
  }

  /** A task that is created here for the other host is there, once. */
  async place({ asks, shown }: { asks: VersionHost; shown: VersionHost }): Promise<void> {
    const task_name = `placed-by-${asks.name}`;
    const body = {
      id: randomUUID(),
      task_name,
      description: 'Greet by name.',
      root_folder: asks.tasks.repository,
      placement: { host: shown.name },
      auto_start: false,
    };
    let seen: unknown;
    // Each host learns from the other’s reports which repositories it has.
    await until(
      `${shown.name} gets the task`,
      async () => {
        const { status, body: answer } = await asks.asks(asks).send('POST', '/api/v1/tasks', body);
        seen = [status, answer];
        return status === 200;
      },
      () => seen,
    );
    const { root_folder, placed } = await shown.tasks.get(task_name);
    expect(root_folder).toBe(shown.tasks.repository);
    expect(placed).toMatchObject({ host: shown.name, by: asks.name });
    expect((await asks.tasks.get(task_name)).status).toBeUndefined();
  }
}

function branchOf({ name }: VersionHost): string {
  return `work-of-${name}`;
}
