/** The connection between readers of events and the daemon: in memory or over sockets. */
import type { EventLog } from '../../../server/events/event-log.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { Attachments } from '../../../server/sessions/showing/attachments.ts';
import { ScreenFeed } from '../../../server/sessions/showing/screen-feed.ts';
import { type ConnectionOptions, OpenConnections } from '../../../server/ws/connection.ts';
import { EventChannels } from '../../../server/ws/event-channels.ts';
import { ScreenChannels } from '../../../server/ws/screen-channels.ts';
import type { ServerFrame } from '../../../shared/schema/events/protocol.ts';

/** So small that a dozen events under way exceed it. */
const MAX_UNACKED = { events: 40, bytes: 8_000 };

export interface LineEnd {
  received(frame: ServerFrame, text: string): void;
  /** It ended, and not by `cut`. */
  closed(code: number): void;
}

/** One reader's connection. */
export interface Line {
  send(frame: object): void;
  /** Nothing arrives until `flow`. */
  stall(): void;
  /** What is under way arrives: this many frames of it, or everything there is and will be. */
  flow(frames?: number): void;
  /** The reader disconnected; the daemon learns of it in its own time. */
  cut(): void;
}

export interface Wire {
  /** Serves this log from now on. */
  serve(log: EventLog, clock: Clock): Promise<void>;
  connect(end: LineEnd): Line;
  /** One tick, and what it brings. */
  turn(): Promise<void>;
  /** The daemon has received everything sent to it so far. */
  heard(): Promise<void>;
  /** Everything sent so far, and what follows from it, has arrived. */
  settle(): Promise<void>;
  /** Active subscriptions in the daemon. */
  subscriptions(): number;
  /** Ends every line with 1012. */
  close(): Promise<void>;
}

/** The options of a connection that shows only events. */
export function eventsOnly(
  log: EventLog,
  clock: Clock,
  publish: (topic: string, frames: readonly string[]) => void,
): ConnectionOptions {
  const none = async () => Promise.reject(new Error('there are no terminals here'));
  const open = () => {
    throw new Error('there are no terminals here');
  };
  return {
    channels: new EventChannels(log, publish, { maxUnacked: MAX_UNACKED }),
    clock,
    screens: new ScreenChannels(new ScreenFeed({ tap: none, capture: none, clock }), publish),
    attachments: new Attachments({ displays: { open }, terminals: { resize: none }, clock }),
    hasSession: () => false,
    connections: new OpenConnections(),
    seen: () => undefined,
    version: 'test',
    maxFramesPerSecond: Infinity,
  };
}

/** Active subscriptions. */
export function activeSubscriptions({ channels }: Pick<ConnectionOptions, 'channels'>): number {
  const { replaying, live, paused } = channels.stats().subscriptions;
  return replaying + live + paused;
}
