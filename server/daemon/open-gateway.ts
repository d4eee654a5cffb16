/** The door between hosts: what is asked of others from here, and what others ask of this one. */
import { CloseCode } from '../../shared/rules/wire.ts';
import type { createApp, Remote } from '../api/app.ts';
import { errorResponse } from '../api/error-response.ts';
import type { EventLog } from '../events/event-log.ts';
import { readHostPath } from '../fleet/host-path.ts';
import { ListKeeper } from '../fleet/list-keeper.ts';
import type { ChannelPeers } from '../gateway/channel-peer.ts';
import { COPIED_TARGETS } from '../gateway/copied-answer.ts';
import { Gateway } from '../gateway/gateway.ts';
import { channelServer } from '../gateway/serve-channels.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config/config.ts';
import type { Log } from '../lib/log.ts';
import type { Access } from '../people/access.ts';
import { type Identity, newHold } from '../people/identity.ts';
import type { RequestHead, Upgrade } from '../transport/transport.ts';
import { Connection, type ConnectionOptions } from '../ws/connection.ts';
import { authorizeUpgrade } from '../ws/upgrade.ts';
import type { Fleet } from './open-fleet.ts';

/** Of what is asked in the name of the fleet itself. */
const FLEET = 'fleet';
const STOPPING = 1001;

export function openGateway(
  { acceptRemoteInput }: Pick<Config, 'acceptRemoteInput'>,
  { logger, log, clock, fleet }: { logger: Log; log: EventLog; clock: Clock; fleet: Fleet | null },
  edge: {
    app: ReturnType<typeof createApp>;
    access: Access;
    connection: ConnectionOptions;
    peers: ChannelPeers;
  },
) {
  const { app, access, connection, peers } = edge;
  const hold = newHold();
  let isClosing = false;
  const viewer = (id: string, name: string): Identity => ({
    id,
    name,
    role: 'viewer',
    held: hold.signal,
  });
  const ofHost = (host: string): Remote => ({
    viewer: viewer(`host:${host}`, fleet?.hosts.nameOf(host) ?? host),
    mayType: acceptRemoteInput,
  });
  const open = (head: RequestHead, remote: Remote | null): Upgrade => {
    try {
      const identity = authorizeUpgrade(head, {
        authenticate: (authorization, source) =>
          remote === null
            ? access.authenticate(authorization, source)
            : (access.recognize(authorization) ?? remote.viewer),
        checkTicket: (ticket, source) => access.checkTicket(ticket, source),
        spendTicket: (ticket) => access.spendTicket(ticket),
      });
      const options = { ...connection, mayType: remote === null || remote.mayType };
      return { accept: true, open: (peer) => new Connection(peer, identity, options) };
    } catch (error) {
      return { accept: false, response: errorResponse(error, logger) };
    }
  };
  const gateway = new Gateway({
    access,
    clock,
    logger,
    fleet,
    own: { answer: app, upgrade: (head) => open(head, null) },
  });
  const list = async (target: string): Promise<Uint8Array | null> => {
    const head = { method: 'GET', target, headers: [], remoteAddress: FLEET };
    const remote = { viewer: viewer(FLEET, FLEET), mayType: false };
    const answer = await app(new Request(`http://host${target}`), head, remote);
    return answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : null;
  };
  return {
    fetch: async (request: Request, head: RequestHead): Promise<Response> => {
      const path = readHostPath(head.target);
      const isOfApi = path !== null && /^\/api(?:[/?]|$)/.test(path.target);
      return isOfApi ? gateway.fetch(request, head, path) : app(request, head);
    },
    upgrade: (head: RequestHead): Upgrade => {
      const path = readHostPath(head.target);
      return path === null ? open(head, null) : gateway.upgrade(head, path);
    },
    /** From now on other hosts are answered, and find the lists of this one. */
    serve(): void {
      if (fleet === null) return;
      const { carrier, link, part, begin } = fleet;
      const accept = channelServer({
        answer: async (request, head, host) => app(request, head, ofHost(host)),
        upgrade: (head, host) => open(head, ofHost(host)),
        peers,
      });
      begin(() => {
        carrier.serve((head, channel) => {
          if (link.isDuplicate || isClosing) channel.close(STOPPING, 'not serving');
          else accept(head, channel);
        });
        const targets = COPIED_TARGETS;
        const keeper = new ListKeeper({ carrier, targets, answer: list, log, clock, logger });
        part.own(() => keeper.dispose());
      });
    },
    /** Ends what other hosts have open here. */
    close(): void {
      isClosing = true;
      peers.close(CloseCode.restart, 'restart');
    },
  };
}
