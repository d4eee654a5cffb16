/**
 * One WebSocket of protocol `loopwatch.v1`: frames in, frames out, one subscription, one attached
 * terminal, any number of watched screens. Knows no engine and no rule of a loop.
 */
import { z } from 'zod';
import { isTypePattern } from '../../shared/schema/events/events.ts';
import {
  ClientFrame,
  CONTROL_ROLE,
  FRAME_ROLE,
  type FrameError,
  isInputFrame,
  type ServerFrame,
} from '../../shared/schema/events/protocol.ts';
import {
  CloseCode,
  EVENT_SCHEMA,
  PROTOCOL_VERSION,
  REMOTE_INPUT_OFF,
} from '../../shared/rules/wire.ts';
import { mayAct, type Role } from '../../shared/schema/people/role.ts';
import type { Clock } from '../lib/clock.ts';
import {
  addBearer,
  type Bearer,
  type Identity,
  type IdentityEnd,
  removeBearer,
} from '../people/identity.ts';
import type { Attachments } from '../sessions/showing/attachments.ts';
import type { Peer, PeerHandler } from '../transport/transport.ts';
import { AttachedTerminal, type Refusal } from './attached-terminal.ts';
import type { EventChannels } from './event-channels.ts';
import { FrameRate } from './frame-rate.ts';
import { type ScreenChannels, WatchedScreens } from './screen-channels.ts';
import { Subscription } from './subscription.ts';

export interface ConnectionOptions {
  channels: EventChannels;
  clock: Clock;
  screens: ScreenChannels;
  attachments: Attachments;
  hasSession: (name: string) => boolean;
  connections: OpenConnections;
  /** Called at each sign of life. */
  seen: (identity: Identity) => void;
  version: string;
  /** False: it comes from another host, which may not type. */
  mayType?: boolean;
  /** Frames one peer may send in a second; more is a flood. */
  maxFramesPerSecond?: number;
}

const MAX_FRAMES_PER_SECOND = 50;
/** Keys and mouse reports come one by one; no hand is faster, and a paste is few large frames. */
const MAX_KEY_FRAMES_PER_SECOND = 500;
/** Input a terminal gets to read in a second; a larger paste belongs in a file. */
const MAX_KEY_BYTES_PER_SECOND = 1024 * 1024;
/** Bad frames before the peer is closed. */
const MAX_BAD_FRAMES = 10;

/** How many WebSockets are open; each counts itself. */
export class OpenConnections {
  open = 0;
}

export class Connection implements PeerHandler, Bearer {
  readonly #peer: Peer;
  readonly #identity: Identity;
  readonly #options: ConnectionOptions;
  readonly #frames: FrameRate;
  // Most connections only listen to events: what the others need is created when they use it.
  #keys: FrameRate | null = null;
  #watched: WatchedScreens | null = null;
  #attached: AttachedTerminal | null = null;
  #subscription: Subscription | null = null;
  #badFrames = 0;
  #isOver = false;

