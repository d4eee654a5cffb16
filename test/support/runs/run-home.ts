/** A daemon with a repository, and runs in it whose agent plays what their prompt instructs. */
import type { Run, RunCheck } from '../../../shared/schema/runs/run.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { gitRepository } from '../git/git-repository.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** A prompt that makes the stand-in play these steps, each in its phase: `in fix turn 1 say …`. */
export function phasedScript(...steps: string[]): string {
  return ['Greet by name.', ...steps.map((step) => `stand-in: ${step}`)].join('\n');
}

export class RunHome {
  readonly world: World;
  readonly repository: string;
  api: ApiClient;

  constructor(world: World, api: ApiClient, name = 'project') {
    this.world = world;
    this.api = api;
    this.repository = gitRepository(world.taskDir(name));
  }

  /** Throws with the answer of the daemon when it refuses. */
  async start(steps: readonly string[] = [], more: object = {}): Promise<Run> {
    const body = { prompt: phasedScript(...steps), cwd: this.repository, ...more };
    const answer = await this.api.send('POST', '/api/runs', body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body as unknown as Run;
  }

  async get(id: string): Promise<Run> {
    return (await this.api.get(`/api/runs/${id}`)).body as unknown as Run;
  }

  async post(id: string, action: string, body: object = {}) {
    return this.api.send('POST', `/api/runs/${id}/${action}`, body);
  }

  async checks(id: string): Promise<RunCheck[]> {
    const { body } = await this.api.get(`/api/runs/${id}/checks`);
    return body['checks'] as RunCheck[];
  }

  async until(id: string, status: Run['status']): Promise<Run> {
    return this.sees(id, `is ${status}`, (run) => run.status === status);
  }

  /** `what` is for the message of a wait that fails. */
  async sees(id: string, what: string, isSo: (run: Run) => boolean): Promise<Run> {
    let seen: unknown;
    const poll = async () => {
      const run = await this.get(id);
      seen = [run.status, run.stage, run.phase, run.iteration, run.reason, run.error];
      return isSo(run) ? run : null;
    };
    return until(`run ${id} ${what}`, poll, () => seen);
  }
}
