/** The usual stack: chokidar that waits for the end of writing, an unprepared insert, Socket.IO. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import { Server } from 'socket.io';
import { SIGNAL_FILE } from '../../shared/schema/loops/auto-signal.ts';
import { openDatabase } from '../../server/db/database.ts';
import { events } from '../../server/db/schema.ts';
import { socketIoGreeting } from '../contenders/socket-io-greeting.ts';
import { answerAsks } from '../rig/bench-child.ts';

/** As its documentation suggests for files that are written by others and read often. */
const AWAIT_WRITE_FINISH = { stabilityThreshold: 100, pollInterval: 10 };

/** The directories to watch. */
const directories = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'lwb-'));
process.on('exit', () => rmSync(home, { recursive: true }));
const { query } = openDatabase(home);
const http = createServer();
const server = new Server(http, { transports: ['websocket'], serveClient: false });
const watcher = watch(directories, {
  ignoreInitial: true,
  depth: 0,
  awaitWriteFinish: AWAIT_WRITE_FINISH,
});

async function publish(path: string): Promise<void> {
  if (basename(path) !== SIGNAL_FILE) return;
  const signal: unknown = JSON.parse(await readFile(path, 'utf8'));
  const row = { at: new Date().toISOString(), type: 'signal', data: JSON.stringify(signal) };
  query.insert(events).values(row).run();
  server.emit('signal', signal);
}

watcher.on('add', (path) => void publish(path));
watcher.on('change', (path) => void publish(path));
await once(watcher, 'ready');
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const { port } = http.address() as AddressInfo;

answerAsks(async () => Promise.resolve({ port, greeting: socketIoGreeting(port) }));
