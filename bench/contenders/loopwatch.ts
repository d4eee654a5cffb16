/**
 * Loopwatch as it serves a browser: the real transport, gate, token, protocol, subscription and
 * log. The log should be in memory: disk speed has nothing to do with fan-out.
 */
import { CloseCode } from '../../shared/rules/wire.ts';
import { errorResponse } from '../../server/api/error-response.ts';
import { gate, gatePolicy } from '../../server/api/gate.ts';
import { openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { Access } from '../../server/people/access.ts';
import { People } from '../../server/people/people.ts';
import { PersonStore } from '../../server/people/person-store.ts';
import { Attachments } from '../../server/sessions/showing/attachments.ts';
import { ScreenFeed } from '../../server/sessions/showing/screen-feed.ts';
import type { Transport } from '../../server/transport/transport.ts';
import { Connection, OpenConnections } from '../../server/ws/connection.ts';
import { EventChannels } from '../../server/ws/event-channels.ts';
import { ScreenChannels } from '../../server/ws/screen-channels.ts';
import { authorizeUpgrade } from '../../server/ws/upgrade.ts';
import { frameBytes } from '../load/frame-size.ts';
import { EVENT_BYTES, FIRST_SEQ } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { loopwatchGreeting } from './loopwatch-greeting.ts';

const HOST = '127.0.0.1';
const RETENTION = { days: 7, maxEvents: 10_000_000 };
const TOKEN = 'a'.repeat(64);
const LOGGER = { info: () => undefined, warn: () => undefined, error: console.error };

/** `home` holds the log. */
export async function openLoopwatch(transport: Transport, home: string): Promise<Contender> {
  const log = openLog(home);
  const clock = systemClock;
  const people = new People({ log: log.events, store: log.people, clock, logger: LOGGER });
  const access = new Access({ token: TOKEN, people, clock });
  const noTerminal = () => {
    throw new Error('there are no terminals here');
  };
  const publish = (topic: string, frames: readonly string[]) => server.publish(topic, frames);
  const feed = new ScreenFeed({ tap: noTerminal, capture: noTerminal, clock });
  const connection = {
    channels: new EventChannels(log.events, publish),
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
  let policy = gatePolicy(0, [], false);
  const server = await transport.listen(
    { host: HOST, port: 0 },
    {
      gate(head) {
        const refusal = gate(head, policy);
        return refusal === null ? null : errorResponse(refusal, LOGGER);
      },
      fetch: async () => Promise.resolve(new Response(null, { status: 404 })),
      upgrade(head) {
        try {
          const identity = authorizeUpgrade(head, access);
          return {
            accept: true,
            open: (peer) => new Connection(peer, identity, connection),
          };
        } catch (error) {
          return { accept: false, response: errorResponse(error, LOGGER) };
        }
      },
    },
  );
  policy = gatePolicy(server.port, [], false);
  return {
    port: server.port,
    greeting: loopwatchGreeting(server.port, TOKEN),
    wireBytes: frameBytes('{"type":"event","event":}'.length + EVENT_BYTES),
    publish(events) {
      log.events.write((append) => {
        for (const event of events) append(event);
      });
    },
    close() {
      log.close();
      void server.close(CloseCode.restart, 'restart');
    },
  };
}

function openLog(home: string) {
  const database = openDatabase(home);
  // As if used for long, so that every event is as long as those of the others.
  const first = database.raw.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  first.run('events', FIRST_SEQ);
  const events = new EventLog({ database, clock: systemClock, retention: RETENTION });
  return { events, people: new PersonStore(database), close: () => database.close() };
}
