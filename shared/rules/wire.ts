/** Constants both ends of a WebSocket share. Free of zod: the page imports it. */
export const PROTOCOL_VERSION = 1;
/**
 * Raised whenever an event can contain what an older reader does not know: a type, a field, a value
 * of a closed list. A reader that knows less shows what is new by its code.
 */
export const EVENT_SCHEMA = 1;
export const SUBPROTOCOL = 'loopwatch.v1';
export const TICKET_PREFIX = 'ticket.';

/**
 * Bytes of one frame, and of one REST body. Binary frames hold terminal bytes of the connection's
 * one attachment: keys to the daemon, output that is safe to show to the client.
 */
export const MAX_FRAME_BYTES = 64 * 1024;

/** Why nothing can be typed into a terminal of another host. */
export const REMOTE_INPUT_OFF =
  'this host takes no input from the pages of others; open its own page, or set ' +
  'LOOPWATCH_ACCEPT_REMOTE_INPUT=on there and restart its daemon';

/**
 * 44xx: do not reconnect with the same request. 1012: the daemon restarts, reconnect. 4010:
 * reconnect, and read `/api/me` again. 4011: reconnect later.
 */
export const CloseCode = {
  restart: 1012,
  badFrame: 4400,
  /** The token is no longer valid: the person was removed, or used a newer link. */
  accessEnded: 4401,
  unsupportedProtocol: 4406,
  slowConsumer: 4008,
  noPong: 4009,
  /** The host that was asked for cannot be reached: ask again later. */
  hostUnreachable: 4011,
  /** The person's role or name changed. */
  identityChanged: 4010,
} as const;
