/** The used part of uWebSockets.js, and how it is loaded and listens. It is installed on demand. */
import { createServer } from 'node:net';
import { messageOf } from '../../lib/app-error.ts';
import { ConfigError } from '../../lib/config/config.ts';

/** Valid only until the handler it was given to returns. */
export interface UwsRequest {
  /** In lower case. */
  getMethod(): string;
  getUrl(): string;
  /** The part after the `?`; nothing where there is none. */
  getQuery(): string | undefined;
  forEach?(each: (name: string, value: string) => void): void;
  /** `forEach` in the fork for Node 20. */
  forEachHeader?(each: (name: string, value: string) => void): void;
}

/** Valid until it was ended or aborted; then every call throws. */
export interface UwsResponse {
  writeStatus(status: string): void;
  writeHeader(name: string, value: string): void;
  /** False: not all of it went into the kernel. */
  write(chunk: Uint8Array): boolean;
  end(body: Uint8Array, closeConnection: boolean): void;
  /** Without arguments: the fork for Node 20 takes an omitted length for a huge one. */
  endWithoutBody(): void;
  close(): void;
  cork(task: () => void): void;
  pause(): void;
  resume(): void;
  onWritable(handler: () => boolean): void;
  onAborted(handler: () => void): void;
  /** The chunk is valid only during the call. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): void;
  getRemoteAddress(): ArrayBuffer;
  upgrade(
    data: unknown,
    key: string,
    protocol: string,
    extensions: string,
    context: UwsContext,
  ): void;
}

/** Valid until `close` was called; then every call throws. */
export interface UwsSocket<Data> {
  getUserData(): Data;
  send(message: string | Uint8Array, isBinary: boolean): number;
  cork(task: () => void): void;
  ping(): number;
  getBufferedAmount(): number;
  subscribe(topic: string): boolean;
  unsubscribe(topic: string): boolean;
  end(code: number, reason: string): void;
  close(): void;
}

export interface UwsBehavior<Data> {
  compression: number;
  maxPayloadLength: number;
  /** Seconds. */
  idleTimeout: number;
  sendPingsAutomatically: boolean;
  maxBackpressure: number;
  closeOnBackpressureLimit: boolean;
  upgrade(response: UwsResponse, request: UwsRequest, context: UwsContext): void;
  open(socket: UwsSocket<Data>): void;
  message(socket: UwsSocket<Data>, message: ArrayBuffer, isBinary: boolean): void;
  pong(socket: UwsSocket<Data>): void;
  drain(socket: UwsSocket<Data>): void;
  close(socket: UwsSocket<Data>): void;
}

export type UwsContext = Readonly<Record<string, never>>;

export type UwsListenSocket = Readonly<Record<string, never>>;

export interface UwsApp {
  ws<Data>(pattern: string, behavior: UwsBehavior<Data>): void;
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): void;
  listen(
    host: string,
    port: number,
    options: number,
    listening: (socket: UwsListenSocket | false) => void,
  ): void;
  publish(topic: string, message: string, isBinary: boolean): boolean;
  /** Closes the listener and cuts every socket. */
  close(): void;
}

interface UwsModule {
  App(): UwsApp;
  DISABLED: number;
  LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  us_socket_local_port?: (socket: UwsListenSocket) => number;
  /** `us_socket_local_port` in the fork for Node 20. */
  getSocketPort?: (socket: UwsListenSocket) => number;
  us_listen_socket_close?: (socket: UwsListenSocket) => void;
  /** `us_listen_socket_close` in the fork for Node 20. */
  closeSocket?: (socket: UwsListenSocket) => void;
}

export interface UwsEngine extends UwsModule {
  portOf: (socket: UwsListenSocket) => number;
  stopListening: (socket: UwsListenSocket) => void;
}

/** The newest release with binaries for Node 20; it is not on npm. */
export const INSTALL = 'npm install uNetworking/uWebSockets.js#v20.66.0';

/** Throws a ConfigError that explains the installation when it cannot be loaded. */
export async function loadUws(
  load: () => Promise<unknown> = async () => import('uWebSockets.js'),
): Promise<UwsEngine> {
  let loaded: UwsModule;
  try {
    loaded = ((await load()) as { default: UwsModule }).default;
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw new ConfigError(
      `LOOPWATCH_TRANSPORT=uws requires uWebSockets.js, which cannot be loaded on Node ` +
        `${process.versions.node} (${reason}). Install it with: ${INSTALL} or unset ` +
        'LOOPWATCH_TRANSPORT.',
    );
  }
  const portOf = loaded.us_socket_local_port ?? loaded.getSocketPort;
  const stopListening = loaded.us_listen_socket_close ?? loaded.closeSocket;
  if (portOf === undefined || stopListening === undefined) {
    throw new ConfigError(`this build of uWebSockets.js is not supported. Install: ${INSTALL}`);
  }
  return { ...loaded, portOf, stopListening };
}

/**
 * The listening socket. Rejects with the error node has for it (EADDRINUSE, EACCES, …): the engine
 * itself gives no reason.
 */
export async function listen(
  engine: UwsEngine,
  app: UwsApp,
  { host, port }: { host: string; port: number },
): Promise<UwsListenSocket> {
  const socket = await new Promise<UwsListenSocket | false>((resolve) => {
    // Otherwise two daemons would silently share one port.
    app.listen(host, port, engine.LIBUS_LISTEN_EXCLUSIVE_PORT, resolve);
  });
  if (socket !== false) return socket;
  await probe(host, port);
  throw new Error(`cannot listen on ${host}:${port}`);
}

async function probe(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
