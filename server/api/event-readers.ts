/** Who reads events over plain HTTP now, and how many were told that way since the daemon started. */
export class EventReaders {
  /** Open streams of Server-Sent Events. */
  streams = 0;
  /** Requests that wait for an event. */
  polls = 0;
  streamed = 0;
  polled = 0;
}
