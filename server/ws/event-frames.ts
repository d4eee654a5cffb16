import type { EncodedEvent } from '../events/event-log.ts';

/** A peer whose filter lets little through still hears where the log stands. */
const CURSOR_EVERY_EVENTS = 100;

/**
 * Takes events that passed a filter, the seq up to which the log was read for them, and the seq the
 * peer knows of; gives the frames that tell them and the seq the peer knows of then.
 */
export function eventFrames(
  events: readonly EncodedEvent[],
  cursor: number,
  known: number,
): { frames: string[]; known: number } {
  const frames = events.map(({ json }) => `{"type":"event","event":${json}}`);
  const newest = events.at(-1)?.seq ?? known;
  if (cursor - newest < CURSOR_EVERY_EVENTS) return { frames, known: newest };
  frames.push(`{"type":"cursor","seq":${cursor}}`);
  return { frames, known: cursor };
}
