/** Hosts of one fleet with clones of one remote, and tasks on its branches. */
import { git } from '../git/git-repository.ts';
import type { FleetHost } from './fleet-world.ts';
import { TaskHome } from '../tasks/task-home.ts';
import { until } from '../house/until.ts';

/** The ways in which people write one remote. */
export const SPELLINGS = ['git@example.com:team/app.git', 'https://example.com/team/app'] as const;

export class SharedBranch {
  readonly host: FleetHost;
  readonly tasks: TaskHome;

  constructor(host: FleetHost, remote: string, name = 'project') {
    this.host = host;
    this.tasks = new TaskHome(host.world, host.api, name);
    git(this.tasks.repository, 'remote', 'add', 'origin', remote);
  }

  /** A task that works until it is stopped. */
  async begin(name: string, branch: string): Promise<void> {
    await this.tasks.run(name, ['hang'], { branch_name: branch });
  }

  async waits(name: string, reason: string): Promise<{ next: string }> {
    let seen: unknown;
    return until(
      `${name} waits: ${reason}`,
      async () => {
        const { wait, status } = await this.tasks.get(name);
        seen = [status, wait];
        return wait?.reason === reason ? { next: wait.next } : null;
      },
      () => seen,
    );
  }

  async claims(): Promise<{ key: string; name: string; work: string; revision: number }[]> {
    const { body } = await this.host.api.get('/api/fleet/claims');
    return body['claims'] as { key: string; name: string; work: string; revision: number }[];
  }

  async release(claim: { key: string; revision: number } | undefined) {
    const { key = '', revision = 0 } = claim ?? {};
    return this.host.api.send('POST', '/api/fleet/claims/release', { key, revision });
  }

  /** Whether a process of its agent runs now. */
  async isAtWork(name: string): Promise<boolean> {
    return (await this.tasks.get(name)).process_running;
  }
}
