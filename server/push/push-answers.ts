/** Whose answer a notification gives: the person of the browser it was sent to, as they are now. */
import { mayAct } from '../../shared/schema/people/role.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { AnswerTickets } from './answer-tickets.ts';
import type { PushSubscriptions } from './push-subscriptions.ts';

interface AnswerOptions {
  clock: Clock;
  tickets: AnswerTickets;
  subscriptions: Pick<PushSubscriptions, 'get'>;
}

export class PushAnswers {
  readonly #options: AnswerOptions;

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** The item and the name of the person. Throws `push_ticket_invalid`. */
  verify(text: string): { item: string; by: string } {
    const { clock, tickets, subscriptions } = this.#options;
    const ticket = tickets.verify(text, clock.now());
    const browser = ticket && subscriptions.get(ticket.browser);
    if (ticket !== null && browser !== null && mayAct(browser.person.role, 'operator')) {
      return { item: ticket.item, by: browser.person.name };
    }
    const message = 'this notification can no longer answer; open the inbox';
    throw new AppError('push_ticket_invalid', message);
  }
}
