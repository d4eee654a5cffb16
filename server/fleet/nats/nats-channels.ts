/**
 * All channels of this host: opened by a request and its answer, then frames in both directions.
 * Core NATS delivers at most once; a loss closes the channel.
 *
 * An id of each end is part of where its frames go. Only the host that was asked learns the one and
 * only the host that asks learns the other, so that no host can speak for another one: the first
 * frame of the asking end proves who it is.
 */
import { randomBytes } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { AppError, messageOf } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { within } from '../../lib/within.ts';
import type { Channel, ChannelHead } from '../carrier.ts';
import { MAX_OPENING_BYTES, Opening, OpeningAnswer, openingText } from './channel-opening.ts';
import { NatsChannel } from './nats-channel.ts';
import { channelTo, inboxOf, openingOf } from './subjects.ts';

const ANSWER_MS = 5_000;
/** Of the client's own timer, which no test can move: above ours. */
const NEVER_MS = 60_000;
/** An opened channel that does not start: the answer was lost, or it was asked in a foreign name. */
const START_MS = 10_000;
const MAX_OF_HOST = 256;
/** The other end waits for an answer as long. */
const OVER_MS = 30_000;

type Accept = (head: ChannelHead, channel: Channel) => void;

interface Open {
  channel: NatsChannel;
  /** The end that frames go to. Null until the other host has answered. */
  remote: string | null;
  /** The life of the other host: the one that answered; until then the one that was asked. */
  instance: string | null;
  /** No answer can come any more. */
  lost: () => void;
}

export class NatsChannels {
  readonly #self: string;
  readonly #instance: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #open = new Map<string, Open>();
  /** The newest life of each host that was heard of; null while it is silent. */
  readonly #instances = new Map<string, string | null>();
  #nc: NatsConnection | null = null;
  #accept: Accept | null = null;
  /**
   * The other ends of channels that were lost, or ended lately, and since when, oldest first: what
   * they wait for may have been lost with the connection. They hear it with the next one.
   */
  readonly #over = new Map<string, number>();

