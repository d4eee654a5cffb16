/** Somebody who brings events to many subscribers, each in a process of its own. */
import type { BenchEvent } from './bench-event.ts';

/** How a client comes in, as data: the load generator speaks for all contenders. */
export interface Greeting {
  /** The head of the request, whole. */
  request: string;
  /** What has to be heard, in this order, and what is answered; events come after the last. */
  steps: readonly { until: string; say?: string }[];
}

export interface Contender {
  readonly port: number;
  readonly greeting: Greeting;
  /** Bytes that one event takes to one subscriber. */
  readonly wireBytes: number;
  /** Tells every subscriber these events, all in this turn of the loop. */
  publish(events: readonly BenchEvent[]): void;
  /** Takes no more subscribers and cuts those there are. */
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
