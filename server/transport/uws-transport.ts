/** Transport on uWebSockets.js, which is loaded on demand. */
import { MAX_FRAME_BYTES, SUBPROTOCOL } from '../../shared/rules/wire.ts';
import { headerHas, judgeFraming, judgeHandshake } from './judge-head.ts';
import { maxSockets, OpenPeers } from './open-peers.ts';
import {
  headerValues,
  type Peer,
  type PeerHandler,
  type RequestHead,
  type Transport,
  type TransportHandlers,
} from './transport.ts';
import { listen, loadUws, type UwsContext, type UwsRequest } from './uws/engine.ts';
import { Exchange } from './uws/exchange.ts';
import { LiveResponse } from './uws/live-response.ts';
import { topicName, UwsPeer } from './uws/uws-peer.ts';

/** The engine cuts larger messages without a close frame; up to here they are closed with 1009. */
const MAX_MESSAGE_BYTES = 16 * MAX_FRAME_BYTES;
const MESSAGE_TOO_BIG = 1009;
/** Silence after which the engine itself cuts a socket; unanswered pings close it long before. */
const IDLE_SECONDS = 120;
/**
 * Far above where members of a channel are paused: a peer that reaches it is cut, nothing is
 * dropped.
 */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Time for a peer's goodbye before its socket is cut. */
const CLOSE_GRACE_MS = 1_000;
/** Time a close frame needs to leave when nothing is before it. */
const FLUSH_MS = 20;

interface Connected {
  open: (peer: Peer) => PeerHandler;
  peer: UwsPeer<Connected> | null;
  handler: PeerHandler | null;
}

export const uwsTransport: Transport = {
  async listen(address, handlers, { pingIntervalMs } = {}) {
    const engine = await loadUws();
    const app = engine.App();
    const peers = new OpenPeers<UwsPeer<Connected>>(pingIntervalMs);
    const exchanges = new Set<Exchange>();
    const limit = maxSockets();
    let closing = null as { code: number; reason: string } | null;

    function begin(response: LiveResponse, head: RequestHead): Exchange | null {
      if (peers.size + exchanges.size >= limit) {
        response.cut();
        return null;
      }
      const exchange = new Exchange(response, head, () => exchanges.delete(exchange));
      exchanges.add(exchange);
      return exchange;
    }

    function receive(
      response: LiveResponse,
      request: UwsRequest,
      context: UwsContext | null,
    ): void {
      const head = readHead(response, request);
      const exchange = begin(response, head);
      if (exchange === null) return;
      if (isUpgrade(head)) upgrade(exchange, handlers, head, response, context);
      else serve(exchange, handlers, head);
    }

    app.ws<Connected>('/*', {
      compression: engine.DISABLED,
      maxPayloadLength: MAX_MESSAGE_BYTES,
      idleTimeout: IDLE_SECONDS,
      sendPingsAutomatically: false,
      maxBackpressure: MAX_BUFFERED_BYTES,
      closeOnBackpressureLimit: true,
      upgrade: (native, request, context) => receive(new LiveResponse(native), request, context),
      open(socket) {
        const data = socket.getUserData();
        data.peer = new UwsPeer(socket);
        peers.add(data.peer);
        data.handler = data.open(data.peer);
        // A connection requested before the listener closed may be accepted after it: it must be
        // closed as well.
        if (closing !== null) data.peer.close(closing.code, closing.reason);
      },
      message(socket, message, isBinary) {
        const { peer, handler } = socket.getUserData();
        // A copy: the engine takes its bytes back.
        const bytes = Buffer.from(new Uint8Array(message));
        if (bytes.length > MAX_FRAME_BYTES) peer?.close(MESSAGE_TOO_BIG, '');
        else if (isBinary) handler?.bytes(bytes);
        else handler?.message(bytes.toString('utf8'));
      },
      pong(socket) {
        const { peer } = socket.getUserData();
        if (peer !== null) peer.unanswered = 0;
      },
      drain(socket) {
        // Called at every step; the seam only hears of the last.
        const { peer, handler } = socket.getUserData();
        if (peer?.bufferedBytes === 0) handler?.drained();
      },
      close(socket) {
        const { peer, handler } = socket.getUserData();
        peer?.forget();
        if (peer !== null) peers.remove(peer);
        // Not within the call that closed it.
        queueMicrotask(() => handler?.closed());
      },
    });
    app.any('/*', (native, request) => receive(new LiveResponse(native), request, null));
    const listening = await listen(engine, app, address);
    return {
      port: engine.portOf(listening),
      publish(topic, frames) {
        if (closing !== null) return;
        for (const frame of frames) app.publish(topicName(topic), frame, false);
      },
      async close(code, reason) {
        // The engine does not survive a second call: its sockets are freed.
        if (closing !== null) return;
        closing = { code, reason };
        engine.stopListening(listening);
        const isSlow = [...peers].some(({ bufferedBytes }) => bufferedBytes > 0);
        for (const peer of [...peers]) peer.close(code, reason);
        const end = performance.now() + CLOSE_GRACE_MS;
        do await pause(FLUSH_MS);
        while ((isSlow || exchanges.size > 0) && performance.now() < end);
        app.close();
      },
    };
  },
};

function serve(exchange: Exchange, handlers: TransportHandlers, head: RequestHead): void {
  const refusal = handlers.gate(head);
  const wrong = judgeFraming(head);
  // After a body without a certain end, nothing more is a request.
  if (refusal !== null) return void exchange.answer(refusal, wrong !== null);
  if (wrong !== null) return void exchange.answer(new Response(null, { status: wrong }), true);
  let request: Request;
  try {
    request = exchange.request();
  } catch {
    return void exchange.answer(new Response(null, { status: 400 }), true);
  }
  handlers.fetch(request, head).then(
    async (response) => exchange.answer(response),
    () => exchange.cut(),
  );
}

function upgrade(
  exchange: Exchange,
  handlers: TransportHandlers,
  head: RequestHead,
  response: LiveResponse,
  context: UwsContext | null,
): void {
  const refusal = handlers.gate(head) ?? judgeHandshake(head) ?? refuseWithout(context);
  if (refusal !== null) return void exchange.answer(refusal, true);
  const verdict = handlers.upgrade(head);
  if (!verdict.accept) return void exchange.answer(verdict.response, true);
  const [key = ''] = headerValues(head, 'sec-websocket-key');
  const protocol = headerHas(head, 'sec-websocket-protocol', SUBPROTOCOL) ? SUBPROTOCOL : '';
  const data: Connected = { open: verdict.open, peer: null, handler: null };
  if (context !== null) response.upgrade({ data, key, protocol, context });
}

/** A handshake that the engine itself did not recognize. */
function refuseWithout(context: UwsContext | null): Response | null {
  return context === null ? new Response('Bad Request', { status: 400 }) : null;
}

function isUpgrade(head: RequestHead): boolean {
  return headerHas(head, 'connection', 'upgrade') && headerValues(head, 'upgrade').length > 0;
}

async function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Must run in the same call of the engine. */
function readHead(response: LiveResponse, request: UwsRequest): RequestHead {
  const headers: [string, string][] = [];
  const each = (name: string, value: string) => void headers.push([name, value]);
  if (request.forEach === undefined) request.forEachHeader?.(each);
  else request.forEach(each);
  const query = request.getQuery() ?? '';
  return {
    method: request.getMethod().toUpperCase(),
    target: `${request.getUrl()}${query === '' ? '' : `?${query}`}`,
    headers,
    remoteAddress: addressText(response.address()),
  };
}

/** Formatted as node does. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return '';
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (isMapped) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
