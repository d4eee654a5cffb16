/** An event log behind Loopwatch's own protocol and access, as a daemon without terminals has it. */
import { errorResponse } from '../../server/api/error-response.ts';
import { openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { Access } from '../../server/people/access.ts';
import type { Identity } from '../../server/people/identity.ts';
import { People } from '../../server/people/people.ts';
import { PersonStore } from '../../server/people/person-store.ts';
import { Attachments } from '../../server/sessions/showing/attachments.ts';
import { ScreenFeed } from '../../server/sessions/showing/screen-feed.ts';
import type { RequestHead, Upgrade } from '../../server/transport/transport.ts';
import { Connection, OpenConnections } from '../../server/ws/connection.ts';
import { EventChannels } from '../../server/ws/event-channels.ts';
import { ScreenChannels } from '../../server/ws/screen-channels.ts';
import { authorizeUpgrade } from '../../server/ws/upgrade.ts';
import { FIRST_SEQ } from './bench-event.ts';

export const TOKEN = 'a'.repeat(64);
export const QUIET_LOG = { info: () => undefined, warn: () => undefined, error: console.error };
const RETENTION = { days: 7, maxEvents: 10_000_000 };

/**
 * `home` holds the log; `publish` hands frames to all that joined a topic. `stranger`: who a peer
 * without a token of this log is; without it such a peer is refused.
 */
export function servedLog(
  home: string,
  publish: (topic: string, frames: readonly string[]) => void,
  stranger?: Identity,
) {
  const clock = systemClock;
  const database = openDatabase(home);
  // As if used for long, so that every event is as long as those of the others.
  const first = database.raw.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  first.run('events', FIRST_SEQ);
  const events = new EventLog({ database, clock, retention: RETENTION });
  const store = new PersonStore(database);
  const people = new People({ log: events, store, clock, logger: QUIET_LOG });
  const access = new Access({ token: TOKEN, people, clock });
  const noTerminal = () => {
    throw new Error('there are no terminals here');
  };
  const feed = new ScreenFeed({ tap: noTerminal, capture: noTerminal, clock });
  const connection = {
    channels: new EventChannels(events, publish),
    screens: new ScreenChannels(feed, publish),
    connections: new OpenConnections(),
    clock,
    version: '0',
    attachments: new Attachments({
      displays: { open: noTerminal },
      terminals: { resize: noTerminal },
      clock,
    }),
    seen: access.seen.bind(access),
    hasSession: () => false,
  };
  const upgrade = (head: RequestHead): Upgrade => {
    try {
      const identity = stranger ?? authorizeUpgrade(head, access);
      return { accept: true, open: (peer) => new Connection(peer, identity, connection) };
    } catch (error) {
      return { accept: false, response: errorResponse(error, QUIET_LOG) };
    }
  };
  return { events, upgrade, close: () => database.close() };
}
