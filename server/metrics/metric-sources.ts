/** Where the figures come from. All of it is there anyway; it is read when somebody asks. */
import type { AlertDeliveryState } from '../../shared/schema/alerts.ts';
import type { Delivery } from '../../shared/schema/delivery.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import type { LoopStatus, Session } from '../../shared/schema/model.ts';
import type { Clock } from '../lib/clock.ts';
import type { Histogram } from './histogram.ts';

export interface MetricSources {
  /** What runs here, for people who compare daemons: closed words and version numbers. */
  build: Readonly<Record<'version' | 'engine' | 'terminal', string>>;
  clock: Clock;
  /** How late timers ran, in seconds. */
  lag: Histogram;
  /** Path of the database; its write-ahead log lies beside it. */
  database: string;
  log: { readonly head: number; readonly oldest: number };
  sessions: { list(): readonly Pick<Session, 'status'>[] };
  loops: { statuses(): readonly LoopStatus[] };
  tasks: { statuses(): readonly TaskStatus[] };
  attention: { countOpen(): number };
  inputs: {
    countOpen(): Record<Extract<Delivery, 'held' | 'delivering'>, number>;
    readonly settled: Readonly<
      Record<Extract<Delivery, 'delivered' | 'typed' | 'failed' | 'unknown'>, number>
    >;
  };
  alerts: {
    countUnsent(): Record<Exclude<AlertDeliveryState, 'sent'>, number>;
    readonly attempts: Readonly<Record<'sent' | 'failed' | 'given_up', number>>;
  };
  terminals: { readonly captures: number };
  reach: ReachSources;
}

/** Who is told: everything that is open towards a client. */
export interface ReachSources {
  connections: { readonly open: number };
  channels: {
    stats(): {
      subscriptions: Readonly<Record<'replaying' | 'live' | 'paused', number>>;
      /** Events told over WebSocket, each once for each subscriber. */
      delivered: number;
      /** Filters that somebody who is live goes by. */
      channels: number;
    };
  };
  /** Sessions whose screen is watched, and by how many each. */
  screens: { stats(): readonly number[] };
  attachments: { readonly attached: number };
  readers: Readonly<Record<'streams' | 'polls' | 'streamed' | 'polled', number>>;
  requests: { list(): readonly RequestTally[] };
}

/** Answers to one route of the contract with one class of status, as `2xx`. */
export interface RequestTally {
  method: string;
  route: string;
  status: string;
  count: number;
}
