/**
 * The seam between the daemon and a network engine. Application code sees requests, responses and
 * peers; sockets, raw headers and write buffers stay inside the engine's one file.
 */

/** A request before anything in it is trusted: header lines as sent, including duplicates. */
export interface RequestHead {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  remoteAddress: string;
}

/** One WebSocket, as application code sees it. */
export interface Peer {
  /** Sends text frames, all of them in one write. */
  send(frames: readonly string[]): void;
  /** Sends one binary frame; the bytes are not changed afterwards. */
  sendBytes(bytes: Uint8Array): void;
  /** Bytes accepted by `send` and `sendBytes` that the kernel has not taken yet. */
  readonly bufferedBytes: number;
  /** From now on the peer gets what is published to the topic, in order with its own messages. */
  join(topic: string): void;
  leave(topic: string): void;
  close(code: number, reason: string): void;
}

export interface PeerHandler {
  message(text: string): void;
  /** One binary frame; the handler may keep the buffer. */
  bytes(data: Uint8Array): void;
  /** The kernel has taken all that was buffered. */
  drained(): void;
  /** The last call; the peer has left its topics or leaves them now. */
  closed(): void;
}

export type Upgrade =
  { accept: true; open: (peer: Peer) => PeerHandler } | { accept: false; response: Response };

export interface TransportHandlers {
  /** Called first, for plain requests and upgrades alike; a response refuses. */
  gate(head: RequestHead): Response | null;
  fetch(request: Request, head: RequestHead): Promise<Response>;
  /** Called only after the gate let the request pass. */
  upgrade(head: RequestHead): Upgrade;
}

export interface TransportServer {
  readonly port: number;
  /** Sends text frames to every peer in the topic, encoded once, in one write per peer. */
  publish(topic: string, frames: readonly string[]): void;
  /** Closes every peer with this code, then the listener. */
  close(code: number, reason: string): Promise<void>;
}

export interface TransportOptions {
  /** How often peers are pinged, in milliseconds; 20,000 unless given. */
  pingIntervalMs?: number;
}

export interface Transport {
  listen(
    address: { host: string; port: number },
    handlers: TransportHandlers,
    options?: TransportOptions,
  ): Promise<TransportServer>;
}

/** Every value sent for a lower-case name. */
export function headerValues(head: RequestHead, name: string): string[] {
  return head.headers
    .filter(([candidate]) => candidate.toLowerCase() === name)
    .map(([, value]) => value);
}
