/** Events that were sent, in order, and the amount of them after a seq. Keeps the newest. */

/** More than may be under way to one peer, so that a count that falls short means "too many". */
const KEPT_EVENTS = 4_096;
/** Removed at a time: copying stays rare, and memory steady. */
const TRIM_EVENTS = 512;

export interface Amount {
  events: number;
  bytes: number;
}

export const NOTHING: Readonly<Amount> = { events: 0, bytes: 0 };

export class SentEvents {
  /** `before` counts the bytes of everything ever sent before it. */
  #sent: { seq: number; before: number; bytes: number }[] = [];
  #bytes = 0;

  push(seq: number, bytes: number): void {
    this.#sent.push({ seq, before: this.#bytes, bytes });
    this.#bytes += bytes;
    const spareEvents = this.#sent.length - KEPT_EVENTS;
    if (spareEvents >= TRIM_EVENTS) this.#sent.splice(0, spareEvents);
  }

  /**
   * `frames` has one for each of `events`, and then what follows them, which counts for the last
   * one. Returns the bytes of all.
   */
  pushFrames(events: readonly { seq: number }[], frames: readonly string[]): number {
    const before = this.#bytes;
    for (const [index, { seq }] of events.entries()) {
      const end = index === events.length - 1 ? frames.length : index + 1;
      this.push(
        seq,
        frames.slice(index, end).reduce((sum, frame) => sum + frame.length, 0),
      );
    }
    return this.#bytes - before;
  }

  /** The amount sent after the event `seq`. */
  since(seq: number): Amount {
    const index = this.#indexAfter(seq);
    const first = this.#sent[index];
    if (first === undefined) return NOTHING;
    return { events: this.#sent.length - index, bytes: this.#bytes - first.before };
  }

  /** Adds what others sent after the event `seq`. */
  take(others: SentEvents, seq: number): void {
    for (const sent of others.#sent.slice(others.#indexAfter(seq))) this.push(sent.seq, sent.bytes);
  }

  /** Forgets everything up to the event `seq`. */
  forget(seq: number): void {
    this.#sent = this.#sent.slice(this.#indexAfter(seq));
  }

  #indexAfter(seq: number): number {
    let [low, high] = [0, this.#sent.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sent[middle]?.seq ?? 0) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
