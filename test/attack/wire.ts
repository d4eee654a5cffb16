/** Raw bytes on a socket, and what can be read from an answer without trusting its form. */
import { connect, type Socket } from 'node:net';
import type { Door } from './door.ts';

const STATUS = /HTTP\/1\.1 (\d{3}) /g;

/** The status of the first answer, or `closed` when there is none. */
export async function firstStatus(door: Door, bytes: string): Promise<string> {
  const socket = dial(door);
  const first = new Promise<string>((resolve) => {
    listen(socket, (text, isOver) => {
      const [status] = statusesOf(text);
      if (status !== undefined || isOver) resolve(status ?? 'closed');
    });
  });
  socket.write(bytes);
  const status = await first;
  socket.destroy();
  return status;
}

/** Sends the second request once the first was answered; returns the statuses of all answers. */
export async function askAgain(door: Door, first: string, second: string): Promise<string> {
  const socket = dial(door);
  const all = new Promise<string>((resolve) => {
    let hasAsked = false;
    listen(socket, (text, isOver) => {
      if (isOver) resolve(statusesOf(text).join(' ') || 'closed');
      else if (!hasAsked && text.includes('\r\n\r\n')) {
        hasAsked = true;
        socket.write(second);
      }
    });
  });
  socket.write(first);
  const statuses = await all;
  socket.destroy();
  return statuses;
}

function dial({ api }: Door): Socket {
  const { hostname, port } = new URL(api.url);
  // A reset is one way to refuse.
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
}

function listen(socket: Socket, received: (text: string, isOver: boolean) => void): void {
  let text = '';
  socket.on('data', (data) => received((text += data.toString('latin1')), false));
  socket.once('close', () => received(text, true));
}

function statusesOf(text: string): string[] {
  return [...text.matchAll(STATUS)].map(([, status = '']) => status);
}
