/**
 * One headless turn of an agent, for any owner: sent, heard, recorded as it arrives, and reported.
 * Durable: the process waits until it is stored, and reading a stream again leaves the same rows,
 * so the next daemon continues where this one ended.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolCallSubject, toolCallText } from '../../shared/rules/tool-call.ts';
import type { PermissionMode } from '../../shared/schema/tasks/permission-mode.ts';
import type { TaskImage } from '../../shared/schema/tasks/task-input.ts';
import type { Conversations, RunningTurn } from '../agents/headless/conversations.ts';
import type { Ending } from '../agents/headless/end-turn.ts';
import type { TurnWatcher } from '../agents/headless/turn.ts';
import type { TurnOutcome } from '../agents/headless/turn-outcome.ts';
import type { Append, EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { mayBeAlive, type ProcessIdentity } from '../lib/processes/process-identity.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import type { InteractionStore, NewInteraction } from './interaction-store.ts';
import type { TurnEnd, TurnOwner } from './turn-owner.ts';
import { TurnRecorder } from './turn-recorder.ts';

/** Characters of a denied call. */
const DENIED_LENGTH = 300;

export const NOTHING_RAN: Ending = 'none';

/** A turn as its owner stores it before its process is started. */
export interface StoredTurn {
  id: string;
  /** From 1. */
  number: number;
  process: ProcessIdentity | null;
  /** The agent has answered: it got the message. */
  heard: boolean;
}

export interface TurnMessage {
  /** The whole message to the agent. */
  text: string;
  images: TaskImage[];
  /** The daemon's part of it, and a person's; '' without. */
  own: string;
  person: string;
  author: string | null;
}

/** Where and how the agent works. */
export interface TurnSetup {
  cwd: string;
  /** Other directories it may see. */
  others: string[];
  /** Null starts a new conversation. */
  conversationId: string | null;
  permissionMode: PermissionMode;
  /** What needs no permission in that mode, as rules of the client. */
  allow?: string[];
  /** The client's own default unless given. */
  model?: string;
}

export interface RecordedTurnOptions {
  turn: StoredTurn;
  message: TurnMessage;
  owner: TurnOwner;
  conversations: Conversations;
  interactions: InteractionStore;
  usage: UsageLedger;
  log: EventLog;
  clock: Clock;
  logger: Log;
  /** Holds the files of turns; private to the daemon. */
  scratch: string;
}

export class RecordedTurn {
  readonly #options: RecordedTurnOptions;
  readonly #turn: StoredTurn;
  readonly #directory: string;
  readonly #recorder: TurnRecorder;
  #running: RunningTurn | null = null;
  #isHeard: boolean;
  /** It was over when this daemon began to look. */
  #wasOver = false;

  constructor(options: RecordedTurnOptions) {
    const { turn, scratch } = options;
    this.#options = options;
    this.#turn = turn;
    this.#directory = join(scratch, turn.id);
    this.#isHeard = turn.heard;
    this.#recorder = new TurnRecorder(turn.number);
  }

  /** Throws when no process could be started; then nothing has run. */
  send({ cwd, others, conversationId, permissionMode, allow = [], model }: TurnSetup): void {
    const { conversations, message } = this.#options;
    const request = {
      id: this.#turn.id,
      directory: this.#directory,
      cwd,
      message: message.text,
      images: message.images,
      conversationId,
      permissionMode,
      allow,
      ...(model === undefined ? {} : { model }),
      tools: 'all',
      addDirectories: others,
    } as const;
    this.#running = conversations.start(request, this.#watcher());
  }

