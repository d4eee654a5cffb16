/**
 * Answers on a unix socket: one line with a command, one line with the reply, then the end. A client
 * that is silent, slow or endless costs one of a few places for a few seconds and delays no other.
 */
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import {
  type ControlCommand,
  type ControlReply,
  EXCHANGE_MS,
  MAX_LINE_BYTES,
  readCommand,
} from './control-messages.ts';
import { FirstLine } from './first-line.ts';

/** Open connections. One more closes the oldest: a new one is more likely to send a command. */
const MAX_OPEN = 32;
const SOCKET_MODE = 0o600;

export interface ControlServerOptions {
  /** Free, in a directory that only this user can enter. */
  path: string;
  clock: Clock;
  /** The reply, and what to do once it has been sent. */
  handle: (command: ControlCommand) => { reply: ControlReply; then?: () => void };
  /** A connection that could not be accepted. */
  failed: (error: Error) => void;
}

/** Rejects with the system's error. The result closes everything and removes the socket. */
export async function listenForControl(options: ControlServerOptions): Promise<() => void> {
  const { path } = options;
  const open = new Set<Socket>();
  // Half open: a client may end its side right after the command.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const [oldest] = open;
    if (oldest !== undefined && open.size >= MAX_OPEN) oldest.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    serve(socket, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => options.failed(error));
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  try {
    // Not by umask, which belongs to the whole process.
    chmodSync(path, SOCKET_MODE);
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

function serve(socket: Socket, { clock, handle }: ControlServerOptions): void {
  const command = new FirstLine(MAX_LINE_BYTES);
  let isAnswered = false;
  const timer = clock.after(EXCHANGE_MS, () => {
    if (isAnswered) {
      socket.destroy();
      return;
    }
    answer({ Error: `no command within ${EXCHANGE_MS / 1000} s` });
    socket.destroySoon();
  });
  socket.once('close', () => timer.cancel());
  // The client left; 'close' follows.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    // What follows the first line is read and dropped, so that its sender reads the reply.
    if (isAnswered) return;
    const first = command.add(chunk);
    if (first === 'too_long') answer({ Error: `a command has at most ${MAX_LINE_BYTES} bytes` });
    else if (first !== null) obey(first.line);
  });
  socket.once('end', () => {
    if (isAnswered) return;
    if (command.text === '') socket.end();
    else obey(command.text);
  });

  function obey(line: string): void {
    const known = readCommand(line);
    if (known === null) {
      answer({ Error: 'unknown command; known are "Status", "Ping" and "Shutdown"' });
      return;
    }
    const { reply, then } = handle(known);
    answer(reply, then);
  }

  /** `then` follows also when the client has left. */
  function answer(reply: ControlReply, then?: () => void): void {
    isAnswered = true;
    socket.end(`${JSON.stringify(reply)}\n`, then);
  }
}
