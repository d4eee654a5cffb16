// Follows the events over a WebSocket from Node: prints each as a line of JSON. Comes back when the
// daemon does, and resumes behind the last event it has seen, so that none is missed or repeated.
//
//   node examples/follow-events.mjs [TYPES]          for instance 'auto.*,attention.raised'
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const home = process.env.LOOPWATCH_HOME || join(homedir(), '.loopwatch');
const types = (process.argv[2] ?? '*').split(',');

/** Where to go on: the epoch names the life of the database. Null: from now on. */
let cursor = null;
/** Of the daemon that is connected. */
let epoch = '';

for (;;) {
  await follow().catch((error) => console.error(`not connected: ${error.message}`));
  await sleep(1_000);
}

/** Resolves when the connection ends. */
async function follow() {
  // Read anew: another daemon has another port.
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
      console.error(`some events are not kept any more (${frame.reason})`);
      cursor = { epoch, after: frame.head };
      break;
    case 'error':
      console.error(`refused: ${JSON.stringify(frame)}`);
      process.exit(1);
  }
}
