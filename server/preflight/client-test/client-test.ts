/**
 * Starts the agent's client in a scratch directory, without an account or a model, and says which
 * of its states still read right. Nothing of the user's is read, typed into or changed.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestedClient } from '../../../shared/schema/agents/client-versions.ts';
import { writeScratchClient } from '../../agents/launch/scratch-client.ts';
import { isQuotable } from '../../agents/agents.ts';
import { AgentRecords } from '../../agents/records/agent-records.ts';
import { AppError, messageOf } from '../../lib/app-error.ts';
import { type Clock, toIso } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { randomId } from '../../lib/random-id.ts';
import { AgentWatch } from '../../sessions/watching/agent-watch.ts';
import type { TerminalHost } from '../../terminals/terminal.ts';
import { playClient } from './play-client.ts';

/** Nothing listens there: each request of the client fails at once. */
const NO_MODEL = 'http://127.0.0.1:9';

export interface ClientTestOptions {
  host: TerminalHost;
  /** Of the daemon. */
  home: string;
  /** As the terminals find it. */
  program: string;
  clock: Clock;
  logger: Log;
}

export class ClientTest {
  readonly #options: ClientTestOptions;
  readonly #ended = new AbortController();
  #running: Promise<TestedClient> | null = null;

  constructor(options: ClientTestOptions) {
    this.#options = options;
  }

  /** One at a time: a second caller gets the result of the first. Rejects when it is disposed. */
  async run(): Promise<TestedClient> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Ends what a daemon that was killed left behind. */
  async recover(): Promise<void> {
    for (const name of namesIn(this.#directory)) await this.#remove(name);
  }

  async dispose(): Promise<void> {
    this.#ended.abort();
    await this.#running?.catch(() => undefined);
  }

  get #directory(): string {
    return join(this.#options.home, 'client-tests');
  }

  async #run(): Promise<TestedClient> {
    // The directory names the terminal, for a daemon that has to end it later.
    const name = `client-test-${randomId().slice(0, 12)}`;
    try {
      return await this.#play(name);
    } finally {
      await this.#remove(name);
    }
  }

  async #play(name: string): Promise<TestedClient> {
    const { host, program, clock } = this.#options;
    const root = join(this.#directory, name);
    const [config, work] = [join(root, 'config'), join(root, 'work')];
    mkdirSync(work, { recursive: true, mode: 0o700 });
    const places = { config, state: config, projects: [work] };
    const environment = { CLAUDE_CONFIG_DIR: config, ...writeScratchClient(places, NO_MODEL) };
    if (![program, ...Object.values(environment)].every(isQuotable))
      throw new AppError(
        'terminal_failed',
        `${root} cannot be typed into a shell; set LOOPWATCH_HOME to a plainer path`,
      );
    const identity = await host.open(name, work);
    const watch = new AgentWatch({
      terminal: {
        foreground: () => host.foreground(identity),
        snapshot: async () => host.screen(name, identity),
        changedAt: () => host.changedAt(identity),
      },
      records: new AgentRecords({ program, environment }),
      clock,
      careful: () => null,
      changed: () => undefined,
    });
    try {
      const variables = Object.entries(environment).map(([key, value]) => `${key}="${value}"`);
      const line = `${variables.join(' ')} "${program}"`;
      const stage = { host, name, identity, watch, line, clock, signal: this.#ended.signal };
      const { version, steps } = await playClient(stage);
      return { version, test: { at: toIso(clock.now()), steps } };
    } finally {
      watch.end();
    }
  }

  async #remove(name: string): Promise<void> {
    const { host, logger } = this.#options;
    try {
      const left = await host.close(name, await host.find(name));
      if (left.length > 0) logger.warn({ left }, 'a client test left processes');
      rmSync(join(this.#directory, name), { recursive: true, force: true });
    } catch (error) {
      logger.warn({ err: messageOf(error), name }, 'a client test could not be removed');
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
