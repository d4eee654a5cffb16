/** One reader of the event stream, over any transport. Nothing is lost between two takes. */
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { ApiClient } from '../daemon/api-client.ts';

export interface EventRequest {
  /** `epoch:seq` or seq; null is live only. */
  after: string | null;
  types?: string[];
  sessions?: string[];
  subjects?: string[];
}

export interface Reset {
  reason: string;
  oldest: number;
  head: number;
}

/** What came, in order; `cursor` is where a reader resumes once it has taken it. */
export type Delivered = { cursor: string } & (
  { kind: 'event'; json: string } | { kind: 'reset'; reset: Reset } | { kind: 'cursor' }
);

/** Resolves when no live event can be missed any more; rejects with the code of a refusal. */
export type OpenConsumer = (api: ApiClient, request: EventRequest) => Promise<EventConsumer>;

export class EventConsumer {
  readonly #inbox: Delivered[] = [];
  readonly #close: () => Promise<void>;
  #cursor: string;
  #wake: () => void = () => undefined;
  #over: string | null = null;

  constructor(start: string, close: () => Promise<void>) {
    this.#cursor = start;
    this.#close = close;
  }

  /** `epoch:seq` after everything taken so far, and after what the filter skipped since. */
  get cursor(): string {
    while (this.#inbox[0]?.kind === 'cursor') this.#shift();
    return this.#cursor;
  }

  put(delivered: Delivered): void {
    this.#inbox.push(delivered);
    this.#wake();
  }

  /** Nothing more comes; what came before can still be taken. */
  end(why: string): void {
    this.#over ??= why;
    this.#wake();
  }

  /** The next event or reset. Rejects when the stream has ended. */
  async next(): Promise<Exclude<Delivered, { kind: 'cursor' }>> {
    for (;;) {
      const delivered = this.#shift();
      if (delivered !== undefined && delivered.kind !== 'cursor') return delivered;
      if (delivered !== undefined) continue;
      if (this.#over !== null) throw new Error(`the stream has ended: ${this.#over}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The exact bytes of the next event; a reset in its place is an error. */
  async event(): Promise<string> {
    const delivered = await this.next();
    if (delivered.kind === 'event') return delivered.json;
    throw new Error(`reset: ${JSON.stringify(delivered.reset)}`);
  }

  async take(count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) taken.push(await this.event());
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end('closed by the test');
    await this.#close();
  }

  #shift(): Delivered | undefined {
    const delivered = this.#inbox.shift();
    if (delivered !== undefined) this.#cursor = delivered.cursor;
    return delivered;
  }
}

export function seqOf(json: string): number {
  return (JSON.parse(json) as EventRecord).seq;
}
