/** Current readers of events over plain HTTP, and events sent to them since the daemon started. */
export class EventReaders {
  /** Open streams of Server-Sent Events. */
  streams = 0;
  /** Requests waiting for an event. */
  polls = 0;
  streamed = 0;
  polled = 0;
}
