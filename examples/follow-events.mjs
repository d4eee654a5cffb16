// Follow events over a WebSocket from Node: print each as a line of JSON. Reconnects when the
// daemon restarts and resumes after the last event it has seen, so none is missed or repeated.
//
//   node examples/follow-events.mjs [TYPES]          e.g. 'auto.*,attention.raised'
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const home = process.env.LOOPWATCH_HOME || join(homedir(), '.loopwatch');
const types = (process.argv[2] ?? '*').split(',');

/** Where to resume. The epoch identifies the database. Null: start from now. */
let cursor = null;
/** Epoch of the connected daemon. */
let epoch = '';

for (;;) {
  await follow().catch((error) => console.error(`not connected: ${error.message}`));
  await sleep(1_000);
}

/** Resolves when the connection ends. */
async function follow() {
  // Read it on every connection: the daemon may have a new port.
  const { url } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
  const token = readFileSync(join(home, 'token'), 'utf8').trim();
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, 'loopwatch.v1', {
    headers: { authorization: `Bearer ${token}` },
  });
  socket.on('message', (data) => handle(socket, JSON.parse(data.toString())));
  await new Promise((resolve, reject) => {
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

function handle(socket, frame) {
  switch (frame.type) {
    case 'welcome':
      epoch = frame.epoch;
      cursor ??= { epoch, after: frame.head };
      socket.send(JSON.stringify({ type: 'subscribe', id: 1, types, ...cursor }));
      console.error(`following from ${cursor.epoch}:${cursor.after}`);
      break;
    case 'event':
      console.log(JSON.stringify(frame.event));
      cursor.after = frame.event.seq;
      break;
    case 'cursor':
      cursor.after = frame.seq;
      break;
    case 'reset':
      console.error(`some events are no longer kept (${frame.reason})`);
      cursor = { epoch, after: frame.head };
      break;
    case 'error':
      console.error(`refused: ${JSON.stringify(frame)}`);
      process.exit(1);
  }
}
