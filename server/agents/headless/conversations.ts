/**
 * Headless conversations: each turn is one process of the client that writes to files, so that it
 * continues without us and the next daemon adopts it. Decision 24 says why.
 */
import { closeSync } from 'node:fs';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Ending } from './end-turn.ts';
import { type AtGate, spawnTurn } from './spawn-turn.ts';
import { Turn, type TurnOptions, type TurnWatcher } from './turn.ts';
import { type TurnMessage, turnCommand } from './turn-command.ts';
import { TurnFiles } from './turn-files.ts';
import { TURN_VARIABLE } from './turn-processes.ts';

export interface TurnRequest extends TurnMessage {
  /** Unique among all turns ever: every process of the turn carries it. */
  id: string;
  /** For this turn alone; it must not exist. */
  directory: string;
  cwd: string;
}

/** A turn that another daemon started. */
export interface AdoptedTurn {
  id: string;
  directory: string;
  /** As passed to `spawned`; null when it was never stored. */
  identity: ProcessIdentity | null;
  /** The end of the last line whose events were stored; 0 for none. */
  offset: number;
}

export interface RunningTurn {
  identity: ProcessIdentity | null;
  /** Resolves when the outcome was reported, or reading stopped. */
  over: Promise<void>;
  interrupt(): Promise<Ending>;
  kill(): Promise<Ending>;
}

interface ConversationOptions extends Pick<TurnOptions, 'clock' | 'logger'> {
  /** The client's program, and arguments that come before all others. */
  command: readonly [string, ...string[]];
  /** The client's environment, without our secrets. */
  environment: NodeJS.ProcessEnv;
  pollMs?: number;
  resultGraceMs?: number;
  backgroundGraceMs?: number;
  killGraceMs?: number;
}

export class Conversations {
  readonly #options: ConversationOptions;
  readonly #turnOptions: TurnOptions;
  readonly #turns = new Set<Turn>();

  constructor(options: ConversationOptions) {
    const { clock, logger, pollMs = 2_000, resultGraceMs = 10_000 } = options;
    const { backgroundGraceMs = 10 * 60_000, killGraceMs = 5_000 } = options;
    this.#options = options;
    const graces = { resultGraceMs, backgroundGraceMs, killGraceMs };
    this.#turnOptions = { clock, logger, pollMs, ...graces };
  }

  /** When it throws, the system's error or that of `spawned`, nothing has run and nothing will. */
  start(request: TurnRequest, watcher: TurnWatcher): RunningTurn {
    const { id, cwd, directory } = request;
    const { args, input } = turnCommand(request);
    const [program, ...before] = this.#options.command;
    const files = new TurnFiles(directory);
    const opened = files.create(input);
    let gate: AtGate | null = null;
    try {
      const environment = { ...this.#options.environment, [TURN_VARIABLE]: id };
      const command = { program, args: [...before, ...args], cwd, environment };
      gate = spawnTurn({ ...command, ...opened, started: files.started });
      watcher.spawned(gate.identity);
    } catch (error) {
      gate?.close();
      files.remove();
      throw error;
    } finally {
      closeSync(opened.stdout);
      closeSync(opened.stderr);
    }
    const { identity, child } = gate;
    gate.open();
    const parts = { id, files, identity, child, knownOffset: 0, watcher };
    return this.#follow(new Turn(parts, this.#turnOptions));
  }

  /** Continues reading a turn, running or ended, at the stored offset, and reports its end. */
  adopt(turn: AdoptedTurn, watcher: Omit<TurnWatcher, 'spawned'>): RunningTurn {
    const { id, identity, offset: knownOffset } = turn;
    const files = new TurnFiles(turn.directory);
    return this.#follow(
      new Turn({ id, files, identity, child: null, knownOffset, watcher }, this.#turnOptions),
    );
  }

  /** Stops reading. Every turn continues on its own. */
  dispose(): void {
    for (const turn of this.#turns) turn.dispose();
  }

  #follow(turn: Turn): RunningTurn {
    this.#turns.add(turn);
    void turn.over.then(() => this.#turns.delete(turn));
    turn.start();
    return turn;
  }
}
