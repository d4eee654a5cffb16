/** What other hosts ask of this one: each channel becomes a request or a WebSocket of its own. */
import { API } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { MAX_FRAME_BYTES } from '../../shared/rules/wire.ts';
import type { Channel, ChannelHead } from '../fleet/carrier.ts';
import { isApiTarget } from '../fleet/host-path.ts';
import type { RequestHead, Upgrade } from '../transport/transport.ts';
import type { ChannelPeers } from './channel-peer.ts';
import { requestHeaders, socketHeaders } from './forwarded-headers.ts';
import { serveRequest } from './serve-request.ts';
import { serveSocket } from './serve-socket.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REFUSED = 1008;

/** The largest body of any endpoint that another host may call. */
const MAX_BODY_BYTES = Math.max(
  ...Object.values<Endpoint>(API)
    .filter(({ role }) => role !== 'run')
    .map(({ maxBytes = MAX_FRAME_BYTES }) => maxBytes),
);

export interface OwnApplication {
  /** `host`: the id of the one that asks. */
  answer: (request: Request, head: RequestHead, host: string) => Promise<Response>;
  upgrade: (head: RequestHead, host: string) => Upgrade;
  peers: ChannelPeers;
}

/** The `accept` of a carrier. What is no request for the API is closed without an answer. */
export function channelServer({ answer, upgrade, peers }: OwnApplication) {
  return (head: ChannelHead, channel: Channel): void => {
    const { kind, method, target, bodyBytes } = head;
    const { host } = channel;
    if (kind === 'socket' && target === '/ws') {
      const asked = { ...head, headers: socketHeaders(head.headers) };
      serveSocket(asked, channel, peers, (each) => upgrade(each, host));
    } else if (
      kind === 'request' &&
      METHODS.includes(method) &&
      isApiTarget(target) &&
      bodyBytes >= 0 &&
      bodyBytes <= (method === 'GET' ? 0 : MAX_BODY_BYTES)
    ) {
      const asked = { ...head, headers: requestHeaders(head.headers) };
      serveRequest(asked, channel, async (request, each) => answer(request, each, host));
    } else {
      channel.close(REFUSED, 'this is no request for the API');
    }
  };
}
