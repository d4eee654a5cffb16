/** A WebSocket that came through a channel, on this host's own protocol code. */
import type { Channel, ChannelHead } from '../fleet/carrier.ts';
import { MAX_FRAME_BYTES } from '../../shared/rules/wire.ts';
import type { PeerHandler, RequestHead, Upgrade } from '../transport/transport.ts';
import { encodeAnswerHead, SWITCHED } from './answer-head.ts';
import { ChannelPeer, type ChannelPeers } from './channel-peer.ts';
import { sendAnswer } from './serve-request.ts';

const TOO_BIG = 1009;
/** Before each frame of the browser: what has another mark is said by the host between. */
export const FRAME_MARK = '=';

export function serveSocket(
  head: ChannelHead,
  channel: Channel,
  peers: ChannelPeers,
  upgrade: (head: RequestHead) => Upgrade,
): void {
  const verdict = upgrade({ ...head, remoteAddress: `host:${channel.host}` });
  if (!verdict.accept) {
    channel.handle(NOTHING);
    const { signal } = new AbortController();
    const roomFor = async () => Promise.resolve();
    void sendAnswer(verdict.response, channel, { signal, roomFor });
    return;
  }
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    peers.remove(peer);
    handler.closed();
  };
  // Not within the call that closed it.
  const peer = new ChannelPeer(channel, peers, () => queueMicrotask(end));
  peers.add(peer);
  channel.sendText(encodeAnswerHead({ status: SWITCHED, headers: [] }));
  const handler: PeerHandler = verdict.open(peer);
  channel.handle({
    text(text) {
      if (isOver) return;
      if (text.startsWith(FRAME_MARK)) {
        if (Buffer.byteLength(text) > MAX_FRAME_BYTES + 1) peer.close(TOO_BIG, '');
        else handler.message(text.slice(FRAME_MARK.length));
      } else if (peer.window.confirm(text) && peer.window.isLow) handler.drained();
    },
    bytes(data) {
      if (isOver) return;
      if (data.length > MAX_FRAME_BYTES) peer.close(TOO_BIG, '');
      else handler.bytes(data);
    },
    drained() {
      if (!isOver && peer.window.isLow) handler.drained();
    },
    closed: end,
  });
}

const NOTHING = {
  text: () => undefined,
  bytes: () => undefined,
  drained: () => undefined,
  closed: () => undefined,
};
