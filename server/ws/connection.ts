/**
 * One WebSocket of protocol `loopwatch.v1`: frames in, frames out, one subscription, one attached
 * terminal, any number of watched screens. Knows no engine and no rule of a loop.
 */
import { z } from 'zod';
import { isTypePattern } from '../../shared/events.ts';
import {
  ClientFrame,
  CloseCode,
  CONTROL_ROLE,
  FRAME_ROLE,
  type FrameError,
  PROTOCOL_VERSION,
  type ServerFrame,
} from '../../shared/protocol.ts';
import { mayAct, type Role } from '../../shared/role.ts';
import type { Clock } from '../lib/clock.ts';
import { type Identity, type IdentityEnd, whenEnded } from '../people/identity.ts';
import type { Attachments } from '../sessions/attachments.ts';
import type { Peer, PeerHandler } from '../transport/transport.ts';
import { AttachedTerminal, type Refusal } from './attached-terminal.ts';
import type { EventChannels } from './event-channels.ts';
import { FrameRate } from './frame-rate.ts';
import type { ScreenChannels } from './screen-channels.ts';
import { Subscription, type SubscriptionRequest } from './subscription.ts';
import { WatchedScreens } from './watched-screens.ts';

export interface ConnectionOptions {
  channels: EventChannels;
  clock: Clock;
  screens: ScreenChannels;
  attachments: Attachments;
  hasSession: (name: string) => boolean;
  /** Who connected; the connection ends with it. */
  identity: Identity;
  /** Told of each sign of life. */
  seen: (identity: Identity) => void;
  version: string;
  /** Frames one peer may send in a second; more is a flood. */
  maxFramesPerSecond?: number;
  /** What may be under way to one peer before its subscription is paused. */
  maxUnacked?: SubscriptionRequest['maxUnacked'];
}

const MAX_FRAMES_PER_SECOND = 50;
/** Keys and mouse reports come one by one; nobody's hand is faster, and a paste is few large ones. */
const MAX_KEY_FRAMES_PER_SECOND = 500;
/** What a terminal is given to read in a second; a paste beyond it belongs into a file. */
const MAX_KEY_BYTES_PER_SECOND = 1024 * 1024;
/** Bad frames until the peer is not worth listening to. */
const MAX_BAD_FRAMES = 10;

/** Takes a fresh peer; greets it and gives what handles it from now on. */
export function openConnection(peer: Peer, options: ConnectionOptions): PeerHandler {
  const { channels, clock, screens, hasSession, version, identity } = options;
  const { log } = channels;
  const { maxFramesPerSecond = MAX_FRAMES_PER_SECOND } = options;
  const watched = new WatchedScreens(peer, screens);
  const attached = new AttachedTerminal(peer, options.attachments, identity.name);
  const frames = new FrameRate(clock, maxFramesPerSecond, Infinity);
  const keys = new FrameRate(clock, MAX_KEY_FRAMES_PER_SECOND, MAX_KEY_BYTES_PER_SECOND);
  let subscription: Subscription | null = null;
  let badFrames = 0;
  let isOver = false;

  function send(frame: ServerFrame): void {
    peer.send([JSON.stringify(frame)]);
  }

  function refuse(code: FrameError, message: string): void {
    badFrames += 1;
    send({ type: 'error', code, message });
    if (badFrames >= MAX_BAD_FRAMES) peer.close(CloseCode.badFrame, 'too many bad frames');
  }

  /** Not held against the peer: a session may close while the frame is on its way. */
  function refuseSession(session: string): void {
    const message = `there is no session named ${session}`;
    send({ type: 'error', code: 'session_unknown', message, session });
  }

  /** Not held against the peer: who types may change while its keys are on their way. */
  function tellRefusal(refusal: Refusal | null): void {
    if (refusal !== null) send({ type: 'error', ...refusal });
  }

  function mayDo(needed: Role): boolean {
    if (mayAct(identity.role, needed)) return true;
    tellRefusal({ code: 'role_too_low', message: `this needs the role ${needed}` });
    return false;
  }

  /** Lets go at once: what the peer sends until its socket is closed is heard no more. */
  function end(): void {
    isOver = true;
    subscription?.end();
    watched.end();
    attached.detach();
  }

  function endWith(how: IdentityEnd): void {
    end();
    if (how === 'ended') peer.close(CloseCode.accessEnded, 'access_ended');
    else peer.close(CloseCode.identityChanged, 'identity_changed');
  }

  function subscribe(frame: Extract<ClientFrame, { type: 'subscribe' }>): void {
    const unknown = frame.types.find((pattern) => !isTypePattern(pattern));
    if (unknown !== undefined) return refuse('unknown_type', `no event type "${unknown}"`);
    const { after = null, epoch = null } = frame;
    if (after !== null && after > 0 && epoch === null) {
      return refuse('epoch_required', 'a cursor after 0 needs the epoch it belongs to');
    }
    subscription?.end();
    send({ type: 'subscribed', id: frame.id, head: log.head });
    subscription = new Subscription(peer, channels, clock, {
      id: frame.id,
      cursor: { after, epoch },
      filter: { types: frame.types, sessions: frame.sessions ?? null },
      maxUnacked: options.maxUnacked,
    });
  }

  function handle(frame: ClientFrame): void {
    if (!mayDo(roleOf(frame))) return;
    switch (frame.type) {
      case 'subscribe':
        return subscribe(frame);
      case 'ack':
        return subscription?.ack(frame.seq);
      case 'watch':
        if (!hasSession(frame.session)) return refuseSession(frame.session);
        return watched.watch(frame.session);
      case 'unwatch':
        return watched.unwatch(frame.session);
      case 'attach':
        if (!hasSession(frame.session)) return refuseSession(frame.session);
        return attached.attach(frame);
      case 'resize':
        return tellRefusal(attached.resize(frame));
      case 'detach':
        return attached.detach();
      case 'ping':
        return send({ type: 'pong' });
    }
  }

  send({
    type: 'welcome',
    protocol: PROTOCOL_VERSION,
    epoch: log.epoch,
    head: log.head,
    server: version,
  });
  const forget = whenEnded(identity, endWith);
  return {
    message(text) {
      if (isOver) return;
      options.seen(identity);
      if (frames.exceeds(text.length)) {
        peer.close(CloseCode.badFrame, 'too many frames');
        return;
      }
      const frame = parseFrame(text);
      if (typeof frame === 'string') refuse('invalid_frame', frame);
      else handle(frame);
    },
    bytes(data) {
      if (isOver) return;
      if (keys.exceeds(data.length)) peer.close(CloseCode.badFrame, 'too many keys');
      else if (mayDo(CONTROL_ROLE)) tellRefusal(attached.type(data));
    },
    drained() {
      if (isOver) return;
      attached.drained();
      subscription?.drained();
      watched.drained();
    },
    closed() {
      forget();
      end();
    },
  };
}

/** Who asks to type needs more than who looks on. */
function roleOf(frame: ClientFrame): Role {
  return frame.type === 'attach' && frame.control ? CONTROL_ROLE : FRAME_ROLE[frame.type];
}

function parseFrame(text: string): ClientFrame | string {
  try {
    const parsed = ClientFrame.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : z.prettifyError(parsed.error).slice(0, 500);
  } catch {
    return 'the frame is not JSON';
  }
}
