/**
 * Every name that the hosts of a fleet use on NATS. The rights of a host are written in these, so
 * that its key opens what is its own and no more.
 */

/** The stream with the copies of all event logs, one subject for each host. */
export const EVENTS = 'EV';

/** Buckets of keys and values: who is there, shared work, newest lists, people of the fleet. */
export const BUCKETS = {
  hosts: 'hosts',
  claims: 'claims',
  copies: 'copies',
  people: 'people',
} as const;

export function eventsOf(host: string): string {
  return `ev.${host}`;
}

/** Where a host takes requests for channels. */
export function openingOf(host: string): string {
  return `cmd.${host}.open`;
}

/** What is sent to a host within one channel; the id cannot be guessed. */
export function channelTo(host: string, channel: string): string {
  return `ch.${host}.${channel}`;
}

/**
 * Answers to a host's own requests; no other host may listen there. Tokens with dots, so that the
 * right to answer any host is one pattern.
 */
export function inboxOf(host: string): string {
  return `_INBOX.${host}`;
}
