/** Peers that record in memory what they are sent, and the topics they join. */
import type { Peer } from '../../../server/transport/transport.ts';

export class RecordingTopics {
  readonly #peers = new Map<string, Set<RecordingPeer>>();

  get joined(): number {
    return [...this.#peers.values()].reduce((sum, peers) => sum + peers.size, 0);
  }

  publish(topic: string, frames: readonly string[]): void {
    for (const peer of this.of(topic)) peer.send(frames);
  }

  of(topic: string): Set<RecordingPeer> {
    const peers = this.#peers.get(topic) ?? new Set();
    this.#peers.set(topic, peers);
    return peers;
  }
}

/** Records what it is sent, write by write. */
export class RecordingPeer implements Peer {
  readonly writes: (readonly string[])[] = [];
  readonly closes: { code: number; reason: string }[] = [];
  readonly #topics: RecordingTopics;
  bufferedBytes = 0;
  /** What it is sent stays buffered. */
  isStalled = false;

  constructor(topics = new RecordingTopics()) {
    this.#topics = topics;
  }

  send(frames: readonly string[]): void {
    this.writes.push(frames);
    if (this.isStalled) this.bufferedBytes += frames.join('').length;
  }

  sendBytes(): void {
    throw new Error('events are text');
  }

  join(topic: string): void {
    this.#topics.of(topic).add(this);
  }

  leave(topic: string): void {
    this.#topics.of(topic).delete(this);
  }

  close(code: number, reason: string): void {
    this.closes.push({ code, reason });
  }

  get seqs(): number[] {
    return this.writes.flat().map((frame) => {
      const { event } = JSON.parse(frame) as { event: { seq: number } };
      return event.seq;
    });
  }
}