  /** Greets the peer. */
  constructor(peer: Peer, identity: Identity, options: ConnectionOptions) {
    this.#peer = peer;
    this.#identity = identity;
    this.#options = options;
    const { channels, clock, version, maxFramesPerSecond = MAX_FRAMES_PER_SECOND } = options;
    this.#frames = new FrameRate(clock, maxFramesPerSecond, Infinity);
    options.connections.open += 1;
    const { epoch, head } = channels.log;
    this.#send({
      type: 'welcome',
      protocol: PROTOCOL_VERSION,
      epoch,
      head,
      server: version,
      views: channels.hasViews,
      event_schema: EVENT_SCHEMA,
    });
    addBearer(identity, this);
  }

  message(text: string): void {
    if (this.#isOver) return;
    this.#options.seen(this.#identity);
    if (this.#frames.exceeds(text.length)) {
      this.#peer.close(CloseCode.badFrame, 'too many frames');
      return;
    }
    const frame = parseFrame(text);
    if (typeof frame === 'string') this.#refuse('invalid_frame', frame);
    else this.#handle(frame);
  }

  bytes(data: Uint8Array): void {
    if (this.#isOver) return;
    const { clock } = this.#options;
    this.#keys ??= new FrameRate(clock, MAX_KEY_FRAMES_PER_SECOND, MAX_KEY_BYTES_PER_SECOND);
    if (this.#keys.exceeds(data.length)) this.#peer.close(CloseCode.badFrame, 'too many keys');
    else if (this.#mayDo(CONTROL_ROLE) && this.#mayType())
      this.#reportRefusal(this.#terminal().type(data));
  }

  drained(): void {
    if (this.#isOver) return;
    this.#attached?.drained();
    this.#subscription?.drained();
    this.#watched?.drained();
  }

  closed(): void {
    this.#options.connections.open -= 1;
    removeBearer(this.#identity, this);
    this.#end();
  }

  identityEnded(how: IdentityEnd): void {
    this.#end();
    if (how === 'ended') this.#peer.close(CloseCode.accessEnded, 'access_ended');
    else this.#peer.close(CloseCode.identityChanged, 'identity_changed');
  }

  /** Releases everything at once: frames that arrive until the socket is closed are ignored. */
  #end(): void {
    this.#isOver = true;
    this.#subscription?.end();
    this.#watched?.end();
    this.#attached?.detach();
  }

  #handle(frame: ClientFrame): void {
    if (!this.#mayDo(roleOf(frame)) || (isInputFrame(frame) && !this.#mayType())) return;
    switch (frame.type) {
      case 'subscribe':
        return this.#subscribe(frame);
      case 'ack':
        return this.#subscription?.ack(frame.seq);
      case 'watch':
        if (!this.#options.hasSession(frame.session)) return this.#refuseSession(frame.session);
        this.#watched ??= new WatchedScreens(this.#peer, this.#options.screens);
        return this.#watched.watch(frame.session);
      case 'unwatch':
        return this.#watched?.unwatch(frame.session);
      case 'attach':
        if (!this.#options.hasSession(frame.session)) return this.#refuseSession(frame.session);
        return this.#terminal().attach(frame);
      case 'resize':
        return this.#reportRefusal(this.#terminal().resize(frame));
      case 'detach':
        return this.#attached?.detach();
      case 'ping':
        return this.#send({ type: 'pong' });
    }
  }

  #subscribe(frame: Extract<ClientFrame, { type: 'subscribe' }>): void {
    const { channels, clock } = this.#options;
    const { id, types, sessions = null, subjects = null, after = null, epoch = null } = frame;
    const unknown = types.find((pattern) => !isTypePattern(pattern));
    if (unknown !== undefined)
      return this.#refuse('unknown_type', `unknown event type "${unknown}"`);
    if (after !== null && after > 0 && epoch === null) {
      return this.#refuse('epoch_required', 'a cursor other than 0 must include its epoch');
    }
    this.#subscription?.end();
    this.#send({ type: 'subscribed', id, head: channels.log.head });
    const filter = { types, sessions, subjects };
    const viewsFor = frame.views === true ? this.#identity.role : null;
    const request = { id, cursor: { after, epoch }, filter, viewsFor };
    this.#subscription = new Subscription(this.#peer, channels, clock, request);
  }

  #terminal(): AttachedTerminal {
    const { attachments } = this.#options;
    this.#attached ??= new AttachedTerminal(this.#peer, attachments, this.#identity.name);
    return this.#attached;
  }

  #send(frame: ServerFrame): void {
    this.#peer.send([JSON.stringify(frame)]);
  }

  #refuse(code: FrameError, message: string): void {
    this.#badFrames += 1;
    this.#send({ type: 'error', code, message });
    if (this.#badFrames < MAX_BAD_FRAMES) return;
    this.#peer.close(CloseCode.badFrame, 'too many bad frames');
  }

  /** Not held against the peer: a session may close while the frame is on its way. */
  #refuseSession(session: string): void {
    const message = `no session named ${session}`;
    this.#send({ type: 'error', code: 'session_unknown', message, session });
  }

  /** Not held against the peer: the typist may change while its keys are on their way. */
  #reportRefusal(refusal: Refusal | null): void {
    if (refusal !== null) this.#send({ type: 'error', ...refusal });
  }

  #mayType(): boolean {
    const { mayType = true } = this.#options;
    if (!mayType) this.#reportRefusal({ code: 'remote_input_off', message: REMOTE_INPUT_OFF });
    return mayType;
  }

  #mayDo(needed: Role): boolean {
    if (mayAct(this.#identity.role, needed)) return true;
    this.#reportRefusal({
      code: 'role_too_low',
      message: `this requires the role ${needed}; ask an admin`,
    });
    return false;
  }
}

/** Typing needs a higher role than watching. */
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