  /** Continues the same turn, begun by an earlier daemon. */
  adopt(): void {
    const { id, process } = this.#turn;
    this.#wasOver = process !== null && !mayBeAlive(process);
    const adopted = { id, directory: this.#directory, identity: process, offset: 0 };
    this.#running = this.#options.conversations.adopt(adopted, this.#watcher());
  }

  async interrupt(): Promise<void> {
    await this.#running?.interrupt();
  }

  async kill(): Promise<Ending> {
    return (await this.#running?.kill()) ?? NOTHING_RAN;
  }

  /** Stops reading; the agent continues. */
  dispose(): void {
    this.#running = null;
  }

  #watcher(): TurnWatcher {
    const { log, owner, usage } = this.#options;
    return {
      // Not stored is not started: the client waits for this.
      spawned: (process) => owner.spawned(process),
      // A report that throws here comes again.
      events: (events, { line }) => {
        const begun = events.find(({ kind }) => kind === 'init');
        if (begun?.kind === 'init' && !this.#isHeard) {
          owner.heard(begun.conversationId, (append) => {
            this.#recordMessage(append);
            usage.turnHeard(begun.conversationId, owner.work);
          });
          this.#isHeard = true;
        }
        const lines = this.#recorder.take(events, line);
        if (lines.length === 0) return;
        log.write((append) => {
          for (const each of lines) this.#record(append, each);
        });
      },
      ended: (outcome, leftovers) => {
        owner.ended(this.#end(outcome), (append) => {
          this.#finish(append, outcome);
          if (leftovers !== '') this.#recordLeftovers(append, leftovers);
        });
        this.#removeFiles();
      },
    };
  }

  #end(outcome: TurnOutcome): TurnEnd {
    const usage = {
      inputTokens: outcome.usage?.inputTokens ?? 0,
      outputTokens: outcome.usage?.outputTokens ?? 0,
      costUsd: outcome.costUsd ?? 0,
    };
    const denied = outcome.denials.map(deniedText);
    const { context } = outcome;
    if (outcome.ok) return { ok: true, text: outcome.text, usage, denied, context };
    const { delivery: heard, detail, until } = outcome;
    // What left a result has said how it ended.
    const isLost = this.#wasOver && outcome.error === 'crashed' && outcome.usage === null;
    const error = isLost ? 'lost' : outcome.error;
    return { ok: false, error, heard, detail, until, usage, denied, context };
  }

  /** The end of the turn is stored: an exception from now on must not end it a second time. */
  #removeFiles(): void {
    try {
      rmSync(this.#directory, { recursive: true, force: true });
    } catch (error) {
      const { logger } = this.#options;
      logger.warn({ err: error, turn: this.#turn.id }, 'cannot remove the files of a turn');
    }
  }

  /** The sent message, once it is known to be heard, or when that can no longer be known. */
  #recordMessage(append: Append): void {
    const { own, person, author } = this.#options.message;
    const source = (part: string) => `${this.#turn.number}:${part}`;
    if (own !== '') {
      this.#record(append, { source: source('own'), type: 'simulated_human', content: own });
    }
    if (person === '') return;
    const entry = { source: source('person'), type: 'user_request', content: person } as const;
    this.#record(append, { ...entry, author });
  }

  #finish(append: Append, outcome: TurnOutcome): void {
    const { interactions, owner, usage: ledger } = this.#options;
    const { id, number } = this.#turn;
    const { usage, durationMs, costUsd, spent, conversationId: conversation } = outcome;
    ledger.turnEnded({ id, conversation, spent, work: owner.work });
    if (!this.#isHeard && outcome.delivery !== 'not_heard') this.#recordMessage(append);
    if (usage !== null) {
      const taken = { ...usage, durationMs, costUsd: costUsd ?? 0 };
      const last = interactions.addUsage(owner.id, number, taken);
      if (last !== null) append(owner.interactionEvent(last));
    }
    if (outcome.ok || outcome.error === 'interrupted') return;
    const content = `The turn failed (${outcome.error.replaceAll('_', ' ')}): ${outcome.detail}`;
    const line = { source: `${number}:failed`, type: 'system_message', content } as const;
    this.#record(append, { ...line, isError: true });
  }

  #recordLeftovers(append: Append, content: string): void {
    const source = `${this.#turn.number}:left`;
    this.#record(append, { source, type: 'system_message', content, isError: true });
  }

  #record(append: Append, line: Omit<NewInteraction, 'taskId' | 'turn' | 'at'>): void {
    const { interactions, owner, clock } = this.#options;
    const at = toIso(clock.now());
    const stored = interactions.insert({
      ...line,
      taskId: owner.id,
      turn: this.#turn.number,
      at,
    });
    if (stored !== null) append(owner.interactionEvent(stored));
  }
}

/** The tool and what it was called with: `Bash: npm publish`. */
function deniedText({ tool, input }: TurnOutcome['denials'][number]): string {
  const subject = toolCallSubject(toolCallText(tool, input));
  return (subject === '' ? tool : `${tool}: ${subject}`).slice(0, DENIED_LENGTH);
}
