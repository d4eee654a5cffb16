/** Decides whether a request that passed the gate becomes a WebSocket, before any 101. */
import { SUBPROTOCOL, TICKET_PREFIX } from '../../shared/rules/wire.ts';
import { AppError } from '../lib/app-error.ts';
import type { Access } from '../people/access.ts';
import type { Identity } from '../people/identity.ts';
import { headerValues, type RequestHead } from '../transport/transport.ts';

const PATH = '/ws';

/** Throws the AppError that refuses. Only an accepted request spends its ticket. */
export function authorizeUpgrade(
  head: RequestHead,
  access: Pick<Access, 'authenticate' | 'checkTicket' | 'spendTicket'>,
): Identity {
  const protocols = headerValues(head, 'sec-websocket-protocol')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());
  const ticket = protocols
    .find((protocol) => protocol.startsWith(TICKET_PREFIX))
    ?.slice(TICKET_PREFIX.length);
  const identity =
    ticket !== undefined
      ? access.checkTicket(ticket, head.remoteAddress)
      : access.authenticate(headerValues(head, 'authorization')[0] ?? null, head.remoteAddress);
  if (head.target !== PATH) throw new AppError('not_found', `WebSockets are at ${PATH}`);
  if (protocols.length > 0 && !protocols.includes(SUBPROTOCOL)) {
    throw new AppError('invalid_query', `the subprotocol is ${SUBPROTOCOL}`);
  }
  if (ticket !== undefined) access.spendTicket(ticket);
  return identity;
}
