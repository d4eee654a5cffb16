/**
 * What work uses and costs, each part counted once: transcripts of conversations, results of
 * headless turns, totals of status lines. Reads one transcript at a time, and only when asked to.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ModelUsage } from '../agents/headless/stream-result.ts';
import { TranscriptFiles } from '../agents/records/transcript-files.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Serial } from '../lib/serial.ts';
import { ConversationReader, isRead } from './conversation-reader.ts';
import { ConversationStore, type FollowedConversation } from './conversation-store.ts';
import type { Work } from './usage-entry.ts';
import { type CostReading, LedgerWriter } from './ledger-writer.ts';
import { UsageStore } from './usage-store.ts';

export interface UsageLedgerOptions {
  database: Database;
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** Of the terminals. */
  environment: NodeJS.ProcessEnv;
  /** Of a transcript, read in one step; a longer line is skipped. */
  chunkBytes?: number;
}

interface Recovery {
  /** The database came from a backup. */
  isRestored: boolean;
  hasSession: (name: string) => boolean;
}

export class UsageLedger {
  readonly #options: UsageLedgerOptions;
  readonly #conversations: ConversationStore;
  readonly #writer: LedgerWriter;
  readonly #reader: ConversationReader;
  readonly #serial = new Serial();
  #turnsEnded = 0;
  #disposed = false;

