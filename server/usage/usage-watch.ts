/**
 * Decides when the usage of sessions is read: when the state of an agent changes, when its
 * conversation ends, and once a minute while it works. Follows what the monitor sees anyway and has
 * no timer of its own.
 */
import type { StatusLine } from '../agents/records/status-line.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import type { Work } from './usage-entry.ts';
import type { UsageLedger } from './usage-ledger.ts';

/** The agent in the foreground of a session. */
export interface ObservedAgent {
  process: ProcessIdentity;
  /** As its record or its hooks name it. */
  conversation: string | null;
  statusLine: StatusLine | null;
}

interface WatchedSession {
  conversation: string;
  work: Work;
  /** Monotonic time of the last reading. */
  readAtMs: number;
  costUsd: number | null;
}

export interface UsageWatchOptions {
  ledger: UsageLedger;
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** What the agent of a session works on, and since when; null when the session has ended. */
  workOf: (session: string) => { work: Work; sinceMs: number } | null;
}

const WHILE_WORKING_MS = 60_000;

export class UsageWatch {
  readonly #options: UsageWatchOptions;
  readonly #sessions = new Map<string, WatchedSession>();

  constructor(options: UsageWatchOptions) {
    this.#options = options;
  }

  /**
   * After each probe of an agent. Its status line names the conversation too: the first hook of an
   * agent that began while no daemon listened is lost, and the next one may be hours away.
   */
  seen(session: string, { process, conversation: named, statusLine }: ObservedAgent): void {
    const conversation = named ?? statusLine?.sessionId ?? null;
    if (conversation === null) return;
    const known = this.#sessions.get(session);
    if (known?.conversation !== conversation) this.#begin(session, conversation);
    else if (this.#options.clock.monotonic() - known.readAtMs >= WHILE_WORKING_MS) {
      this.#read(session, known);
    }
    this.#takeCost(this.#sessions.get(session), process, statusLine);
  }

  /** The state of its agent changed: a turn began or ended, or the agent did. */
  changed(session: string): void {
    const known = this.#sessions.get(session);
    if (known !== undefined) this.#read(session, known);
  }

  ended(session: string): void {
    const known = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (known !== undefined) void this.#options.ledger.close(known.conversation);
  }

  /** The same without reading the rest. */
  dropped(session: string): void {
    const known = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (known !== undefined) void this.#options.ledger.drop(known.conversation);
  }

  #begin(session: string, conversation: string): void {
    this.ended(session);
    const about = this.#options.workOf(session);
    if (about === null) return;
    const watched = { conversation, work: about.work, readAtMs: 0, costUsd: null };
    this.#sessions.set(session, watched);
    this.#read(session, watched);
  }

  #read(session: string, watched: WatchedSession): void {
    const { ledger, clock, workOf } = this.#options;
    watched.readAtMs = clock.monotonic();
    const about = workOf(session);
    if (about === null) return;
    watched.work = about.work;
    void ledger
      .follow(watched.conversation, about.work, about.sinceMs)
      .then(async (isFollowed) => (isFollowed ? ledger.read(watched.conversation) : undefined));
  }

  #takeCost(
    watched: WatchedSession | undefined,
    process: ProcessIdentity,
    statusLine: StatusLine | null,
  ): void {
    const totalUsd = statusLine?.costUsd ?? null;
    if (watched === undefined || totalUsd === null || totalUsd === watched.costUsd) return;
    const conversation = statusLine?.sessionId ?? watched.conversation;
    const model = statusLine?.modelId ?? null;
    try {
      this.#options.ledger.addCost({ conversation, process, model, totalUsd }, watched.work);
      watched.costUsd = totalUsd;
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'cannot enter the cost of a session');
    }
  }
}
