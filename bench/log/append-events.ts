import type { EventDraft } from '../../shared/schema/events/events.ts';
import { openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import { systemClock } from '../../server/lib/clock.ts';

const RETENTION = { days: 7, maxEvents: 1_000_000 };

/** About 366 bytes on the wire. */
const DRAFT: EventDraft = {
  type: 'auto.ended',
  session: 'web-frontend',
  data: {
    task_dir: '/home/username/projects/web-frontend/AiTasks/dark-mode-for-settings',
    reason: 'max_iterations',
    iteration: 20,
    elapsed_seconds: 1_234.567,
    quota_wait_seconds: 0,
    restart_count: 1,
    recovery_count: 0,
    error: 'no agent came in front within 10000 ms: the terminal shows "command not found"',
    evidence: [],
  },
};

/** To the log of a daemon that does not run, `group` in a transaction; returns how many a second. */
export function appendEvents(home: string, count: number, group: number): number {
  const database = openDatabase(home);
  const log = new EventLog({ database, clock: systemClock, retention: RETENTION });
  const began = performance.now();
  for (let written = 0; written < count; written += group) {
    log.write((append) => {
      for (let n = 0; n < group; n += 1) append(DRAFT);
    });
  }
  const seconds = (performance.now() - began) / 1000;
  database.close();
  return count / seconds;
}
