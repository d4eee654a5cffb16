/**
 * Loopwatch as it serves a browser: the real transport, gate, token, protocol, subscription and
 * log. The log should be in memory: disk speed has nothing to do with fan-out.
 */
import { CloseCode } from '../../shared/rules/wire.ts';
import { errorResponse } from '../../server/api/error-response.ts';
import { gate, gatePolicy } from '../../server/api/gate.ts';
import type { Transport } from '../../server/transport/transport.ts';
import { frameBytes } from '../load/frame-size.ts';
import { EVENT_BYTES } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { loopwatchGreeting } from './loopwatch-greeting.ts';
import { QUIET_LOG, servedLog, TOKEN } from './served-log.ts';

const HOST = '127.0.0.1';

/** `home` holds the log. */
export async function openLoopwatch(transport: Transport, home: string): Promise<Contender> {
  const log = servedLog(home, (topic, frames) => server.publish(topic, frames));
  let policy = gatePolicy(0, [], false);
  const server = await transport.listen(
    { host: HOST, port: 0 },
    {
      gate(head) {
        const refusal = gate(head, policy);
        return refusal === null ? null : errorResponse(refusal, QUIET_LOG);
      },
      fetch: async () => Promise.resolve(new Response(null, { status: 404 })),
      upgrade: log.upgrade,
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
