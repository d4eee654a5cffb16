/** The part of uWebSockets.js that the bench uses; Node's resolution does not find the package's types. */
import { createRequire } from 'node:module';

interface Socket {
  subscribe(topic: string): boolean;
}

export interface UwsApp {
  ws(
    pattern: string,
    behavior: { idleTimeout: number; maxBackpressure: number; open: (socket: Socket) => void },
  ): UwsApp;
  listen(host: string, port: number, listening: (socket: object | false) => void): UwsApp;
  publish(topic: string, message: string): boolean;
}

interface UwsModule {
  App(): UwsApp;
  getSocketPort(socket: object): number;
  closeSocket(socket: object): void;
}

/** Throws where it is not built for this machine. */
export function uwsModule(): UwsModule {
  return createRequire(import.meta.url)('uWebSockets.js') as UwsModule;
}
