/** Where the figures come from. All of it exists anyway; it is read on request. */
import type { AlertDeliveryState } from '../../shared/schema/alerts/alerts.ts';
import type { Delivery } from '../../shared/schema/attention/delivery.ts';
import type { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import type { RespawnStateName } from '../../shared/rules/respawn/respawn-names.ts';
import type { LoopStatus, Session } from '../../shared/schema/model.ts';
import type { UsageSource } from '../../shared/schema/usage/usage.ts';
import type { Clock } from '../lib/clock.ts';
import type { Histogram } from './histogram.ts';

export interface MetricSources {
  /** What runs here, for people who compare daemons: closed sets of words and version numbers. */
  build: Readonly<Record<'version' | 'engine' | 'terminal', string>>;
  clock: Clock;
  /** How late timers ran, in seconds. */
  lag: Histogram;
  /** Path of the database; its write-ahead log has the same path plus a suffix. */
  database: string;
  log: { readonly head: number; readonly oldest: number };
  sessions: { list(): readonly Pick<Session, 'status'>[] };
  loops: { statuses(): readonly LoopStatus[] };
  respawns: { states(): readonly RespawnStateName[] };
  tasks: { statuses(): readonly TaskStatus[] };
  runs: { statuses(): readonly RunStatus[] };
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
  usage: { totals(): readonly UsageTotals[] };
  reach: ReachSources;
}

/** Of one source of the usage ledger. */
interface UsageTotals {
  source: UsageSource;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  costMicros: number;
}

/** Everything that is open towards a client. */
export interface ReachSources {
  connections: { readonly open: number };
  channels: {
    stats(): {
      subscriptions: Readonly<Record<'replaying' | 'live' | 'paused', number>>;
      /** Events sent over WebSocket, each once per subscriber. */
      delivered: number;
      /** Filters in use by a live subscriber. */
      channels: number;
    };
  };
  /** Number of viewers of each watched session. */
  screens: { stats(): readonly number[] };
  attachments: { readonly attached: number };
  readers: Readonly<Record<'streams' | 'polls' | 'streamed' | 'polled', number>>;
  requests: { list(): readonly RequestTally[] };
}

/** Answers of one route of the contract with one class of status, as `2xx`. */
export interface RequestTally {
  method: string;
  route: string;
  status: string;
  count: number;
}
