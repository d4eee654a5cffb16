/** Headless turns of the stand-in, in their own directory, and what their watcher received. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AdoptedTurn,
  Conversations,
  type RunningTurn,
  type TurnRequest,
} from '../../../server/agents/headless/conversations.ts';
import type { LineEnd } from '../../../server/agents/headless/line-splitter.ts';
import type { StreamEvent } from '../../../server/agents/headless/stream-event.ts';
import type { TurnWatcher } from '../../../server/agents/headless/turn.ts';
import type { TurnOutcome } from '../../../server/agents/headless/turn-outcome.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { ProcessIdentity } from '../../../server/lib/processes/process-identity.ts';
import { randomId } from '../../../server/lib/random-id.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { until } from '../house/until.ts';

export const STAND_IN = [process.execPath, join(packageRoot(), 'dist/stand-in/main.js')] as const;

type Options = ConstructorParameters<typeof Conversations>[0];

/** Everything a watcher received so far. */
export class TurnRecorder implements TurnWatcher {
  identity: ProcessIdentity | null = null;
  readonly lines: { events: readonly StreamEvent[]; at: LineEnd }[] = [];
  readonly outcomes: TurnOutcome[] = [];

  spawned(identity: ProcessIdentity): void {
    this.identity = identity;
  }

  events(events: readonly StreamEvent[], at: LineEnd): void {
    this.lines.push({ events, at });
  }

  ended(outcome: TurnOutcome): void {
    this.outcomes.push(outcome);
  }

  get all(): StreamEvent[] {
    return this.lines.flatMap(({ events }) => events);
  }

  async heard(kind: StreamEvent['kind']): Promise<void> {
    await until(`an event ${kind}`, () => this.all.some((event) => event.kind === kind));
  }

  async outcome(): Promise<TurnOutcome> {
    return until('an outcome', () => this.outcomes[0]);
  }
}

export class Talk {
  readonly root = mkdtempSync(join(TEST_ROOT, 't'));
  readonly cwd = join(this.root, 'work');
  readonly config = join(this.root, 'claude');
  readonly #opened: Conversations[] = [];

  constructor() {
    mkdirSync(this.cwd);
  }

  get options(): Options {
    const environment = {
      PATH: process.env['PATH'],
      HOME: this.root,
      CLAUDE_CONFIG_DIR: this.config,
    };
    const logger = { warn: () => undefined };
    const quick = { pollMs: 50, resultGraceMs: 200, killGraceMs: 500 };
    return { command: STAND_IN, environment, clock: systemClock, logger, ...quick };
  }

  open(more: Partial<Options> = {}): Conversations {
    const conversations = new Conversations({ ...this.options, ...more });
    this.#opened.push(conversations);
    return conversations;
  }

  request(message: string, more: Partial<TurnRequest> = {}): TurnRequest {
    const id = randomId();
    return {
      id,
      directory: join(this.root, 'turns', id),
      cwd: this.cwd,
      message,
      conversationId: null,
      permissionMode: 'acceptEdits',
      tools: 'all',
      addDirectories: [],
      ...more,
    };
  }

  /** `recorder` receives its events. */
  start(
    request: TurnRequest,
    recorder = new TurnRecorder(),
    conversations = this.open(),
  ): { turn: RunningTurn; recorder: TurnRecorder } {
    return { turn: conversations.start(request, recorder), recorder };
  }

  /** Sends it as a turn of its own; returns the outcome. */
  async say(message: string, more: Partial<TurnRequest> = {}): Promise<TurnOutcome> {
    return this.start(this.request(message, more)).recorder.outcome();
  }

  /** Adopts a turn as the next daemon does. */
  adopt(turn: AdoptedTurn): { turn: RunningTurn; recorder: TurnRecorder } {
    const recorder = new TurnRecorder();
    return { turn: this.open().adopt(turn, recorder), recorder };
  }

  /** Arguments of every client that ran, in order. */
  calls(): string[][] {
    try {
      return readFileSync(join(this.config, 'stand-in-calls.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { argv: string[] }).argv);
    } catch {
      return [];
    }
  }

  [Symbol.dispose](): void {
    for (const conversations of this.#opened) conversations.dispose();
    rmSync(this.root, { recursive: true, force: true });
  }
}