  constructor(options: { self: string; instance: string; clock: Clock; log: Log }) {
    this.#self = options.self;
    this.#instance = options.instance;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Null: the connection was lost, and with it all channels. */
  connected(nc: NatsConnection | null): void {
    this.#nc = null;
    for (const { channel } of [...this.#open.values()]) {
      channel.lose('the connection to the fleet was lost');
    }
    if (nc === null) return;
    this.#nc = nc;
    for (const subject of this.#over.keys()) nc.publish(subject, GONE);
    this.#over.clear();
    nc.subscribe(channelTo(this.#self, '*'), {
      callback: (error, message) => {
        if (error === null) this.#receive(message);
      },
    });
    this.#listen();
  }

  serve(accept: Accept): void {
    this.#accept = accept;
    this.#listen();
  }

  /** Closes the channels with a host that is silent (null), or with an earlier life of one. */
  lose(host: string, newInstance: string | null, reason: string): void {
    this.#instances.set(host, newInstance);
    for (const { channel, instance } of [...this.#open.values()]) {
      // Not silently: a host that is there after all would wait for its answer.
      if (channel.host === host && instance !== newInstance) channel.abort(reason);
    }
  }

  async request(host: string, head: ChannelHead): Promise<Channel> {
    // A host that was restarted before it answered has done nothing, and is asked again.
    const channel = (await this.#ask(host, head)) ?? (await this.#ask(host, head));
    if (channel === null) throw unreachable(host, 'it was restarted; try again');
    return channel;
  }

  /** Null: the life of the host that was asked is over, and it had not answered. */
  async #ask(host: string, head: ChannelHead): Promise<Channel | null> {
    const nc = this.#nc;
    if (nc === null) throw unreachable(host, 'this host is not connected to the fleet');
    const id = randomBytes(16).toString('hex');
    const text = openingText({ from: this.#self, instance: this.#instance, channel: id, head });
    if (this.#count(host) >= MAX_OF_HOST) {
      throw unreachable(host, `${MAX_OF_HOST} channels to it are open; close some of its pages`);
    }
    const asked = this.#instances.get(host) ?? null;
    const open = this.#add(id, host, { remote: null, instance: asked });
    const lost = new Promise<null>((resolve) => (open.lost = () => resolve(null)));
    // Not an inbox of the client: from one of them a host could guess the others, and answer there.
    const reply = `${inboxOf(this.#self)}.${randomBytes(16).toString('hex')}`;
    const answered = nc.request(openingOf(host), text, { timeout: NEVER_MS, noMux: true, reply });
    const found = await within(this.#clock, ANSWER_MS, Promise.race([answered, lost]));
    const said = found?.answer?.string();
    const answer = said && OpeningAnswer.safeParse(parseJson(said)).data;
    if (!answer || !this.#open.has(id)) {
      open.channel.lose('not opened');
      if ((this.#instances.get(host) ?? null) !== asked) return null;
      throw unreachable(host, 'it does not answer; check that its daemon runs');
    }
    if (answer.channel === null) {
      open.channel.lose('not opened');
      throw unreachable(host, 'it has too many open channels; try again later');
    }
    open.remote = answer.channel;
    open.instance = answer.instance;
    open.channel.start();
    return open.channel;
  }

  /** Before the connection is closed on purpose: the other hosts need not find out. */
  close(): void {
    for (const { channel } of [...this.#open.values()]) channel.abort('the host leaves the fleet');
  }

  #listen(): void {
    if (this.#nc === null || this.#accept === null) return;
    const accept = this.#accept;
    this.#nc.subscribe(openingOf(this.#self), {
      callback: (error, message) => {
        if (error === null) this.#opened(message, accept);
      },
    });
  }

  #opened(message: Msg, accept: Accept): void {
    if (message.data.length > MAX_OPENING_BYTES) return;
    const opening = Opening.safeParse(parseJson(message.string())).data;
    if (opening === undefined) return;
    const { from, instance, channel: remote, head } = opening;
    // Our own question whether another daemon has our id.
    if (from === this.#self && instance === this.#instance) return;
    // Sent with our rights: only to where answers to that host belong.
    if (message.reply?.startsWith(`${inboxOf(from)}.`) !== true) return;
    const answer = (channel: string | null) =>
      message.respond(JSON.stringify({ channel, instance: this.#instance }));
    if (this.#count(from) >= MAX_OF_HOST) return void answer(null);
    const id = randomBytes(16).toString('hex');
    const { channel } = this.#add(id, from, { remote, instance }, () => {
      timer.cancel();
      accept(head, channel);
    });
    const timer = this.#clock.after(START_MS, () => channel.lose('not started'));
    answer(id);
  }

  #receive(message: Msg): void {
    const id = message.subject.slice(channelTo(this.#self, '').length);
    const open = this.#open.get(id);
    if (message.headers?.code === 503) {
      open?.channel.lose('the other host is gone');
    } else if (message.data.length === 0) {
      open?.channel.lose('the other host closed it without a word');
    } else if (open !== undefined) {
      open.channel.receive(message.data);
    } else if (
      // Until this host serves, another daemon with its id may be who is meant.
      this.#accept !== null &&
      isEnd(message.reply) &&
      !message.reply.startsWith(channelTo(this.#self, ''))
    ) {
      this.#nc?.publish(message.reply, GONE);
    }
  }

  #isOver(subject: string): void {
    const now = this.#clock.monotonic();
    for (const [other, sinceMs] of this.#over) {
      if (now - sinceMs < OVER_MS) break;
      this.#over.delete(other);
    }
    this.#over.set(subject, now);
  }

  #count(host: string): number {
    let count = 0;
    for (const { channel } of this.#open.values()) if (channel.host === host) count += 1;
    return count;
  }

  #add(
    id: string,
    host: string,
    other: Pick<Open, 'remote' | 'instance'>,
    started?: () => void,
  ): Open {
    const channel = new NatsChannel({
      host,
      send: (frame) => {
        const nc = this.#nc;
        if (open.remote === null || nc === null || nc.isClosed()) return;
        // When the other host is gone, the server says so to the reply.
        const reply = channelTo(this.#self, id);
        nc.publish(channelTo(host, open.remote), frame, { reply });
      },
      started,
      ended: (failure) => {
        this.#open.delete(id);
        open.lost();
        if (open.remote !== null) this.#isOver(channelTo(host, open.remote));
        if (failure !== null) {
          this.#log.error({ host, error: messageOf(failure) }, 'a channel of the fleet failed');
        }
      },
    });
    const open: Open = { channel, ...other, lost: () => undefined };
    this.#open.set(id, open);
    return open;
  }
}

/** Says that a channel is unknown here; no frame is empty. */
const GONE = new Uint8Array(0);

function isEnd(reply: string | undefined): reply is string {
  return reply !== undefined && /^ch\.[0-9A-Za-z]{1,40}\.[0-9a-f]{32}$/.test(reply);
}

function unreachable(host: string, why: string): AppError {
  return new AppError('host_unreachable', `host ${host} cannot be reached: ${why}`);
}
