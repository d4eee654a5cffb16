/** The requests of the stress driver to the edge process, and the replies. */
import type { TransportName } from '../../shared/schema/transport-name.ts';

/** How the edge is set up; passed as JSON in the process's first argument. */
export interface EdgeSetup {
  engine: TransportName;
  home: string;
  /** How often peers are pinged, in milliseconds; absent: as in production. */
  pingIntervalMs?: number;
}

export type EdgeCommand =
  /** Writes `perTurn` events, `turns` times, `everyMs` apart. */
  | { do: 'append'; turns: number; perTurn: number; everyMs: number; paddingBytes: number }
  /** Moves the edge's clock forward. */
  | { do: 'jump'; ms: number }
  /** Closes every peer as a restarting daemon does, and listens again on the same port. */
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
  /** Active subscriptions, paused or not. */
  subscribers: number;
  /** Of these, those that are behind. */
  paused: number;
  /** Timers of the clock. */
  timers: number;
  openFiles: number;
  /** After a garbage collection. */
  heapBytes: number;
  rssBytes: number;
  /** Event loop lag since the last question, 99th percentile, milliseconds. */
  lagP99Ms: number;
}

export interface EdgeReady {
  port: number;
  token: string;
  epoch: string;
}

export type EdgeAnswer =
  { ready: EdgeReady } | { unable: string } | { id: number; rows?: EdgeRow[]; state?: EdgeState };
