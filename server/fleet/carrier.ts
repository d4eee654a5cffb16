/**
 * What carries a fleet: the six things hosts need of each other. Everything here is a copy or a
 * message; the truth about a host's work stays in the database of that host.
 */
import type { HostFacts } from '../../shared/schema/fleet.ts';

/** A host that was not heard of for this long is unreachable. It says something every 10 s. */
export const UNREACHABLE_AFTER_MS = 30_000;

/** Events of one host in the order of its log, without a gap. */
export interface EventBatch {
  /** The life of the host's log; a restored backup starts another. */
  epoch: string;
  /** Of the daemon that sent it: another one with the same host id is a duplicate. */
  instance: string;
  /** Seq of the first and the last event; all between are in it, but one too large to be copied. */
  first: number;
  last: number;
  /** Encoded as in the log. */
  events: readonly string[];
}

/** Where the copy of a host's log ends. */
export interface RelayPosition {
  epoch: string;
  instance: string;
  last: number;
  /** Changes with every batch of the host: what the next one must follow. */
  revision: number;
}

/** A request for a channel, before anything in it is trusted. */
export interface ChannelHead {
  kind: 'request' | 'socket';
  method: string;
  /** Path and query as the host itself would get them. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Of the body that follows as one message; 0 when none does. */
  bodyBytes: number;
}

export interface ChannelHandler {
  text(text: string): void;
  bytes(data: Uint8Array): void;
  /** Nothing waits here any more. */
  drained(): void;
  /** The last call. 1000 is the end that was meant; any other code means that something is missing. */
  closed(code: number, reason: string): void;
}

/** Messages between two hosts, in order, each at most once, held back while the other end is slow. */
export interface Channel {
  /** Id of the host at the other end. */
  readonly host: string;
  /** Accepted, and waiting here until the other end has taken more. */
  readonly queuedBytes: number;
  /** Called once; what arrived before is delivered first. */
  handle(handler: ChannelHandler): void;
  sendText(text: string): void;
  sendBytes(data: Uint8Array): void;
  close(code: number, reason: string): void;
}

/** Shared work that one host at a time may do. It never expires by time. */
export interface Claim {
  key: string;
  /** Id of the host that holds it. */
  host: string;
  /** What it is, for people. */
  work: string;
  /** The fencing token: differs after every change of holder. */
  revision: number;
}

export interface PeopleListener {
  /** The fleet is read from the beginning: what was heard of it before may be lost. */
  began(): void;
  /** `revision` is what `savePerson` must follow. */
  person(id: string, record: Uint8Array, revision: number): void;
  /** Everyone whom the fleet knows was heard of. */
  complete(): void;
}

export interface Carrier {
  /** False while hosts cannot be reached; what is sent then fails at once. */
  readonly isConnected: boolean;
  onConnection(listener: (isConnected: boolean) => void): () => void;

  /** Null: nothing of that host was copied yet, or the copy was lost. */
  position(host: string): Promise<RelayPosition | null>;
  /** Refuses a batch that does not follow `after`: another daemon wrote, or the copy was lost. */
  append(batch: EventBatch, after: RelayPosition | null): Promise<RelayPosition | 'moved'>;
  /**
   * The copied events of a host with a seq greater than `after`, oldest first. Empty for an epoch
   * that is not the newest one of that host.
   */
  replay(host: string, epoch: string, after: number, limit: number): Promise<string[]>;

  /** Throws `host_unreachable` at once when that host does not serve. */
  request(host: string, head: ChannelHead): Promise<Channel>;
  /** Every channel that another host opens. */
  serve(accept: (head: ChannelHead, channel: Channel) => void): void;

  /** Null when another host holds it; as it was when this host holds it already. */
  claim(key: string, work: string): Promise<Claim | null>;
  claims(): Promise<Claim[]>;
  /** False when it changed meanwhile. */
  release(claim: Claim): Promise<boolean>;

  /** Stands until the next call; readers judge by when they heard it. */
  present(facts: HostFacts): Promise<void>;
  /**
   * First what is known, then every change. `agoMs`: since the host said so, 0 for news. `removed`:
   * the host of that id was taken out of the fleet.
   */
  onPresence(
    listener: (facts: HostFacts, agoMs: number) => void,
    removed?: (host: string) => void,
  ): () => void;

  /** The newest answer of this host to a request for a list, for when the host cannot be reached. */
  saveCopy(target: string, answer: Uint8Array): Promise<void>;
  copy(host: string, target: string): Promise<{ answer: Uint8Array; atMs: number } | null>;

  /** What the fleet knows of a person; refused as `moved` when another host wrote since `after`. */
  savePerson(id: string, record: Uint8Array, after: number): Promise<number | 'moved'>;
  /** First everyone known, then every change. */
  onPeople(listener: PeopleListener): () => void;

  close(): Promise<void>;
}
