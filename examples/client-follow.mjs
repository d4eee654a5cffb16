// Follow events with the client library: print each as a line of JSON. Resumes over restarts.
//
//   node examples/client-follow.mjs [TYPES]          e.g. 'auto.*,attention.raised'
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'loopwatch/client';

const home = process.env.LOOPWATCH_HOME || join(homedir(), '.loopwatch');

// Read before each request: a restarted daemon may have a new port.
const client = createClient(() => ({
  url: JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')).url,
  token: readFileSync(join(home, 'token'), 'utf8').trim(),
}));

for await (const item of client.events({ types: process.argv[2] })) {
  if (item.kind === 'event') console.log(JSON.stringify(item.event));
  if (item.kind === 'connected') console.error(`following from ${item.cursor}`);
  if (item.kind === 'lost') console.error(`not connected: ${item.error.message}`);
  if (item.kind === 'gap') console.error(`some events are no longer kept (${item.reason})`);
}
