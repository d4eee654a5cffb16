/**
 * The seam between the daemon and a network engine. Application code sees requests, responses and
 * peers; sockets, headers as they came and write buffers stay inside the engine's one file.
 */

/** A request before anything of it is trusted: header lines as sent, doubles included. */
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
  /** From now on it gets what is published to the topic, in order with what is sent to it alone. */
  join(topic: string): void;
  leave(topic: string): void;
  close(code: number, reason: string): void;
}

export interface PeerHandler {
  message(text: string): void;
  /** One binary frame; the buffer is the handler's to keep. */
  bytes(data: Uint8Array): void;
  /** The kernel has taken all that was buffered. */
  drained(): void;
  /** The last call; the peer has left its topics or leaves them now. */
  closed(): void;
}

export type Upgrade =
  { accept: true; open: (peer: Peer) => PeerHandler } | { accept: false; response: Response };

export interface TransportHandlers {
  /** Asked first, for plain requests and upgrades alike; a response refuses. */
  gate(head: RequestHead): Response | null;
  fetch(request: Request, head: RequestHead): Promise<Response>;
  /** Asked only after the gate let the request pass. */
  upgrade(head: RequestHead): Upgrade;
}

export interface TransportServer {
  readonly port: number;
  /** Sends text frames to every peer that joined the topic, encoded once, in one write for each. */
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

/** Takes a head and a lower-case name; gives every value that was sent for it. */
export function headerValues(head: RequestHead, name: string): string[] {
  return head.headers
    .filter(([candidate]) => candidate.toLowerCase() === name)
    .map(([, value]) => value);
}
