/**
 * Who asked here for the tickets of other hosts: what such a ticket opens through this host ends with
 * their access to it.
 */
import { z } from 'zod';
import type { Clock } from '../lib/clock.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { Identity } from '../people/identity.ts';
import { hashSecret } from '../people/one-time-secrets.ts';

/** A little longer than hosts accept a ticket. */
const KEPT_MS = 60_000;
/** Beyond it the oldest no longer works. */
const MAX_TICKETS = 10_000;

const TicketAnswer = z.object({ ticket: z.string().max(200) });

export class PassedTickets {
  readonly #clock: Clock;
  /** By the hash of the ticket, the oldest first. */
  readonly #kept = new Map<string, { identity: Identity; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `answer` is the text with which a host gave a ticket to this person; any other is ignored. */
  keep(answer: string, identity: Identity): void {
    const ticket = TicketAnswer.safeParse(parseJson(answer)).data?.ticket;
    if (ticket === undefined) return;
    const now = this.#clock.monotonic();
    this.#kept.set(hashSecret(ticket), { identity, untilMs: now + KEPT_MS });
    for (const [hash, { untilMs }] of this.#kept) {
      if (untilMs >= now && this.#kept.size <= MAX_TICKETS) break;
      this.#kept.delete(hash);
    }
  }

  /** Who asked for it, once; null when no one did here, or too long ago. */
  take(ticket: string): Identity | null {
    const hash = hashSecret(ticket);
    const found = this.#kept.get(hash);
    this.#kept.delete(hash);
    return found !== undefined && found.untilMs >= this.#clock.monotonic() ? found.identity : null;
  }
}
