/** The engine limit: uWebSockets.js and nothing around it. */
import { frameBytes } from '../load/frame-size.ts';
import { EVENT_BYTES } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { END_OF_HEAD, upgradeRequest } from './upgrade-request.ts';
import { uwsModule } from './uws-module.ts';

const TOPIC = 'events';
/** Large enough that no subscriber is dropped; a loss would show in the byte count. */
const MAX_BACKPRESSURE = 64 * 1024 * 1024;

export async function openBareUws(): Promise<Contender> {
  const uws = uwsModule();
  const app = uws.App().ws('/*', {
    idleTimeout: 0,
    maxBackpressure: MAX_BACKPRESSURE,
    open: (socket) => {
      socket.subscribe(TOPIC);
    },
  });
  const listener = await new Promise<object>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) reject(new Error('uWebSockets.js cannot listen'));
      else resolve(socket);
    });
  });
  const port = uws.getSocketPort(listener);
  return {
    port,
    greeting: { request: upgradeRequest(port, '/', []), steps: [{ until: END_OF_HEAD }] },
    wireBytes: frameBytes(EVENT_BYTES),
    publish(events) {
      for (const event of events) app.publish(TOPIC, JSON.stringify(event));
    },
    close: () => uws.closeSocket(listener),
  };
}
