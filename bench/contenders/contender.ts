/** A server that fans events out to many subscribers; each runs in its own process. */
import type { BenchEvent } from './bench-event.ts';

/** How a client connects, as data: the load generator can connect to each contender. */
export interface Greeting {
  /** The complete head of the request. */
  request: string;
  /** What to wait for, in this order, and the reply to each; events come after the last. */
  steps: readonly { until: string; say?: string }[];
}

export interface Contender {
  readonly port: number;
  readonly greeting: Greeting;
  /** Bytes that one event takes to one subscriber. */
  readonly wireBytes: number;
  /** Sends these events to every subscriber, all in this tick. */
  publish(events: readonly BenchEvent[]): void;
  /** Accepts no more subscribers and disconnects the existing ones. */
  close(): void;
}

export const CONTENDERS = {
  'naive-ws': 'naive `ws`',
  'socket-io': 'Socket.IO',
  sse: 'raw SSE',
  'bare-uws': 'bare uWebSockets.js',
  'loopwatch-ws': 'Loopwatch, engine ws',
  'loopwatch-uws': 'Loopwatch, engine uws',
} as const;
export type ContenderName = keyof typeof CONTENDERS;
