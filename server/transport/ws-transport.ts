/** Transport on node:http and `ws`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_FRAME_BYTES, SUBPROTOCOL } from '../../shared/rules/wire.ts';
import { judgeFraming, judgeHandshake } from './judge-head.ts';
import { maxSockets, OpenPeers } from './open-peers.ts';
import type { Peer, PeerHandler, RequestHead, Transport, TransportHandlers } from './transport.ts';
import { WsPeer, WsTopics } from './ws-peer.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Longer than clients and proxies keep a connection for their next request (nginx: 60 s). A request
 * sent while the server closes the connection fails, and a POST must not be repeated.
 */
const KEEP_ALIVE_MS = 75_000;
/** Time for a peer to close its side before its socket is cut. */
const CLOSE_GRACE_MS = 1_000;

export const wsTransport: Transport = {
  async listen({ host, port }, handlers, { pingIntervalMs } = {}) {
    // Node would answer a missing or doubled Host on its own; the gate has its own answer.
    const server = createServer({
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    server.maxConnections = maxSockets();
    // Node silently drops header lines beyond its count; only the size limits a head.
    server.maxHeadersCount = 0;
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      clientTracking: false,
      handleProtocols: (offered) => offered.has(SUBPROTOCOL) && SUBPROTOCOL,
    });
    const topics = new WsTopics();
    const peers = new OpenPeers<WsPeer>(pingIntervalMs);
    const ended = new WeakSet<Duplex>();
    server.on('request', (incoming, outgoing) => serve(handlers, incoming, outgoing, ended));
    server.on('checkContinue', (incoming, outgoing) => {
      continueInTurn(outgoing, () => serve(handlers, incoming, outgoing, ended));
    });
    let closing: { code: number; reason: string } | null = null;
    server.on('upgrade', (incoming, socket, head) => {
      if (ended.has(socket)) return void socket.destroy();
      upgrade(handlers, sockets, incoming, socket, head, (webSocket, open) => {
        const peer = new WsPeer(webSocket, socket, topics);
        peers.add(peer);
        webSocket.on('close', () => peers.remove(peer));
        connect(webSocket, socket, open(peer));
        // A connection requested before the listener closed may be accepted after it: it must be
        // closed as well.
        if (closing !== null) peer.close(closing.code, closing.reason);
      });
    });
    await new Promise<void>((resolve, reject) => {
      // It stays: accepting a connection can fail later too, which must cost only that connection.
      server.on('error', reject);
      server.listen(port, host, resolve);
    });
    return {
      port: (server.address() as AddressInfo).port,
      publish: (topic, frames) => topics.publish(topic, frames),
      async close(code, reason) {
        closing = { code, reason };
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        for (const peer of peers) peer.close(code, reason);
        const cut = setTimeout(() => {
          for (const peer of peers) peer.cut();
          server.closeAllConnections();
        }, CLOSE_GRACE_MS);
        server.closeIdleConnections();
        await closed;
        clearTimeout(cut);
      },
    };
  },
};

/** `ended` holds the connections on which nothing more is taken for a request. */
function serve(
  handlers: TransportHandlers,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ended: WeakSet<Duplex>,
): void {
  if (ended.has(incoming.socket)) return;
  const head = headOf(incoming);
  const wrong = judgeFraming(head);
  // Before the listener, which reads the Host for its own address.
  const refusal =
    handlers.gate(head) ?? (wrong === null ? null : new Response(null, { status: wrong }));
  if (wrong !== null) {
    ended.add(incoming.socket);
    outgoing.setHeader('connection', 'close');
  }
  const answer = async (request: Request) =>
    breakOff(refusal ?? (await handlers.fetch(request, head)), outgoing);
  if (refusal !== null) incoming.headers.host = 'localhost';
  void getRequestListener(answer, { overrideGlobalObjects: false })(incoming, outgoing);
}

/**
 * Accepts the body and serves the request once its answer has the connection: while an earlier
 * answer is still under way, Node would put these bytes between its head and body.
 */
function continueInTurn(outgoing: ServerResponse, serveIt: () => void): void {
  const begin = () => {
    outgoing.writeContinue();
    serveIt();
  };
  if (outgoing.socket === null) outgoing.once('socket', begin);
  else begin();
}

/**
 * Destroys the connection when the body fails. The listener would end the answer as if it were
 * complete, with the error message in it.
 */
function breakOff(response: Response, outgoing: ServerResponse): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          outgoing.destroy();
          controller.close();
        }
      },
      cancel: async (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function upgrade(
  handlers: TransportHandlers,
  sockets: WebSocketServer,
  incoming: IncomingMessage,
  socket: Duplex,
  firstBytes: Buffer,
  accepted: (webSocket: WebSocket, open: (peer: Peer) => PeerHandler) => void,
): void {
  const head = headOf(incoming);
  socket.on('error', () => socket.destroy());
  const refusal = handlers.gate(head) ?? judgeHandshake(head);
  if (refusal !== null) {
    void refuse(socket, refusal);
    return;
  }
  const verdict = handlers.upgrade(head);
  if (!verdict.accept) {
    void refuse(socket, verdict.response);
    return;
  }
  sockets.handleUpgrade(incoming, socket, firstBytes, (webSocket) => {
    accepted(webSocket, verdict.open);
  });
}

function connect(webSocket: WebSocket, socket: Duplex, handler: PeerHandler): void {
  webSocket.on('message', (data, isBinary) => {
    if (isBinary) handler.bytes(data as Buffer);
    else handler.message((data as Buffer).toString('utf8'));
  });
  webSocket.on('error', () => webSocket.terminate());
  webSocket.on('close', () => handler.closed());
  socket.on('drain', () => handler.drained());
}

function headOf(incoming: IncomingMessage): RequestHead {
  const { rawHeaders } = incoming;
  const headers = rawHeaders
    .map((name, index) => [name, rawHeaders[index + 1] ?? ''] as const)
    .filter((_, index) => index % 2 === 0);
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers,
    remoteAddress: incoming.socket.remoteAddress ?? '',
  };
}

/** Answers an upgrade with plain HTTP and closes. */
async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${response.status} ${response.statusText || 'Refused'}\r\n${lines}` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body.toString('utf8')}`,
  );
  // No limit of the server counts for this socket: a client that keeps its side open would hold it.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
  socket.once('close', () => clearTimeout(cut));
}
