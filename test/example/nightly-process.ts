/** The example supervisor as its own process, to be killed: `HOME COMMAND`. Nights are short. */
import { openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { pino } from 'pino';
import { NightlyStore, NightlySupervisor } from './nightly.ts';

const SHORT = 1 / 1_000_000;

const [home = '', command = ''] = process.argv.slice(2);
const database = openDatabase(home);
const retention = { days: 7, maxEvents: 1_000_000 };
const origin = Date.now();
/** A night of this clock takes less than a tenth of a second. */
const clock = {
  ...systemClock,
  now: () => origin + (Date.now() - origin) / SHORT,
  after: (delayMs: number, act: () => void) => systemClock.after(delayMs * SHORT, act),
};
const log = new EventLog({ database, clock: systemClock, retention });
const store = new NightlyStore(database);
const options = { name: 'nightly', command, directory: home, store, log, clock };
await new NightlySupervisor({ ...options, logger: pino({ enabled: false }) }).recover();
