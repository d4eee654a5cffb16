import { spawnSync } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';

/** A client of a control socket that writes any bytes; a stubborn one never ends its side. */
export class RawControl {
  readonly socket: Socket;
  /** All that came so far. */
  received = '';
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>;

  constructor(path: string, { stubborn = false } = {}) {
    this.socket = connect({ path, allowHalfOpen: stubborn });
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }
}

/** Writes the bytes, and ends its side when the other one has; returns all that came. */
export async function exchange(path: string, bytes: string | Buffer): Promise<string> {
  const client = new RawControl(path);
  client.socket.write(bytes);
  await client.closed;
  return client.received;
}

/** Another program on a socket: `serve` has each connection. */
export async function listenOn(
  path: string,
  serve: (socket: Socket) => void,
): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A socket whose owner was killed. */
export function leaveDeadSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
}