  constructor(options: UsageLedgerOptions) {
    const { database, clock, environment, chunkBytes } = options;
    this.#options = options;
    this.#conversations = new ConversationStore(database);
    this.#writer = new LedgerWriter(new UsageStore(database), clock);
    this.#reader = new ConversationReader({
      database,
      conversations: this.#conversations,
      writer: this.#writer,
      files: new TranscriptFiles(environment),
      chunkBytes,
    });
  }

  /** Reads what an earlier daemon left unread. */
  recover({ isRestored, hasSession }: Recovery): void {
    for (const { id, reading, work } of this.#conversations.open()) {
      // No turn of a restored database continues.
      if (isRestored && reading === 'held') this.#conversations.setReading(id, 'lost');
      // What an agent still has is closed when the agent has another one.
      void (isOfSession(work) && hasSession(work.subject.id) ? this.read(id) : this.close(id));
    }
  }

  /**
   * A session's agent has this conversation. False while a headless turn has it: try again later.
   * Messages before `sinceMs` are not counted.
   */
  async follow(id: string, work: Work, sinceMs: number): Promise<boolean> {
    return this.#alone(false, async () => {
      const known = this.#conversations.get(id);
      if (known?.reading === 'live' && isSameWork(known.work, work)) return true;
      if (known?.reading === 'held') return false;
      // What is there already belongs to the work before.
      if (known !== null) await this.#readAll(id);
      this.#conversations.save({ id, work, sinceMs, reading: 'live' });
      await this.#closeOthers(id, work.subject.id);
      return true;
    });
  }

  /** Reads what was appended. */
  async read(id: string): Promise<void> {
    await this.#alone(undefined, async () => this.#readAll(id));
  }

  /**
   * The same at once for all that the agents of a session have written, for what is decided in this
   * moment: also what they wrote while no daemon ran. `named` is the conversation that its agent
   * has now, which no probe may have found yet.
   */
  readNow(session: string, named: Omit<FollowedConversation, 'reading'> | null): void {
    try {
      if (named !== null && this.#conversations.get(named.id) === null) {
        this.#conversations.save({ ...named, reading: 'live' });
        void this.#alone(undefined, async () => this.#closeOthers(named.id, session));
      }
      for (const { id, reading, work } of this.#conversations.open()) {
        if (reading !== 'live' || !isOfSession(work) || work.subject.id !== session) continue;
        const steps = this.#reader.steps(id);
        while (steps.next().done !== true);
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'cannot enter usage');
    }
  }

  /** Reads it a last time: no agent has it any more. */
  async close(id: string): Promise<void> {
    await this.#alone(undefined, async () => this.#closeNow(id));
  }

  /** The same without reading the rest: it is none of our business any more. */
  async drop(id: string): Promise<void> {
    await this.#alone(undefined, async () => {
      if (this.#conversations.get(id)?.reading === 'live') this.#end(id);
      return Promise.resolve();
    });
  }

  addCost(reading: CostReading, work: Work): void {
    this.#options.database.transaction(() => this.#writer.addCost(reading, work));
  }

  /**
   * A model was asked outside of a recorded turn. `id` is unique among all turns. What cannot be
   * stored is lost, and logged.
   */
  addResult(id: string, spent: readonly ModelUsage[], work: Work): void {
    const { database, logger } = this.#options;
    try {
      database.transaction(() => this.#writer.addResult(id, spent, work));
    } catch (error) {
      logger.warn({ err: error, work }, 'cannot enter usage');
    }
  }

  /** Part of the transaction that stores the beginning of a headless turn. */
  turnHeard(id: string, work: Work): void {
    const known = this.#conversations.get(id);
    // What is unread is not of this turn.
    if (known !== null && isRead(known)) {
      const steps = this.#reader.steps(id);
      while (steps.next().done !== true);
      // The transaction may still fail.
      this.#reader.forget(id);
    }
    this.#conversations.save({ id, work, sinceMs: 0, reading: 'held' });
  }

  /** Part of the transaction that stores the end of a headless turn. */
  turnEnded(turn: {
    id: string;
    conversation: string | null;
    spent: readonly ModelUsage[];
    work: Work;
  }): void {
    const { id, conversation, spent, work } = turn;
    this.#writer.addResult(id, spent, work);
    if (conversation === null) return;
    const reading = spent.length === 0 ? 'lost' : 'covered';
    this.#conversations.save({ id: conversation, work, sinceMs: 0, reading });
    this.#turnsEnded += 1;
    void this.read(conversation);
  }

  /** What is unread is read by the next daemon. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#serial.run('', async () => Promise.resolve());
  }

  async #closeNow(id: string): Promise<void> {
    await this.#readAll(id);
    if (!this.#disposed && this.#conversations.get(id)?.reading === 'live') this.#end(id);
  }

  /** Those that the agent of the session left, maybe while no daemon ran. */
  async #closeOthers(id: string, session: string): Promise<void> {
    for (const other of this.#conversations.open()) {
      const isLeft = isOfSession(other.work) && other.work.subject.id === session;
      if (isLeft && other.id !== id && other.reading === 'live') await this.#closeNow(other.id);
    }
  }

  async #readAll(id: string): Promise<void> {
    const conversation = this.#conversations.get(id);
    if (conversation === null || !isRead(conversation)) return;
    let ended: number;
    do {
      ended = this.#turnsEnded;
      const steps = this.#reader.steps(id);
      while (steps.next().done !== true) {
        await yieldToEventLoop();
        if (this.#disposed) return;
      }
      // A turn that ended meanwhile may have written behind what was read.
    } while (ended !== this.#turnsEnded);
    if (wasTurn(this.#conversations.get(id))) this.#end(id);
  }

  #end(id: string): void {
    this.#conversations.setReading(id, 'closed');
    this.#reader.forget(id);
  }

  /** After everything else; `otherwise` when it cannot be stored: the next hint tries again. */
  async #alone<Result>(otherwise: Result, act: () => Promise<Result>): Promise<Result> {
    return this.#serial.run('', async () => {
      if (this.#disposed) return otherwise;
      try {
        return await act();
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'cannot enter usage');
        return otherwise;
      }
    });
  }
}

/** One agent at a time has a conversation of these. A loop has the name of its session. */
function isOfSession({ subject }: Work): boolean {
  return ['session', 'loop', 'found'].includes(subject.kind);
}

function wasTurn(conversation: FollowedConversation | null): boolean {
  return conversation?.reading === 'covered' || conversation?.reading === 'lost';
}

function isSameWork(one: Work, other: Work): boolean {
  const { kind, id } = one.subject;
  return (
    kind === other.subject.kind &&
    id === other.subject.id &&
    one.project === other.project &&
    one.person === other.person
  );
}
