/** Loops of the stand-in that work for hours: one that ends or fails is started again. */
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { Random } from '../../support/house/random.ts';
import type { World } from '../../support/daemon/world.ts';

const STEPS = 40;
const LIMITS = { maxIterations: 100, timeoutMinutes: 600 };
const WORK = [
  { step: 'exec', result: '(mid-exec)', next: 'check' },
  { step: 'check', result: 'CONTINUE', next: 'exec' },
];

interface Desk {
  session: string;
  taskDir: string;
}

export class SoakLoops {
  starts = 0;
  kills = 0;
  readonly #api: ApiClient;
  readonly #random: Random;
  readonly #desks: readonly Desk[];

  constructor(world: World, api: ApiClient, random: Random, count: number, signalMs: number) {
    this.#api = api;
    this.#random = random;
    this.#desks = Array.from({ length: count }, (_, n) => ({
      session: `loop${n}`,
      taskDir: world.taskDir(`loop${n}`, scenario(signalMs)),
    }));
  }

  get sessions(): string[] {
    return this.#desks.map(({ session }) => session);
  }

  /** Starts what does not run, and removes what failed. */
  async keepUp(): Promise<void> {
    const { body } = await this.#api.get('/api/task-auto');
    const loops = body['loops'] as { session_name: string; status: string }[];
    const status = new Map(loops.map((loop) => [loop.session_name, loop.status]));
    for (const { session, taskDir } of this.#desks) {
      const path = `/api/sessions/${session}/task-auto`;
      if (status.get(session) === 'failed') await this.#api.send('DELETE', path);
      if (status.has(session)) continue;
      const answer = await this.#api.startLoop(session, taskDir, LIMITS);
      if (answer.status === 201) this.starts += 1;
      if (answer.status === 404) await this.#api.openSession(session, taskDir);
    }
  }

  killAgent(): void {
    const [pid] = agentsIn(this.#random.pick(this.#desks).taskDir);
    if (pid === undefined) return;
    try {
      process.kill(pid, 'SIGKILL');
      this.kills += 1;
    } catch {
      // It ended since it was listed.
    }
  }

  /** Ends a session with its loop; the next round opens it again. */
  async closeSession(): Promise<void> {
    await this.#api.send('DELETE', `/api/sessions/${this.#random.pick(this.#desks).session}`);
  }
}

function scenario(signalMs: number): object {
  const step = (n: number) => ({
    do: 'step',
    work_ms: signalMs,
    say: [`Update(src/part-${n}.ts)`, `⎿  Added ${n} lines, removed ${n % 7} lines`],
    signal: WORK[n % WORK.length],
  });
  const steps = Array.from({ length: STEPS }, (_, n) => step(n));
  return { status_record: true, after: 'exit', steps };
}
