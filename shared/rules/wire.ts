/** What both ends of a WebSocket agree on, free of zod, because the page imports it. */
export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'loopwatch.v1';
export const TICKET_PREFIX = 'ticket.';

/**
 * Bytes of one frame, and of one REST body. Binary frames hold terminal bytes of the connection's
 * one attachment: keys towards the daemon, what is safe to show towards the client.
 */
export const MAX_FRAME_BYTES = 64 * 1024;

/**
 * 44xx: do not connect again with the same request. 1012: the daemon restarts, come back. 4010:
 * come back, and ask `/api/me` who one is now.
 */
export const CloseCode = {
  restart: 1012,
  badFrame: 4400,
  /** The token was valid and is no more: somebody was removed, or a newer link was used. */
  accessEnded: 4401,
  unsupportedProtocol: 4406,
  slowConsumer: 4008,
  noPong: 4009,
  /** The person has another role or name. */
  identityChanged: 4010,
} as const;
