/**
 * Reads what events changed, where the daemon does not send it behind them: over long polling, from
 * an older daemon, after the agent of a loop changed, and once the time has come that a wait names.
 */
import type { Rest } from '$lib/client/rest.ts';
import { touchesInbox } from '$shared/rules/events/event-reach.ts';
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Loop } from '$shared/schema/model.ts';
import { coalesceReads } from './coalesce.ts';
import { DueReads } from './due-reads.ts';
import type { LiveWork } from './live-work.ts';
import { OPEN_ITEMS } from './read-work.ts';

/** A burst of events is followed by one read. */
const READ_DELAY_MS = 50;

export interface WorkReaderOptions {
  rest: Rest;
  work: () => LiveWork;
  /** Null: it has ended. */
  setLoop: (session: string, loop: Loop | null) => void;
  setOpenItems: (open: readonly AttentionItem[]) => void;
}

export class WorkReader {
  readonly #options: WorkReaderOptions;
  readonly #readLoop: (session: string) => void;
  readonly #readInbox: (key: string) => void;
  readonly #dueReads = new DueReads((session) => this.#readLoop(session));

  constructor(options: WorkReaderOptions) {
    this.#options = options;
    this.#readLoop = coalesceReads(
      READ_DELAY_MS,
      async (session) => ({ beganAt: Date.now(), loop: await this.#fetchLoop(session) }),
      (session, { beganAt, loop }) => {
        const known = options.work().loops[session];
        // A view came meanwhile, and may be newer than the answer.
        if (known !== undefined && known.readAt >= beganAt) this.#readLoop(session);
        else options.setLoop(session, loop);
      },
    );
    this.#readInbox = coalesceReads(
      READ_DELAY_MS,
      async () => ({
        before: options.work().inbox,
        items: (await options.rest.call('listAttention', { query: OPEN_ITEMS })).items,
      }),
      (_, { before, items }) => {
        if (options.work().inbox === before) options.setOpenItems(items);
        else this.readInbox();
      },
    );
  }

  /** Reads what the event changed; `hasViews`: except for what follows it. */
  after(event: EventRecord, hasViews: boolean): void {
    const session = touchedLoop(this.#options.work(), event, hasViews);
    if (session !== null) this.#readLoop(session);
    if (!hasViews && touchesInbox(event.type)) this.readInbox();
  }

  /** Reads the loop again once its wait is due: no event says what follows then. */
  followDue(session: string, loop: Loop | null): void {
    this.#dueReads.follow(session, loop?.wait?.until ?? null);
  }

  readInbox(): void {
    this.#readInbox('inbox');
  }

  stop(): void {
    this.#dueReads.stop();
  }

  async #fetchLoop(session: string): Promise<Loop | null> {
    const { rest, work } = this.#options;
    const loop =
      work().sessions[session] === undefined
        ? (await rest.call('listAuto')).loops.find((other) => other.session_name === session)
        : await rest.call('getAuto', { session });
    return loop === undefined || loop.status === 'stopped' ? null : loop;
  }
}

/** The session whose loop must be read again after the event, or null. */
export function touchedLoop(
  { loops }: LiveWork,
  { type, session = '' }: EventRecord,
  hasViews: boolean,
): string | null {
  // A loop inherits its agent's wait without an event of its own, and a little later.
  if (type === 'session.agent_changed') return loops[session] === undefined ? null : session;
  return type.startsWith('auto.') && !hasViews ? session : null;
}
