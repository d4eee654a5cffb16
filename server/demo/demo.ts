/** A loop of the stand-in agent in its own directory and session: no account, nothing spent. */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEMO_SESSION, DEMO_TASK } from '../../shared/rules/demo.ts';
import { demoScenario } from './demo-scenario.ts';
import type { ActionResult } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { randomId } from '../lib/random-id.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AutoLoops } from '../auto/auto-loops.ts';
import type { LoopState } from '../auto/machine/loop-state.ts';

const TARGET = `# Greet by name

The command line tool says "Hello". It should say "Hello, NAME" when a name is given.
`;

/** Above what the demo needs, close enough that its meters move. */
const LIMITS = { maxIterations: 12, timeoutMinutes: 10 };

export class Demo {
  readonly #loops: AutoLoops;
  readonly #sessions: Sessions;
  readonly #directory: string;
  readonly #pace: number;

  /** `pace` is 1 for what a person can follow, less for faster. */
  constructor(options: { loops: AutoLoops; sessions: Sessions; home: string; pace: number }) {
    this.#loops = options.loops;
    this.#sessions = options.sessions;
    this.#directory = join(options.home, 'demo');
    this.#pace = options.pace;
  }

  /**
   * Starts the demo from its beginning for `author`; throws `task_dir_busy` while one runs, and
   * `session_exists` while another session has its name.
   */
  async start(author?: string): Promise<ActionResult<LoopState>> {
    await this.#clearSession(author);
    // Earlier demos left nothing of use.
    rmSync(this.#directory, { recursive: true, force: true });
    const taskDir = join(this.#directory, randomId(), ...DEMO_TASK.split('/'));
    mkdirSync(taskDir, { recursive: true, mode: 0o700 });
    writeFileAtomic(taskDir, '.target.md', TARGET);
    // In the directory, so that an agent restarted after a crash continues with the same one.
    writeFileAtomic(taskDir, 'stand-in.json', JSON.stringify(demoScenario(this.#pace)));
    await this.#sessions.create(DEMO_SESSION, taskDir, true, author);
    return this.#loops.start(DEMO_SESSION, { taskDir, ...LIMITS }, author, 'stand-in');
  }

  async #clearSession(author?: string): Promise<void> {
    if (!this.#sessions.has(DEMO_SESSION)) return;
    const { owner, cwd } = this.#sessions.get(DEMO_SESSION);
    if (!this.#isOurs(cwd)) {
      const next = 'close or rename it';
      throw new AppError('session_exists', `a session named "demo" already exists; ${next}`);
    }
    if (owner !== null) {
      throw new AppError('task_dir_busy', 'the demo is already running in the session "demo"');
    }
    await this.#sessions.close(DEMO_SESSION, author);
  }

  /** Whether an earlier demo opened the session, by its directory. */
  #isOurs(cwd: string): boolean {
    try {
      return cwd.startsWith(`${realpathSync(dirname(this.#directory))}/demo/`);
    } catch {
      return false;
    }
  }
}
