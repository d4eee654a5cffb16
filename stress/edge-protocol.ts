/** What the driver of the stress asks the process of the edge, and what it is told. */
import type { TransportName } from '../shared/schema/transport-name.ts';

/** How the edge is set up; handed over as JSON in the process's first argument. */
export interface EdgeSetup {
  engine: TransportName;
  home: string;
  /** How often peers are pinged, in milliseconds; absent: as in production. */
  pingIntervalMs?: number;
}

export type EdgeCommand =
  /** Writes `turns` times `perTurn` events, the turns `everyMs` apart. */
  | { do: 'append'; turns: number; perTurn: number; everyMs: number; paddingBytes: number }
  /** Moves the edge's clock forward. */
  | { do: 'jump'; ms: number }
  /** Closes every peer as a daemon that restarts, and listens again on the same port. */
  | { do: 'restart' }
  | { do: 'rows' }
  | { do: 'state' };

/** One row of the log, in few bytes: seq, type, session. */
export type EdgeRow = [seq: number, type: string, session: string | null];

export interface EdgeState {
  head: number;
  /** Listeners of the log. */
  listeners: number;
  /** Channels with members. */
  channels: number;
  /** Subscriptions that stand, paused or not. */
  subscribers: number;
  /** Of them those that are behind. */
  paused: number;
  /** Timers of the clock. */
  timers: number;
  openFiles: number;
  /** After a collection of garbage. */
  heapBytes: number;
  rssBytes: number;
  /** How late the event loop was since the last question, 99th percentile, milliseconds. */
  lagP99Ms: number;
}

export interface EdgeReady {
  port: number;
  token: string;
  epoch: string;
}

export type EdgeAnswer =
  { ready: EdgeReady } | { unable: string } | { id: number; rows?: EdgeRow[]; state?: EdgeState };
