/** A loop of the stand-in agent in a directory and session of its own: no account, nothing spent. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
  DEMO_SESSION,
} from '../../shared/requests.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { randomId } from '../lib/random-id.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AutoLoops } from './auto-loops.ts';
import type { LoopState } from './machine/loop-state.ts';

const TARGET = `# Greet by name

The command line tool says "Hello". It should say "Hello, NAME" when a name is given.
`;

export class Demo {
  readonly #loops: AutoLoops;
  readonly #sessions: Sessions;
  readonly #home: string;

  constructor(options: { loops: AutoLoops; sessions: Sessions; home: string }) {
    this.#loops = options.loops;
    this.#sessions = options.sessions;
    this.#home = options.home;
  }

  /** Starts the demo from its beginning for `author`; throws `task_dir_busy` while one runs. */
  async start(author?: string): Promise<LoopState> {
    if (this.#sessions.has(DEMO_SESSION)) {
      if (this.#sessions.get(DEMO_SESSION).owner !== null) {
        throw new AppError('task_dir_busy', 'the demo runs already, in the session "demo"');
      }
      await this.#sessions.close(DEMO_SESSION, author);
    }
    // What earlier demos left is of no use to anybody.
    rmSync(join(this.#home, 'demo'), { recursive: true, force: true });
    const taskDir = join(this.#home, 'demo', randomId(), 'AiTasks', 'greet-by-name');
    mkdirSync(taskDir, { recursive: true, mode: 0o700 });
    writeFileAtomic(taskDir, '.target.md', TARGET);
    await this.#sessions.create(DEMO_SESSION, taskDir, true, author);
    const limits = {
      maxIterations: DEFAULT_MAX_ITERATIONS,
      timeoutMinutes: DEFAULT_TIMEOUT_MINUTES,
    };
    return this.#loops.start(DEMO_SESSION, { taskDir, ...limits }, author, 'stand-in');
  }
}
