/** The base of everything else: the home, its lock, its log and its database. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { IncidentStore } from '../alerts/incidents/incident-store.ts';
import { AlertDeliveryStore } from '../alerts/deliveries/alert-delivery-store.ts';
import { writePidFile } from '../control/pid-file.ts';
import { DATABASE_FILE, openDatabase } from '../db/database.ts';
import { lockHome, openHome } from '../db/home.ts';
import { MetaStore } from '../db/meta-store.ts';
import { sweepRestores } from '../db/restore-database.ts';
import { type LostEvents, PublishedHead } from '../db/published-head.ts';
import { EventLog } from '../events/event-log.ts';
import { systemCode } from '../lib/app-error.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import { type Config, ConfigError } from '../lib/config/config.ts';
import { type Log, openLog } from '../lib/log.ts';
import { eventDamage } from './event-damage.ts';
import { logLoops } from './log-loops.ts';
import type { Scope } from '../lib/scope.ts';

export type Store = ReturnType<typeof openStore>;

const POLL_EVERY_MS = 5_000;
/** Old events are removed this often. */
const PRUNE_EVERY_MS = 60 * 60_000;
/** Between two rounds of a prune that has more to remove. */
const NEXT_ROUND_MS = 1_000;

/** Locks the home for this daemon. Throws as `createDaemon`. */
export function openStore(config: Readonly<Config>, clock: Clock, scope: Scope) {
  requireSafeBinding(config);
  openHome(config.home);
  scope.own(lockHome(config.home));
  // Owned after the lock, and so removed before the lock is released to another daemon.
  scope.own(writePidFile(config.home));
  sweepRestores(config.home);
  const { log: logger, close: closeLog } = openLog(config, clock);
  scope.own(closeLog);
  const database = openDatabase(config.home);
  scope.own(() => database.close());
  const eventsDamaged = eventDamage(database, config.home, logger, scope);
  const homeRemoved = new Promise<void>((resolve) => {
    scope.own(watchFileIdentity(join(config.home, DATABASE_FILE), clock, resolve));
  });
  const meta = new MetaStore(database);
  const published = new PublishedHead(config.home, logger);
  scope.own(() => published.close());
  const lost = published.lost(meta.epoch(), database);
  if (lost !== null) startNewEpoch(meta, lost, clock, logger);
  const retention = { days: config.retentionDays, maxEvents: config.retentionEvents };
  const committed = (epoch: string, head: number) => published.write(epoch, head);
  const log = new EventLog({ database, clock, retention, committed });
  scope.own(logLoops(log, logger));
  const restored = meta.restored();
  const alertDeliveries = new AlertDeliveryStore(database);
  const incidents = new IncidentStore(database);
  const alsoPruned = () => {
    alertDeliveries.prune(log.oldest);
    incidents.prune(log.oldest);
  };
  scope.own(keepPruned(log, clock, logger, alsoPruned));
  const ends = { homeRemoved, eventsDamaged };
  return { logger, database, ends, log, meta, restored, lost, alertDeliveries, incidents };
}

/**
 * Published seqs would be given out again, and the rows are as old as the newest event: the same as
 * after a restore, except that no other database knows what happened since.
 */
function startNewEpoch(meta: MetaStore, lost: LostEvents, clock: Clock, logger: Log): void {
  meta.markRestored({ at: toIso(clock.now()), ended_runs: null });
  logger.error(
    lost,
    'the database has lost events that were already delivered: its write-ahead log was removed, or it ' +
      'was replaced by an older copy. A new epoch starts. Check the members, alerts and loops that were ' +
      'changed last. Never remove loopwatch.db-wal; restore copies with: loopwatch restore FILE',
  );
}

/** A shell for everyone on the network must never be one setting away. Throws a ConfigError. */
function requireSafeBinding({ host, behindProxy }: Config): void {
  const loopback = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  if (loopback || behindProxy) return;
  throw new ConfigError(
    `HOST=${host} is not loopback. Put a TLS proxy in front and set LOOPWATCH_BEHIND_PROXY=1 and ` +
      'LOOPWATCH_HOSTS to the name it serves, or unset HOST.',
  );
}

/**
 * For an open file: calls `onRemoved` once when its name leads nowhere or to another file, at the
 * latest 5 s later. From then on, writes to it are lost with its last close. Returns the function
 * that stops the watch.
 */
function watchFileIdentity(path: string, clock: Clock, onRemoved: () => void): () => void {
  const opened = identityOf(path);
  let timer: Timer | null = null;
  const check = () => {
    if (identityOf(path) === opened) timer = clock.after(POLL_EVERY_MS, check);
    else onRemoved();
  };
  timer = clock.after(POLL_EVERY_MS, check);
  return () => timer?.cancel();

  function identityOf(file: string): string | null {
    try {
      const { dev, ino } = statSync(file, { bigint: true });
      return `${dev}:${ino}`;
    } catch (error) {
      const code = systemCode(error);
      // A disk that cannot be read proves nothing.
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : opened;
    }
  }
}

/**
 * Removes old events at once and every hour after that, and calls `also` after each round. Returns the
 * function that stops it.
 */
function keepPruned(
  log: EventLog,
  clock: Clock,
  logger: Log,
  also: () => void = () => undefined,
): () => void {
  let timer: Timer | null = null;
  const round = () => {
    let removed = 0;
    try {
      removed = log.prune();
      also();
    } catch (error) {
      logger.error({ err: error }, 'cannot remove old events');
    }
    timer = clock.after(removed > 0 ? NEXT_ROUND_MS : PRUNE_EVERY_MS, round);
  };
  round();
  return () => timer?.cancel();
}
