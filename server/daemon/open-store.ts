/** What everything else stands on: the home, its lock, its log and its database. */
import { join } from 'node:path';
import { AlertDeliveryStore } from '../alerts/alert-delivery-store.ts';
import { DATABASE_FILE, openDatabase } from '../db/database.ts';
import { lockHome } from '../db/home-lock.ts';
import { MetaStore } from '../db/meta-store.ts';
import { sweepRestores } from '../db/restore-database.ts';
import { type LostEvents, ToldHead } from '../db/told-head.ts';
import { EventLog } from '../events/event-log.ts';
import { keepPruned } from '../events/keep-pruned.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { type Log, openLog } from '../lib/log.ts';
import { openHome } from '../lib/open-home.ts';
import { requireSafeBinding } from '../lib/safe-binding.ts';
import type { Scope } from '../lib/scope.ts';
import { watchFileIdentity } from '../lib/watch-file-identity.ts';

export type Store = ReturnType<typeof openStore>;

/** Takes the settings; gives the store of a home that is now ours. Throws as `createDaemon`. */
export function openStore(config: Readonly<Config>, clock: Clock, scope: Scope) {
  requireSafeBinding(config);
  openHome(config.home);
  scope.own(lockHome(config.home));
  sweepRestores(config.home);
  const { log: logger, close: closeLog } = openLog(config, clock);
  scope.own(closeLog);
  const database = openDatabase(config.home);
  scope.own(() => database.close());
  const homeGone = new Promise<void>((resolve) => {
    scope.own(watchFileIdentity(join(config.home, DATABASE_FILE), clock, resolve));
  });
  const meta = new MetaStore(database);
  const told = new ToldHead(config.home, logger);
  scope.own(() => told.close());
  const lost = told.lost(meta.epoch(), database);
  if (lost !== null) startNewEpoch(meta, lost, clock, logger);
  const retention = { days: config.retentionDays, maxEvents: config.retentionEvents };
  const committed = (epoch: string, head: number) => told.write(epoch, head);
  const log = new EventLog({ database, clock, retention, committed });
  const restored = meta.restored();
  const alertDeliveries = new AlertDeliveryStore(database);
  scope.own(keepPruned(log, clock, logger, () => alertDeliveries.prune(log.oldest)));
  return { logger, database, homeGone, log, meta, restored, lost, alertDeliveries };
}

/**
 * Numbers that were told would be given out again, and the rows are as old as the newest event: the
 * same as after a restore, except that no other database knows what happened since.
 */
function startNewEpoch(meta: MetaStore, lost: LostEvents, clock: Clock, logger: Log): void {
  meta.markRestored({ at: toIso(clock.now()), ended_runs: null });
  logger.error(
    lost,
    'the database has lost events that were told: its write-ahead log was removed, or an older copy ' +
      'of it was put in its place. It starts a new epoch. Check people, alerts and loops that were ' +
      'changed last; never remove loopwatch.db-wal, and put copies back with: loopwatch restore FILE',
  );
}
