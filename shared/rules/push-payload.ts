/** The message that the daemon encrypts for a browser and its service worker shows. */
import type { PushAnswer } from '../schema/alerts/push.ts';

export interface PushPayload {
  title: string;
  text: string;
  /** Of the page about it, on the worker's own origin. */
  path: string;
  /** A notification replaces the earlier one with the same tag. */
  tag: string;
  /** Of the event, in milliseconds. */
  at: number;
  /** Open items of the inbox, for the badge of the icon. */
  open: number;
  /** The page that acknowledges the incident; null when there is none. */
  acknowledge: string | null;
  /** What can be answered in the notification. */
  answers: PushAnswer[];
  /** Signed; null when nothing can be answered. */
  ticket: string | null;
}
